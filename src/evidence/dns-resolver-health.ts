/** Decides whether the resolver counts as dead, and finds out when it is back. */
import { createBreaker } from './breaker.ts';

export interface ResolverHealth {
  readonly dead: boolean;
  /** Replies so far: unchanged while a query is open, its silence may be the resolver's. */
  readonly replies: number;
  /** The resolver replied to something. */
  heard(): void;
  /** A query has waited long, and nothing was heard since the count was `replies`. */
  suspect(replies: number): void;
  /** A query got no reply at all. @returns whether the resolver replied to others meanwhile, so that the fault is the name's */
  silent(replies: number, now: number): boolean;
  close(): void;
}

const SILENT_QUERIES = 5;
const PROBE_MS = 1_000;

/**
 * Dead after five queries in a row without a reply, while it replied to nothing else. Before the first of them counts,
 * and every second while it is dead, `probe` is called, to ask something whose reply calls `heard`: so silent name servers
 * are not mistaken for a dead resolver.
 */
export function createResolverHealth(options: { probe: () => void; onRevived: () => void }): ResolverHealth {
  const breaker = createBreaker({ failures: SILENT_QUERIES, restMs: PROBE_MS });
  let probing: NodeJS.Timeout | undefined;
  let replies = 0;
  /** How many replies there were when the resolver was last asked whether it is alive. */
  let suspectedAt = -1;
  let closed = false;

  function stopProbing(): void {
    clearInterval(probing);
    probing = undefined;
  }

  return {
    get dead() {
      return breaker.open;
    },
    get replies() {
      return replies;
    },
    heard() {
      const revived = breaker.open;
      replies += 1;
      breaker.succeed();
      stopProbing();
      if (revived) options.onRevived();
    },
    suspect(before) {
      // One probe until it, or anything else, is answered.
      if (before !== replies || suspectedAt === replies || breaker.open || closed) return;
      suspectedAt = replies;
      options.probe();
    },
    silent(before, now) {
      if (before !== replies) return true;
      breaker.fail(now);
      if (!breaker.open || probing !== undefined || closed) return false;
      probing = setInterval(options.probe, PROBE_MS).unref();
      options.probe();
      return false;
    },
    close() {
      closed = true;
      stopProbing();
    },
  };
}
