/** How a count of a period is compared with the period before, and when it is not. */
import { grouped } from '../ui/format.ts';

/** Min. count for a percentage: below it, one means nothing. */
const MIN_BEFORE = 20;

/** `words`: `30 days`. `before`: `null` if the earlier period is not completely known. */
export function changeOf(count: number, before: number | null, words: string): string {
  if (before === null) return `not enough data before these ${words}`;
  if (before === 0) return `none in the ${words} before`;
  if (before < MIN_BEFORE) return `${grouped(before)} in the ${words} before`;
  const share = (100 * (count - before)) / before;
  if (Math.abs(share) < 1) return `as in the ${words} before`;
  if (share >= 900) return `${grouped(before)} in the ${words} before`;
  return `${grouped(Math.abs(share))}% ${share > 0 ? 'more' : 'fewer'} than in the ${words} before`;
}
