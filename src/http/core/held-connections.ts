/** Decides how long a connection is not read after a request of it was refused: as its answer said, or until nothing else is refused any more. Else callers who ask again at once would cost all the time that answers need. */

export interface HeldConnection {
  /** Reads on. Not called for one that was dropped. */
  release(): void;
}

export interface HeldConnections {
  hold(connection: HeldConnection): void;
  /** It is closed. */
  drop(connection: HeldConnection): void;
}

export interface HeldConnectionsOptions {
  /** Milliseconds by any steady clock; for tests. */
  readonly clock?: () => number;
  /** Calls back after so many milliseconds; for tests. */
  readonly later?: (act: () => void, milliseconds: number) => void;
}

/** Time that `Retry-After` of a refusal names. */
export const HOLD_MS = 1_000;
/** Time without a refusal after which there is time for those who wait. */
const CALM_MS = 50;

export function createHeldConnections({
  clock = () => performance.now(),
  later = (act, milliseconds) => void setTimeout(act, milliseconds).unref(),
}: HeldConnectionsOptions = {}): HeldConnections {
  /** Connections with the time until which they are held, the first ones first. */
  const held = new Map<HeldConnection, number>();
  let refusals = 0;
  let isWatching = false;

  function watch(): void {
    isWatching = held.size > 0;
    if (isWatching) later(releaseDue, CALM_MS);
  }

  function releaseDue(): void {
    const now = clock();
    const isCalm = refusals === 0;
    refusals = 0;
    // Connections that are released may be refused and held again.
    for (const [connection, until] of [...held]) {
      if (!isCalm && until > now) break;
      if (held.delete(connection)) connection.release();
    }
    watch();
  }

  return {
    hold(connection) {
      refusals += 1;
      held.set(connection, clock() + HOLD_MS);
      if (!isWatching) watch();
    },
    drop: (connection) => void held.delete(connection),
  };
}
