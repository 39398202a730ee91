/** Tells the time for waits and expiries within this process: it follows the wall clock ahead, and never goes back. */

export interface SteadyClockOptions {
  /** Milliseconds since the epoch; may be set back or ahead at any time. */
  readonly wall: () => number;
  /** Milliseconds since any moment; stops while the machine sleeps. */
  readonly monotonic: () => number;
  /** How long a jump ahead of more than a minute must last before it is followed; 0, the default: it is followed at once. */
  readonly patienceMs?: number;
}

/** A wall clock that is slewed, or read a little late, does not jump. */
const JUMP_MS = 60_000;

/**
 * Whole milliseconds since the epoch. When the wall clock is set back, time goes on at its usual pace from where it was, so that
 * no breaker, cache entry or pause lasts longer than it was meant to. After a jump ahead, also that of a machine that slept,
 * they end early. With patience, a jump ahead that is taken back in time changes nothing.
 */
export function createSteadyClock({ wall, monotonic, patienceMs = 0 }: SteadyClockOptions): () => number {
  let offset = wall() - monotonic();
  let jumpedAt: number | undefined;
  return () => {
    const elapsed = monotonic();
    const shown = wall() - elapsed;
    if (shown <= offset + JUMP_MS) jumpedAt = undefined;
    else jumpedAt ??= elapsed;
    if (jumpedAt === undefined || elapsed - jumpedAt >= patienceMs) offset = Math.max(offset, shown);
    return Math.floor(elapsed + offset);
  };
}
