/** Decides which name servers hear a question, and how many questions may be open at once. */
import type { QuestionType } from './dns/message.ts';
import { type DnsQuery, startQuery } from './dns/query.ts';
import { readServerAddress, type ServerAddress } from './dns/server-address.ts';

export interface DnsClientOptions {
  /** `ip`, `ip:port` or `[v6]:port`; the first three are used. */
  readonly servers: readonly string[];
  /** How long somebody waits for a reply; the servers after the first are asked within this time. */
  readonly deadlineMs: number;
  /** How long a reply may take at all. Default 3,000. */
  readonly patienceMs?: number;
  /** Queries open at once. Default 256. */
  readonly maxInFlight?: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Called for every reply of any server, failures included. */
  readonly onReply?: () => void;
}

/** A stub resolver: recursion is the servers' business, TTLs are handed on. */
export interface DnsClient {
  /** Starts a query; `undefined` when too many are open, or after `close`. */
  query(name: string, type: QuestionType): DnsQuery | undefined;
  /** Ends all queries. */
  close(): void;
}

const MAX_SERVERS = 3;

/** Throws when a server is not an address. */
export function createDnsClient(options: DnsClientOptions): DnsClient {
  const { deadlineMs, patienceMs = 3_000, maxInFlight = 256, clock } = options;
  const servers = options.servers.slice(0, MAX_SERVERS).map(requireAddress);
  const startedAt = new Map<DnsQuery, number>();
  let favourite = servers[0];
  let closed = false;

  /** A query that nobody waits for any more gives its place to one that somebody will wait for. */
  function makeRoom(): boolean {
    if (startedAt.size < maxInFlight) return true;
    for (const [oldest, start] of startedAt) {
      if (clock() - start < deadlineMs) return false;
      oldest.stop();
      return startedAt.delete(oldest);
    }
    return false;
  }

  function query(name: string, type: QuestionType): DnsQuery | undefined {
    if (closed || !makeRoom()) return undefined;
    const started = startQuery({
      name,
      type,
      servers: servers.toSorted((a, b) => Number(b === favourite) - Number(a === favourite)),
      retryMs: deadlineMs / Math.max(2, servers.length),
      patienceMs: Math.max(patienceMs, deadlineMs),
      onReply(server, usable) {
        if (usable) favourite = server;
        options.onReply?.();
      },
    });
    startedAt.set(started, clock());
    void started.reply.then(() => startedAt.delete(started));
    return started;
  }

  return {
    query,
    close() {
      closed = true;
      for (const open of startedAt.keys()) open.stop();
    },
  };
}

function requireAddress(text: string): ServerAddress {
  const address = readServerAddress(text);
  if (address === undefined) throw new Error(`not a name server address: ${text}`);
  return address;
}
