/** Decides what the axis of the histogram names: days where bars are long, else hours or minutes. */
import type { Times } from '../ui/times.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Names of bars that are so long, by their starts; and the places that may have one, most of them first. */
export function axisNames(starts: readonly string[], barMs: number, { wallClock, day, clock }: Times) {
  const walls = starts.map((at) => wallClock.wallOf(Date.parse(at)));
  const isByDay = barMs >= 2 * HOUR_MS;
  const dayOf = (wall: number) => Math.floor(wall / DAY_MS);
  const places = walls.flatMap((wall, index) => {
    const before = walls[index - 1];
    if (isByDay) return before === undefined || dayOf(before) !== dayOf(wall) ? [index] : [];
    return barMs > HOUR_MS / 12 && wall % HOUR_MS !== 0 ? [] : [index];
  });
  const isDay = (index: number) => isByDay || (walls[index] as number) % DAY_MS === 0;
  return {
    names: starts.map((at, index) => (isDay(index) ? day : clock)(at)),
    choices: [1, 2, 3, 4, 6, 8, 12, 24].map((step) => places.filter((_, index) => index % step === 0)),
  };
}
