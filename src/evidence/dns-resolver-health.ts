/** Decides whether the resolver counts as dead, and finds out when it is back. */
import { createBreaker } from './breaker.ts';

export interface ResolverHealth {
  readonly dead: boolean;
  /** Number of replies. If it did not change while a query was open, the resolver itself may be silent. */
  readonly replies: number;
  /** The resolver replied to something. */
  onReply(): void;
  /** A query has waited long. `replies`: the count when it was sent. */
  onSlowQuery(replies: number): void;
  /** A query got no reply at all. @returns whether the resolver answered others meanwhile: then the fault is the name's */
  onUnanswered(replies: number, now: number): boolean;
  close(): void;
}

const SILENT_QUERIES = 5;
const PROBE_MS = 1_000;

/**
 * Dead after five queries in a row without a reply, while it replied to nothing else. Before the first of them counts,
 * and every second while it is dead, `probe` is called, to ask something whose reply calls `onReply`: so silent name servers
 * are not mistaken for a dead resolver.
 */
export function createResolverHealth(options: { probe: () => void; onRevived: () => void }): ResolverHealth {
  const breaker = createBreaker({ failures: SILENT_QUERIES, restMs: PROBE_MS });
  let probing: NodeJS.Timeout | undefined;
  let replies = 0;
  /** The number of replies when the resolver was last asked whether it is alive. */
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
    onReply() {
      const revived = breaker.open;
      replies += 1;
      breaker.succeed();
      stopProbing();
      if (revived) options.onRevived();
    },
    onSlowQuery(before) {
      // One probe until it, or anything else, is answered.
      if (before !== replies || suspectedAt === replies || breaker.open || closed) return;
      suspectedAt = replies;
      options.probe();
    },
    onUnanswered(before, now) {
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
