/** Decides how a span of time is written by the account's clock: whole days by their dates, all others with the time. */
import { createWallClock, type TimeZone } from '../../../src/model/time-zone.ts';
import { LOCALE } from './format.ts';
import { createTimes } from './times.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Times on the wall are written as if they were of UTC. */
const UTC = { timeZone: 'UTC' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const TIME = new Intl.DateTimeFormat(LOCALE, { ...CLOCK, ...UTC });
const DAY = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', ...UTC });

/** The window in one text, as `Times.window` says. */
export function windowWords(from: string | undefined, to: string | undefined, zone: TimeZone): string {
  return createTimes(LOCALE, zone).window(from, to, Date.now());
}

/** Names on an axis of bars that are so long, by their starts; and the places that may have one, most of them first. */
export function axisNames(starts: readonly string[], barMs: number, zone: TimeZone) {
  const clock = createWallClock(zone);
  const walls = starts.map((at) => clock.wallOf(Date.parse(at)));
  const isByDay = barMs >= 2 * HOUR_MS;
  const dayOf = (wall: number) => Math.floor(wall / DAY_MS);
  const places = walls.flatMap((wall, index) => {
    const before = walls[index - 1];
    if (isByDay) return before === undefined || dayOf(before) !== dayOf(wall) ? [index] : [];
    return barMs > HOUR_MS / 12 && wall % HOUR_MS !== 0 ? [] : [index];
  });
  return {
    names: walls.map((wall) => (isByDay || wall % DAY_MS === 0 ? DAY : TIME).format(wall)),
    choices: [1, 2, 3, 4, 6, 8, 12, 24].map((step) => places.filter((_, index) => index % step === 0)),
  };
}
