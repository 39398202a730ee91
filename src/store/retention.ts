/** Decides from when on assessments are kept. */
import { addMonths, monthOf } from '../platform/month.ts';
import type { StoredAssessment } from './stored-assessment.ts';

/** Time that something is kept. `months`: whole ones besides the current month. */
export type Retention = { readonly days: number } | { readonly months: number };

/** Time that the IP and the address of an assessment are kept, which may be shorter. */
export interface PersonalDataRetention {
  readonly days: number;
  /** Gives the assessment without them; blanked twice it is the same. */
  readonly blank: (stored: StoredAssessment) => StoredAssessment;
}

/** Name in the table `meta`: up to this time, milliseconds since the epoch, assessments are blanked. */
export const BLANKED_UNTIL = 'blanked_until';

const DAY_MS = 86_400_000;
/** No newer assessment than this comes by itself soon after a start. */
const LARGE_GAP_MS = 31 * DAY_MS;
const PATIENCE_MS = 3_600_000;

/**
 * The start of a UTC day, or month, in milliseconds since the epoch: older assessments may be removed.
 * @param newestAt of the newest assessment, or now if that is earlier: no single clock decides what is deleted
 */
export function keptFrom(retention: Retention, newestAt: number): number {
  if ('months' in retention) return Date.parse(`${addMonths(monthOf(newestAt), -retention.months)}-01`);
  return (Math.floor(newestAt / DAY_MS) - retention.days) * DAY_MS;
}

/**
 * Says when assessments may be removed: at once, but not in the first hour of a process whose new assessments are more than
 * a month newer than all before. Then the machine may have started with a wrong clock, which is corrected soon.
 * @param atStart when the newest assessment was made; `undefined`: there is none
 * @param clock milliseconds since the epoch, as assessments have them
 */
export function createPatience(
  atStart: number | undefined,
  clock: () => number,
): (newestAt: number) => boolean {
  const startedAt = clock();
  return (newestAt) =>
    newestAt - (atStart ?? newestAt) <= LARGE_GAP_MS || Math.abs(clock() - startedAt) >= PATIENCE_MS;
}
