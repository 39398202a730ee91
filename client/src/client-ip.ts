/** Finds the address that a request came from, only in text that trusted proxies wrote, never in text that the client could have written. */
import { OptionsError } from './errors.ts';
import { type IpAddress, type IpRange, isInRange, parseIpAddress, parseIpRange } from './ip-address.ts';
import { type AddressSource, PROXY_PRESETS, type ProxyPreset } from './proxy-presets.ts';

/** Headers of Fetch. */
export interface FetchHeaders {
  get(name: string): string | null;
}

/** A request of Node.js (`IncomingMessage`), of Fetch (`Request`), or headers alone. */
export type RequestLike =
  | FetchHeaders
  | {
      readonly headers: FetchHeaders | Readonly<Record<string, string | readonly string[] | undefined>>;
      readonly socket?: { readonly remoteAddress?: string | undefined } | null | undefined;
    };

/**
 * Who is trusted to say where a request came from.
 * - a name (`'cloudflare'`, `'vercel'`, `'fly'`, `'aws-alb'`, `'aws-cloudfront'`, `'nginx'`): the header of that proxy;
 * - a number: so many proxies of yours append to `X-Forwarded-For`;
 * - a list of addresses, CIDR blocks, `'loopback'` and `'private'`: proxies by their address, which needs the peer's;
 * - `{ header }`: a header that your proxy overwrites.
 */
export type TrustedProxies = ProxyPreset | number | readonly string[] | { readonly header: string };

export interface ClientIpOptions {
  /** Default: nobody, so the address is the connection's peer. */
  readonly trustedProxies?: TrustedProxies | undefined;
  /** The connection's peer, where the request does not know it. Default: `request.socket.remoteAddress`. */
  readonly peer?: string | null | undefined;
}

const NAMED_RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  private: [
    '127.0.0.0/8',
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '169.254.0.0/16',
    '100.64.0.0/10',
    '::1',
    'fc00::/7',
    'fe80::/10',
  ],
};

/**
 * @returns the address in canonical form; `null` where no trusted party names it. Gatehouse then scores the email alone.
 * @throws OptionsError when `trustedProxies` has an entry that is neither an address nor a block nor a name
 */
export function clientIp(request: RequestLike, options: ClientIpOptions = {}): string | null {
  const { trustedProxies } = options;
  const peer = parseIpAddress(options.peer ?? peerOf(request) ?? '');
  if (trustedProxies === undefined) return peer?.text ?? null;
  if (Array.isArray(trustedProxies))
    return nearestUntrusted(peer, forwardedFor(request), readRanges(trustedProxies));
  const source = sourceOf(trustedProxies as Exclude<TrustedProxies, readonly string[]>);
  if ('hops' in source) return addressAfter(source.hops, peer, forwardedFor(request));
  const value = readHeader(request, source.header) ?? '';
  const address = source.hasPort === true ? value.replace(/:\d{1,5}$/, '') : value;
  return parseIpAddress(address)?.text ?? null;
}

/** A header of either kind of request; several of one name are joined by commas. */
export function readHeader(request: RequestLike, name: string): string | null {
  const headers = 'headers' in request ? request.headers : request;
  if (typeof headers.get === 'function') return (headers as FetchHeaders).get(name);
  const value = (headers as Readonly<Record<string, string | readonly string[] | undefined>>)[name];
  return typeof value === 'string' ? value : (value?.join(',') ?? null);
}

function sourceOf(trusted: ProxyPreset | number | { readonly header: string }): AddressSource {
  if (typeof trusted === 'object') return { header: trusted.header.toLowerCase() };
  if (typeof trusted === 'number') {
    if (Number.isSafeInteger(trusted) && trusted >= 0) return { hops: trusted };
  } else if (Object.hasOwn(PROXY_PRESETS, trusted)) return PROXY_PRESETS[trusted];
  throw new OptionsError('invalid_options', `trustedProxies: ${JSON.stringify(trusted)} is not known.`);
}

/** The first address from the right that is no proxy of ours; the farthest one if all are. */
function nearestUntrusted(
  peer: IpAddress | null,
  forwarded: readonly string[],
  ranges: readonly IpRange[],
): string | null {
  let nearest = peer;
  for (let at = forwarded.length - 1; nearest !== null && at >= 0; at -= 1) {
    const address = nearest;
    if (!ranges.some((range) => isInRange(address, range))) break;
    nearest = parseIpAddress(forwarded[at] as string);
  }
  return nearest?.text ?? null;
}

/** Each of `hops` proxies appended the address it was reached from; the nearest one is the peer and appended the last. */
function addressAfter(hops: number, peer: IpAddress | null, forwarded: readonly string[]): string | null {
  if (hops === 0) return peer?.text ?? null;
  return parseIpAddress(forwarded[forwarded.length - hops] ?? '')?.text ?? null;
}

function forwardedFor(request: RequestLike): string[] {
  return readHeader(request, 'x-forwarded-for')?.split(',') ?? [];
}

function peerOf(request: RequestLike): string | undefined {
  return 'socket' in request ? request.socket?.remoteAddress : undefined;
}

function readRanges(names: readonly string[]): IpRange[] {
  return names
    .flatMap((name) => NAMED_RANGES[name] ?? name)
    .map((text) => {
      const range = parseIpRange(text);
      if (range === null)
        throw new OptionsError(
          'invalid_options',
          `trustedProxies: "${text}" is not an address, CIDR block or name.`,
        );
      return range;
    });
}
