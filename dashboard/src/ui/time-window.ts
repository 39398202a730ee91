/** Decides how a span of time is written by the account's clock: whole days by their dates, all others with the time. */
import { createWallClock, type TimeZone } from '../../../src/model/time-zone.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Times on the wall are written as if they were of UTC. */
const UTC = { timeZone: 'UTC' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const TIME = new Intl.DateTimeFormat('en', { ...CLOCK, ...UTC });
const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', ...UTC });
const DAY_TIME = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', ...CLOCK, ...UTC });

/**
 * `Nov 19`, `Nov 19 – Nov 21`, `Nov 19, 04:10 – 06:00`, `since Nov 19, 04:10`, `before Nov 21, 08:00`.
 * @param from RFC 3339, inside; `to` is outside. What cannot be read is written as it is
 */
export function windowWords(from: string | undefined, to: string | undefined, zone: TimeZone): string {
  const [start, end] = [wallOf(from, zone), wallOf(to, zone)];
  if ((from !== undefined && start === undefined) || (to !== undefined && end === undefined))
    return [from, to].filter((text) => text !== undefined).join(' – ');
  if (start !== undefined && end !== undefined) return spanWords(start, end);
  if (start !== undefined) return `since ${DAY_TIME.format(start)}`;
  return end === undefined ? '' : `before ${DAY_TIME.format(end)}`;
}

function wallOf(text: string | undefined, zone: TimeZone): number | undefined {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? undefined : createWallClock(zone).wallOf(at);
}

function spanWords(start: number, end: number): string {
  const [first, last] = [DAY.format(start), DAY.format(end - 1)];
  if (start % DAY_MS === 0 && end % DAY_MS === 0 && end > start)
    return first === last ? first : `${first} – ${last}`;
  const isSameDay = Math.floor(start / DAY_MS) === Math.floor(end / DAY_MS);
  return `${DAY_TIME.format(start)} – ${(isSameDay ? TIME : DAY_TIME).format(end)}`;
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
