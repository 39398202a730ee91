/** Decides whether the resolver counts as dead, and finds out when it is back. */
import { createBreaker } from '../breaker.ts';

export interface ResolverHealth {
  readonly dead: boolean;
  /** The resolver replied to something. */
  heard(): void;
  /** A query got no reply at all. */
  silent(now: number): void;
  close(): void;
}

const SILENT_QUERIES = 5;
const PROBE_MS = 1_000;

/**
 * Dead after five silent queries in a row. While it is, `probe` is called, at once and every second, to ask something
 * whose reply ends in `heard`; so names that are merely slow never pass for a dead resolver for long.
 */
export function createResolverHealth(options: { probe: () => void; onRevived: () => void }): ResolverHealth {
  const breaker = createBreaker({ failures: SILENT_QUERIES, restMs: PROBE_MS });
  let probing: NodeJS.Timeout | undefined;
  let closed = false;

  function stopProbing(): void {
    clearInterval(probing);
    probing = undefined;
  }

  return {
    get dead() {
      return breaker.open;
    },
    heard() {
      const revived = breaker.open;
      breaker.succeed();
      stopProbing();
      if (revived) options.onRevived();
    },
    silent(now) {
      breaker.fail(now);
      if (!breaker.open || probing !== undefined || closed) return;
      probing = setInterval(options.probe, PROBE_MS).unref();
      options.probe();
    },
    close() {
      closed = true;
      stopProbing();
    },
  };
}
