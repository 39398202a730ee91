/** Decides how instants are written on all pages: by the clock of one time zone, in the reader's locale. */
import { createWallClock, type TimeZone } from '../../../src/model/time-zone.ts';
import { duration } from './format.ts';

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
const HALF_YEAR_MS = 180 * DAY_MS;
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const DAY = { month: 'short', day: 'numeric' } as const;
const YEAR = { year: 'numeric' } as const;

export type Times = ReturnType<typeof createTimes>;

/** All instants are RFC 3339 texts. `now`: milliseconds since the epoch. */
export function createTimes(locale: string, zone: TimeZone) {
  /** Made when first used: most parts of a page need one or two. */
  const formatOf = (options: Intl.DateTimeFormatOptions) => {
    let made: Intl.DateTimeFormat | undefined;
    return () => (made ??= new Intl.DateTimeFormat(locale, { ...options, timeZone: zone }));
  };
  const formats = {
    clock: formatOf(CLOCK),
    day: formatOf(DAY),
    dayOfYear: formatOf({ ...YEAR, ...DAY }),
    dayAndClock: formatOf({ ...DAY, ...CLOCK }),
    yearAndClock: formatOf({ ...YEAR, ...DAY, ...CLOCK }),
    exact: formatOf({ ...YEAR, ...DAY, ...CLOCK, second: '2-digit' }),
    weekday: formatOf({ weekday: 'short' }),
    dayNumber: formatOf({ day: 'numeric' }),
  };
  const wallClock = createWallClock(zone);
  const isMidnight = (at: number) => wallClock.wallOf(at) % DAY_MS === 0;

  /** `Nov 19, 04:12`, with the year where another one could be meant. */
  function moment(at: string, now: number): string {
    const format = isNear(Date.parse(at), now) ? formats.dayAndClock() : formats.yearAndClock();
    return format.format(Date.parse(at));
  }

  return {
    zone,
    wallClock,
    moment,
    /** `04:12` */
    clock: (at: string) => formats.clock().format(Date.parse(at)),
    /** `Nov 19` */
    day: (at: string) => formats.day().format(Date.parse(at)),
    /** `Nov 19, 2026` */
    date: (at: string) => formats.dayOfYear().format(Date.parse(at)),
    /** `Thu` */
    weekday: (at: string) => formats.weekday().format(Date.parse(at)),
    /** `19` */
    dayNumber: (at: string) => formats.dayNumber().format(Date.parse(at)),
    /** `Nov 19, 2026, 04:12:33` */
    exact: (at: string) => formats.exact().format(Date.parse(at)),
    /** `just now`, `5 min ago`, `in 3 h`; from a day on `Nov 19, 04:12`, and `Nov 19, 2025` where only the day matters. */
    relative(at: string, now: number): string {
      const passedMs = now - Date.parse(at);
      const lengthMs = Math.abs(passedMs);
      if (lengthMs >= DAY_MS)
        return isNear(Date.parse(at), now) ? moment(at, now) : formats.dayOfYear().format(Date.parse(at));
      if (lengthMs < 10 * SECOND_MS) return 'just now';
      const length = duration(Math.round(lengthMs / SECOND_MS));
      return passedMs > 0 ? `${length} ago` : `in ${length}`;
    },
    /** One text for a window of time, `to` exclusive: `Nov 19`, `Nov 19 – 25`, `Nov 19, 04:00 – 08:00`, `since Nov 19, 04:12`; what cannot be read as it is. */
    window(from: string | undefined, to: string | undefined, now: number): string {
      const [start, end] = [from, to].map((at) => (at === undefined ? Number.NaN : Date.parse(at))) as [
        number,
        number,
      ];
      if ((from !== undefined && Number.isNaN(start)) || (to !== undefined && Number.isNaN(end)))
        return [from, to].filter((text) => text !== undefined).join(' – ');
      if (Number.isNaN(start)) return Number.isNaN(end) ? 'any time' : `before ${moment(to as string, now)}`;
      if (Number.isNaN(end)) return `since ${moment(from as string, now)}`;
      const near = isNear(start, now) && isNear(end, now);
      if (end > start && isMidnight(start) && isMidnight(end))
        // Days are named from the first to the last.
        return (near ? formats.day : formats.dayOfYear)().formatRange(start, end - 1);
      return (near ? formats.dayAndClock : formats.yearAndClock)().formatRange(start, Math.max(start, end));
    },
  };
}

/** A date without its year can only be this one. */
function isNear(at: number, now: number): boolean {
  return Math.abs(at - now) < HALF_YEAR_MS;
}

/** `2026-11-21 17:42:16.123 UTC` */
export function exactUtc(at: string): string {
  return `${new Date(at).toISOString().replace('T', ' ').replace('.000Z', 'Z').replace('Z', '')} UTC`;
}
