/** Messages of the dashboard's API about what is unusual. */
import type { FilterMembers } from './dashboard-signup-counts.ts';
import type { ManageAlert } from './manage-messages.ts';

export interface AlertRow extends ManageAlert {
  /** Filter that finds its signups; `null` where it is about none. */
  readonly filter: FilterMembers | null;
}

export interface AlertPageAnswer {
  /** Newest first. */
  readonly data: readonly AlertRow[];
  /** Send it as `after` for the next page; `null` at the end. */
  readonly next: string | null;
}
