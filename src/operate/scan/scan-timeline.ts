/** Decides into which steps of time a list is divided, so that a picture can show when waves came. */
import { toTimestamp } from '../../platform/timestamp.ts';
import type { ScanRow } from './scan-row.ts';

export interface ScanTimeline {
  /** Start of the first step, and the length of each, seconds. */
  readonly from: string;
  readonly step_s: number;
  /** Counts by step: all users, those of a wave, and others of a farm or a bad domain. */
  readonly users: readonly number[];
  readonly in_waves: readonly number[];
  readonly otherwise_flagged: readonly number[];
}

export interface Timeline {
  /** Number of rows in each step; empty without times. */
  count(rows: readonly ScanRow[]): number[];
  readonly from: number;
  readonly stepS: number;
  readonly steps: number;
}

const MAX_STEPS = 60;
const MINUTE_S = 60;
const DAY_S = 86_400;
const STEPS_S = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * MINUTE_S);
const DAYS = [1, 2, 7, 14, 30, 90, 365, 3_650, 36_500, 365_000];

/** @param rows in order of time. `null` where none has a time */
export function divideTime(rows: readonly ScanRow[]): Timeline | null {
  const first = rows.find(({ at }) => at !== null)?.at ?? null;
  const last = rows.findLast(({ at }) => at !== null)?.at ?? null;
  if (first === null || last === null) return null;
  const startOf = (stepS: number) => Math.floor(first / 1_000 / stepS) * stepS;
  const stepsOf = (stepS: number) => Math.floor((last / 1_000 - startOf(stepS)) / stepS) + 1;
  const possible = [...STEPS_S, ...DAYS.map((days) => days * DAY_S)];
  const stepS = possible.find((step) => stepsOf(step) <= MAX_STEPS) ?? (possible.at(-1) as number);
  const from = startOf(stepS);
  const steps = stepsOf(stepS);
  return {
    from: from * 1_000,
    stepS,
    steps,
    count(members) {
      const counts = new Array<number>(steps).fill(0);
      for (const { at } of members) {
        if (at === null) continue;
        const step = Math.floor((at / 1_000 - from) / stepS);
        counts[step] = (counts[step] ?? 0) + 1;
      }
      return counts;
    },
  };
}

/** @param flagged others than those of waves */
export function toTimeline(
  timeline: Timeline | null,
  rows: readonly ScanRow[],
  inWaves: readonly ScanRow[],
  flagged: readonly ScanRow[],
): ScanTimeline | null {
  if (timeline === null) return null;
  return {
    from: toTimestamp(timeline.from),
    step_s: timeline.stepS,
    users: timeline.count(rows),
    in_waves: timeline.count(inWaves),
    otherwise_flagged: timeline.count(flagged),
  };
}
