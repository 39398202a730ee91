/** Decides what a reply to an MX query says about a domain's mail, and how long the answer may be used. */
import type { MailExchange } from '../model/evidence.ts';
import type { DnsReply } from './dns-reply.ts';

export interface MailAnswer {
  readonly value: MailExchange;
  /** 0: must not be remembered. */
  readonly ttlMs: number;
}

const MAX_HOSTS = 10;
const POSITIVE_SECONDS = 24 * 3_600;
const NEGATIVE_SECONDS = 3 * 3_600;

/** Two labels at least, the last not a number: leaves out addresses, bare names and text that is no name. */
const HOST_NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Names that lead nowhere outside the machine or network that uses them. */
const LOCAL_NAME = /\.(?:localhost|localdomain|local|invalid)$/;

/** `undefined` when the reply proves nothing. */
export function readMailAnswer(reply: DnsReply): MailAnswer | undefined {
  switch (reply.status) {
    case 'records':
      return { value: readExchanges(reply), ttlMs: clampMs(reply.ttlSeconds, POSITIVE_SECONDS) };
    case 'no_records':
      return { value: { status: 'none', hosts: [] }, ttlMs: clampMs(reply.ttlSeconds, NEGATIVE_SECONDS) };
    case 'no_domain':
      return {
        value: { status: 'no_domain', hosts: [] },
        ttlMs: clampMs(reply.ttlSeconds, NEGATIVE_SECONDS),
      };
    default:
      return undefined;
  }
}

/** Sorted by preference, then by name, since servers rotate records of the same preference. */
function readExchanges(reply: DnsReply): MailExchange {
  const exchanges = reply.records.flatMap((record) =>
    record.type === 'MX'
      ? [{ preference: record.data.preference ?? 0, host: record.data.exchange.toLowerCase() }]
      : [],
  );
  if (exchanges.every(({ host }) => host === '.')) return { status: 'null_mx', hosts: [] };
  const usable = exchanges
    .filter(({ host }) => isUsable(host))
    .sort((a, b) => a.preference - b.preference || (a.host < b.host ? -1 : 1));
  const hosts = [...new Set(usable.map(({ host }) => host))].slice(0, MAX_HOSTS);
  return { status: hosts.length > 0 ? 'valid' : 'none', hosts };
}

function isUsable(host: string): boolean {
  return host.length <= 253 && HOST_NAME.test(host) && !LOCAL_NAME.test(host);
}

function clampMs(seconds: number, maxSeconds: number): number {
  return Math.min(seconds, maxSeconds) * 1_000;
}
