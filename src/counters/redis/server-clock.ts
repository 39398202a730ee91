/** Decides how much this node's clock differs from the clock of a shared server. */

export interface ServerClock {
  /** Measures the server's time. The longer the answer takes, the less exact it is. @param ask gives milliseconds since the epoch */
  measure(ask: () => Promise<number>): Promise<void>;
  /** Milliseconds that the server's clock is ahead of this node's at this moment; below 0 when it is behind. */
  aheadMs(): number;
}

export interface ServerClockOptions {
  /** This node's clock: may be set back or ahead at any time. */
  readonly clock: () => number;
  /** Milliseconds since any moment; a step of the clock does not change it. */
  readonly monotonic: () => number;
}

/** Clocks that differ by no more than this count as equal: windows are at least some seconds long. */
const EQUAL_MS = 250;

/** Before the first measurement it uses this node's clock; later steps of that clock have no effect. */
export function createServerClock({ clock, monotonic }: ServerClockOptions): ServerClock {
  let offset = clock() - monotonic();
  return {
    async measure(ask) {
      const askedAt = monotonic();
      const time = await ask();
      // The server read its clock between these two moments: correct the offset only as far as they prove it wrong.
      offset = Math.min(Math.max(offset, time - monotonic()), time + 1 - askedAt);
    },
    aheadMs() {
      const ahead = Math.round(monotonic() + offset - clock());
      return Math.abs(ahead) <= EQUAL_MS ? 0 : ahead;
    },
  };
}
