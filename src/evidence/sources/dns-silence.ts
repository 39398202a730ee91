/** Decides who is silent: the resolver, which then counts as dead, or a domain, whose further names are not asked for. */
import { ownerDomain } from '../../address/domain.ts';
import { createBreaker } from './remote-source.ts';
import { createTwoGenerationCache } from './two-generation-cache.ts';

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
 * and every second while it is dead, `probe` is called, to ask something whose reply calls `onReply`. So silent name servers
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

export interface SilentDomains {
  /** Whether `name` must not be asked for. Once a minute one name below a silent domain is asked for. */
  refuses(name: string, now: number): boolean;
  /** Nothing answered for `name`, while the resolver answered others. */
  noteSilence(name: string, now: number): void;
  /** Something answered for `name`: its name servers work. */
  noteAnswer(name: string): void;
  clear(): void;
}

interface SilenceRecord {
  /** Different names that stayed silent in a row. */
  readonly names: ReadonlySet<string>;
  /** Time until which the names count; if there are enough of them, no name is asked for until then. */
  readonly until: number;
}

const NAMES_UNTIL_SILENT = 5;
const SILENT_MS = 60_000;
/** Domains remembered at most, five names each. */
const CAPACITY = 4_000;

/**
 * Silent domains by owner: below a suffix under which strangers get names, each owner counts alone. The owner's domain itself is always
 * asked for and never counted: it is the name that ordinary users have.
 */
export function createSilentDomains(capacity = CAPACITY): SilentDomains {
  const records = createTwoGenerationCache<SilenceRecord>(capacity);

  function current(owner: string, now: number): SilenceRecord | undefined {
    const record = records.get(owner);
    return record !== undefined && record.until > now ? record : undefined;
  }

  return {
    refuses(name, now) {
      const owner = ownerAbove(name);
      const record = owner === undefined ? undefined : records.get(owner);
      if (owner === undefined || record === undefined || record.names.size < NAMES_UNTIL_SILENT) return false;
      if (record.until > now) return true;
      records.set(owner, { names: record.names, until: now + SILENT_MS });
      return false;
    },
    noteSilence(name, now) {
      const owner = ownerAbove(name);
      if (owner === undefined) return;
      const names = current(owner, now)?.names ?? new Set();
      if (names.size >= NAMES_UNTIL_SILENT) return;
      records.set(owner, { names: new Set([...names, name]), until: now + SILENT_MS });
    },
    noteAnswer(name) {
      const owner = ownerAbove(name);
      if (owner !== undefined && records.get(owner) !== undefined)
        records.set(owner, { names: new Set(), until: 0 });
    },
    clear: () => records.clear(),
  };
}

/** The owner's domain that `name` lies below; `undefined` for that domain itself. */
function ownerAbove(name: string): string | undefined {
  const owner = ownerDomain(name);
  return owner === name ? undefined : owner;
}
