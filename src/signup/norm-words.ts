/** Says who of a signup's domain came to the account before. */
import type { EmailEvidence } from '../model/evidence.ts';

const DATE = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Empty where they are too few. */
export function describeNorm({
  standing,
  usualPeople,
  usualSince,
}: Pick<EmailEvidence, 'standing' | 'usualPeople' | 'usualSince'>): string {
  if (usualPeople === 0) return '';
  const place = standing === 'institution' ? 'university or school' : 'domain';
  const people = usualPeople.toLocaleString('en-US');
  return `${people} people of this ${place} came before, since ${DATE.format(usualSince)}`;
}
