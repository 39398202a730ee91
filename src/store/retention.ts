/** Decides from when on assessments are kept. */
import { addMonths, monthOf } from './month.ts';
import type { StoredAssessment } from './store.ts';

/** How long. `months`: whole ones besides the current month. */
export type Retention = { readonly days: number } | { readonly months: number };

/** How long the IP and the address of an assessment are kept, which may be shorter. */
export interface PersonalDataRetention {
  readonly days: number;
  /** Gives the assessment without them; blanked twice it is the same. */
  readonly blank: (stored: StoredAssessment) => StoredAssessment;
}

/** Name in the table `meta`: up to this time, milliseconds since the epoch, assessments are blanked. */
export const BLANKED_UNTIL = 'blanked_until';

const DAY_MS = 86_400_000;

/**
 * The start of a UTC day, or month, in milliseconds since the epoch: what is older may be removed.
 * @param newestAt of the newest assessment, or now if that is earlier: no single clock decides what is deleted
 */
export function keptFrom(retention: Retention, newestAt: number): number {
  if ('months' in retention) return Date.parse(`${addMonths(monthOf(newestAt), -retention.months)}-01`);
  return (Math.floor(newestAt / DAY_MS) - retention.days) * DAY_MS;
}
