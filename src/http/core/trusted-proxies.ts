/** Decides which proxies' X-Forwarded-* headers are believed about the client's address, protocol and host. */
import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { parseIp } from '../../address/ip.ts';
import { bareIp, type ReportingHeaders, realIp, reportedHops, splitList } from '../../address/reported-ip.ts';

/** `false`: no proxy is trusted; `true`: every proxy; a number of hops, counted from us; or addresses and ranges. */
export type TrustedProxies = boolean | string | number;

/** The client as it connected to the first proxy, as trusted proxies report it. */
export interface ClientOrigin {
  /** Visitor's address in canonical form; the farthest known proxy where it names nobody before it. */
  ip(request: IncomingMessage): string;
  protocol(request: IncomingMessage): string;
  /** Host with its port; empty where none was named. */
  host(request: IncomingMessage): string;
}

/** Whether an address is believed; `hop` 0 is who is connected to us. */
type IsTrusted = (address: string, hop: number) => boolean;

/** Headers that a log line names where they came; of others not even the name is told. */
const KNOWN_HEADERS = [
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'fly-client-ip',
  'cloudfront-viewer-address',
  'x-envoy-external-address',
];

/**
 * `onNoVisitor`: called once, if a trusted proxy names no visitor; with the names of known headers that came.
 * @param peer address of whoever connects, where connections have none: on a Unix socket. A TCP socket that was closed has none
 *   either, and is trusted for nothing
 */
export function createClientOrigin(
  trusted: TrustedProxies,
  onNoVisitor: (seen: readonly string[]) => void = () => {},
  peer = '',
): ClientOrigin {
  const isTrusted = createIsTrusted(trusted);
  let isTold = false;

  /** The value from the proxy that is connected to us: the last of the list. */
  function forwarded({ headers, socket }: IncomingMessage, name: string): string | undefined {
    const value = headers[name];
    if (value === undefined || value === '' || !isTrusted(socket.remoteAddress ?? peer, 0)) return undefined;
    return splitList(String(value)).at(-1)?.trim();
  }

  function tell(headers: ReportingHeaders): void {
    if (isTold) return;
    isTold = true;
    onNoVisitor(KNOWN_HEADERS.filter((name) => headers[name] !== undefined));
  }

  /** The first address from the right that is no trusted proxy. */
  function findVisitor({ headers, socket }: IncomingMessage): string {
    let nearest = bareIp(socket.remoteAddress ?? peer);
    if (nearest === undefined) return '';
    const hops = reportedHops(headers);
    let hop = 0;
    for (; isTrusted(nearest, hop) && hop < hops.length; hop += 1) {
      const before = bareIp(hops[hops.length - 1 - hop] as string);
      if (before === undefined) break;
      nearest = before;
    }
    if (hop === 0 && isTrusted(nearest, 0)) tell(headers);
    const address = parseIp(nearest);
    if (address === undefined) return nearest;
    return (hop === 0 ? address : realIp(address, headers)).text;
  }

  return {
    ip: findVisitor,
    protocol: (request) => forwarded(request, 'x-forwarded-proto') ?? 'http',
    host: (request) => forwarded(request, 'x-forwarded-host') ?? request.headers.host ?? '',
  };
}

function createIsTrusted(trusted: TrustedProxies): IsTrusted {
  if (typeof trusted === 'boolean') return () => trusted;
  if (typeof trusted === 'number') return (_address, hop) => hop < trusted;
  return proxyAddress.compile(trusted.split(',').map((range) => range.trim()));
}
