/** Says how much is kept of a person. */
import type { PersonCounts } from '../../../src/contract/dashboard-privacy.ts';
import { grouped } from '../ui/format.ts';

const counted = (count: number, singular: string, plural: string) =>
  `${grouped(count)} ${count === 1 ? singular : plural}`;

/** `3 signups, 1 report and 2 list entries` */
export function countWords({ assessments, feedback, list_entries }: PersonCounts): string {
  const signups = counted(assessments, 'signup', 'signups');
  const reports = counted(feedback, 'report', 'reports');
  return `${signups}, ${reports} and ${counted(list_entries, 'list entry', 'list entries')}`;
}

export function isNothing({ assessments, list_entries }: PersonCounts): boolean {
  return assessments + list_entries === 0;
}
