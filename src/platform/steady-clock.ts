/** The clocks of a process: the one for waits and expiries never goes back, the one for stored times never goes back into a month that has ended. */

export interface SteadyClockOptions {
  /** Milliseconds since the epoch; may be set back or ahead at any time. */
  readonly wall: () => number;
  /** Milliseconds since any moment; stops while the machine sleeps. */
  readonly monotonic: () => number;
  /** A larger difference is a jump, not a clock that is slewed or read a little late: by default a minute. */
  readonly jumpMs?: number;
  /** Time that a jump forward must last before the clock follows it. Default 0: at once. */
  readonly patienceMs?: number;
}

const JUMP_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * Whole milliseconds since the epoch. When the wall clock is set back, time continues at its usual pace, so that no
 * breaker, cache entry or pause lasts longer than it should. After a jump forward, also after the machine slept, they end
 * early. With patience, a jump forward that is soon corrected changes nothing.
 */
export function createSteadyClock(options: SteadyClockOptions): () => number {
  const { wall, monotonic, jumpMs = JUMP_MS, patienceMs = 0 } = options;
  let offset = wall() - monotonic();
  let jumpedAt: number | undefined;
  return () => {
    // In this order a pause of the process between the two shows no time that did not pass: this clock does not run ahead.
    const now = wall();
    const elapsed = monotonic();
    const shown = now - elapsed;
    if (shown <= offset + jumpMs) jumpedAt = undefined;
    else jumpedAt ??= elapsed;
    if (jumpedAt === undefined || elapsed - jumpedAt >= patienceMs) offset = Math.max(offset, shown);
    return Math.floor(elapsed + offset);
  };
}

const DAY_MS = 24 * HOUR_MS;

/**
 * The wall clock, except where it is set back by up to a day over the end of a month: then it waits at the beginning of the
 * month, so that a month which has ended gets nothing more. A clock that is set back further was wrong before, and is
 * followed.
 */
export function createMonthClock(wall: () => number): Pick<Clocks, 'calendar' | 'beginMonth'> {
  let month = { start: Number.NEGATIVE_INFINITY, end: Number.NEGATIVE_INFINITY };
  return {
    calendar() {
      const now = wall();
      if (now >= month.start && now < month.end) return now;
      if (now < month.start && month.start - now <= DAY_MS) return month.start;
      month = monthAround(now);
      return now;
    },
    beginMonth(at) {
      month = monthAround(at);
    },
  };
}

/** Its first millisecond, and the first one after it. */
function monthAround(now: number): { start: number; end: number } {
  const date = new Date(now);
  const first = (after: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + after, 1);
  return { start: first(0), end: first(1) };
}

/** Milliseconds since the epoch, unless something else is said. */
export interface Clocks {
  /** The clock of the machine. */
  readonly wall: () => number;
  /** Clock for when requests came in, and for what is stored about them: the wall clock, which goes back into no month that has ended. */
  readonly calendar: () => number;
  /** Tells `calendar` that the month around an instant has begun: another process has stored something in it. */
  readonly beginMonth: (at: number) => void;
  /** Runs evenly, even if the wall clock jumps. */
  readonly steady: () => number;
  /** Clock for times that outlive the process: follows a jump of the wall clock only after an hour, in case it jumps back. */
  readonly patient: () => number;
  /** Milliseconds since the process began. */
  readonly monotonic: () => number;
}

/** The clock of each part of a service. */
export function createClocks(): Clocks {
  const wall = Date.now;
  const monotonic = () => performance.now();
  return {
    wall,
    ...createMonthClock(wall),
    monotonic,
    steady: createSteadyClock({ wall, monotonic }),
    patient: createSteadyClock({ wall, monotonic, patienceMs: HOUR_MS }),
  };
}
