/** Tells the time for waits and expiries within this process: it follows the wall clock ahead, and never goes back. */

export interface SteadyClockOptions {
  /** Milliseconds since the epoch; may be set back or ahead at any time. */
  readonly wall: () => number;
  /** Milliseconds since any moment; stops while the machine sleeps. */
  readonly monotonic: () => number;
}

/**
 * Whole milliseconds since the epoch. When the wall clock is set back, time goes on at its usual pace from where it was, so that
 * no breaker, cache entry or pause lasts longer than it was meant to. After a jump ahead, also that of a machine that slept,
 * they end early.
 */
export function createSteadyClock({ wall, monotonic }: SteadyClockOptions): () => number {
  let offset = wall() - monotonic();
  return () => {
    const elapsed = monotonic();
    offset = Math.max(offset, wall() - elapsed);
    return Math.floor(elapsed + offset);
  };
}
