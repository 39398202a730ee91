/** Decides which name servers are asked a question, and how many questions may be open at once. */
import type { QuestionType } from './dns-message.ts';
import { type DnsQuery, startQuery } from './dns-query.ts';
import { QueryPlaces } from './dns-query-places.ts';
import { readServerAddress, type ServerAddress } from './dns-transport.ts';

export interface DnsClientOptions {
  /** `ip`, `ip:port` or `[v6]:port`; the first three are used. */
  readonly servers: readonly string[];
  /** Max. time that a caller waits for a reply; the other servers are asked within this time. */
  readonly deadlineMs: number;
  /** Max. time that a reply may take. Default 3,000. */
  readonly patienceMs?: number;
  /** Queries open at once. Default 256. */
  readonly maxInFlight?: number;
  /** Called for every reply of any server, failures included. */
  readonly onReply?: () => void;
}

/**
 * A stub resolver: the servers do the recursion, TTLs are passed on. A caller that could use all places should name a
 * tenant of its own.
 */
export interface DnsClient {
  /** Starts a query; `undefined` when too many are open, by the tenant or at all, or after `close`. */
  query(name: string, type: QuestionType, tenant?: string): DnsQuery | undefined;
  /** Waits for the tenant's turn to start a query, see `QueryPlaces`. */
  waitForTurn: QueryPlaces['wait'];
  /** Ends all queries. */
  close(): void;
}

/** The tenant of queries that name none. */
const NOBODY = '';
const MAX_WAITING = 512;
const MAX_SERVERS = 3;

/** Throws when a server is not an address. */
export function createDnsClient(options: DnsClientOptions): DnsClient {
  const { deadlineMs, patienceMs = 3_000, maxInFlight = 256 } = options;
  const servers = options.servers.slice(0, MAX_SERVERS).map(requireAddress);
  const places = new QueryPlaces({ capacity: maxInFlight, maxWaiting: MAX_WAITING });
  const open = new Set<DnsQuery>();
  let preferred = servers[0];
  let closed = false;

  function query(name: string, type: QuestionType, tenant = NOBODY): DnsQuery | undefined {
    const place = closed ? undefined : places.take(tenant, () => started.stop());
    if (place === undefined) return undefined;
    // Only a missing answer of this type counts against a signup.
    const tcpLast = type === 'MX';
    const started = startQuery({
      name,
      type,
      servers: servers.toSorted((a, b) => Number(b === preferred) - Number(a === preferred)),
      retryMs: deadlineMs / (Math.max(2, servers.length) + (tcpLast ? 1 : 0)),
      tcpLast,
      patienceMs: Math.max(patienceMs, deadlineMs),
      onReply(server, usable) {
        if (usable) preferred = server;
        options.onReply?.();
      },
    });
    open.add(started);
    const late = setTimeout(place.yield, deadlineMs).unref();
    void started.reply.then(() => {
      clearTimeout(late);
      open.delete(started);
      place.release();
    });
    return started;
  }

  return {
    query,
    waitForTurn: places.wait.bind(places),
    close() {
      closed = true;
      places.close();
      for (const started of open) started.stop();
    },
  };
}

function requireAddress(text: string): ServerAddress {
  const address = readServerAddress(text);
  if (address === undefined) throw new Error(`not a name server address: ${text}`);
  return address;
}
