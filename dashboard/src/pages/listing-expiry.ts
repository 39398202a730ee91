/** The times after which an entry of a list can end. */

const DAY_MS = 86_400_000;

export const LENGTHS = [
  { value: '1', label: 'In 1 day' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: '', label: 'Never' },
];

/** Entries become wrong with time, and nobody reviews them. */
export const USUAL_LENGTH = '30';

/** @param days one of `LENGTHS` */
export function expiryOf(days: string): string | undefined {
  return days === '' ? undefined : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
}
