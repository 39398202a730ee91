/** Decides by how much this node's clock differs from that of a server which all nodes count on. */

export interface ServerClock {
  /** Learns the server's time, in milliseconds since the epoch, and from how long the answer took, how exactly. */
  measure(ask: () => Promise<number>): Promise<void>;
  /** Milliseconds that the server's clock is ahead of this node's at this moment; below 0 when it is behind. */
  aheadMs(): number;
}

export interface ServerClockOptions {
  /** This node's clock: may be set back or ahead at any time. */
  readonly clock: () => number;
  /** Milliseconds since any moment, which no step of the clock changes. */
  readonly monotonic: () => number;
}

/** Clocks that differ by no more count as equal: windows are seconds long and more. */
const EQUAL_MS = 250;

/** Until it has measured, it believes this node's own clock; a step of that clock afterwards does not change its time. */
export function createServerClock({ clock, monotonic }: ServerClockOptions): ServerClock {
  let offset = clock() - monotonic();
  return {
    async measure(ask) {
      const askedAt = monotonic();
      const time = await ask();
      // The server read its clock at some moment between; what is believed changes no more than that proves wrong.
      offset = Math.min(Math.max(offset, time - monotonic()), time + 1 - askedAt);
    },
    aheadMs() {
      const ahead = Math.round(monotonic() + offset - clock());
      return Math.abs(ahead) <= EQUAL_MS ? 0 : ahead;
    },
  };
}
