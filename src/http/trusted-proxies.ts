/** Decides which proxies' X-Forwarded-* headers are believed about the client's address, protocol and host. */
import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';

/** `false`: no proxy is trusted; `true`: every proxy; a number of hops, counted from us; or addresses and ranges. */
export type TrustedProxies = boolean | string | number;

/** The client as it connected to the first proxy, as trusted proxies report it. */
export interface ClientOrigin {
  ip(request: IncomingMessage): string;
  protocol(request: IncomingMessage): string;
  /** With its port; empty where none was named. */
  host(request: IncomingMessage): string;
}

/** Whether an address is believed; `hop` 0 is who is connected to us. */
type IsTrusted = (address: string, hop: number) => boolean;

export function createClientOrigin(trusted: TrustedProxies): ClientOrigin {
  const isTrusted = createIsTrusted(trusted);

  /** The value from the proxy that is connected to us: the last of the list. */
  function forwarded({ headers, socket }: IncomingMessage, name: string): string | undefined {
    const value = headers[name];
    if (value === undefined || value === '' || !isTrusted(socket.remoteAddress ?? '', 0)) return undefined;
    return String(value).split(',').at(-1)?.trim();
  }

  return {
    ip: (request) => proxyAddress(request, isTrusted) ?? '',
    protocol: (request) => forwarded(request, 'x-forwarded-proto') ?? 'http',
    host: (request) => forwarded(request, 'x-forwarded-host') ?? request.headers.host ?? '',
  };
}

function createIsTrusted(trusted: TrustedProxies): IsTrusted {
  if (typeof trusted === 'boolean') return () => trusted;
  if (typeof trusted === 'number') return (_address, hop) => hop < trusted;
  return proxyAddress.compile(trusted.split(',').map((range) => range.trim()));
}
