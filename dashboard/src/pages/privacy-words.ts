/** Says how much is kept of a person. */
import type { PersonCounts } from '../../../src/contract/dashboard-privacy.ts';
import { pluralize } from '../ui/format.ts';

/** `3 signups, 1 report and 2 list entries` */
export function countWords({ assessments, feedback, list_entries }: PersonCounts): string {
  const signups = pluralize(assessments, 'signup');
  const reports = pluralize(feedback, 'report');
  return `${signups}, ${reports} and ${pluralize(list_entries, 'list entry', 'list entries')}`;
}

export function isNothing({ assessments, list_entries }: PersonCounts): boolean {
  return assessments + list_entries === 0;
}
