/** Finds the address that a request came from, only in text that trusted proxies wrote, never in text that the client could have written. */
import { OptionsError } from './errors.ts';
import { splitForwarded, splitForwardedFor, unquote } from './forwarded.ts';
import {
  type IpAddress,
  type IpRange,
  isInRange,
  isPseudoIpv4,
  parseIpAddress,
  parseIpRange,
  unwrapNat64,
} from './ip-address.ts';
import { type AddressSource, PROXY_PRESETS, type ProxyPreset } from './proxy-presets.ts';
import { type RequestLike, readHeader } from './request-headers.ts';
import { type HintKind, warnOnce } from './warn-once.ts';

export { type FetchHeaders, type RequestLike, readHeader } from './request-headers.ts';

/**
 * Proxies that are trusted to say where a request came from.
 * - a name (`'cloudflare'`, `'vercel'`, `'fly'`, `'aws-alb'`, `'aws-cloudfront'`, `'nginx'`): the header of that proxy;
 * - a number: so many proxies of yours append to `X-Forwarded-For`, or to `Forwarded` where they send no `X-Forwarded-For`;
 * - a list of addresses, CIDR blocks, `'loopback'` and `'private'`: proxies by their address, which needs the peer's;
 * - `{ header }`: a header that your proxy overwrites;
 * - `{ header, proxies }`: a header that your proxies append to, `X-Forwarded-For` or `Forwarded`, and no other.
 */
export type TrustedProxies = ProxyPreset | AppendingProxies | OverwrittenHeader | AppendedHeader;

/** A number of proxies, or their addresses. */
export type AppendingProxies = number | readonly string[];

export interface OverwrittenHeader {
  readonly header: string;
  readonly proxies?: undefined;
}

export interface AppendedHeader {
  readonly header: string;
  readonly proxies: AppendingProxies;
}

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

const APPENDED_HEADERS = ['x-forwarded-for', 'forwarded'] as const;
type AppendedName = (typeof APPENDED_HEADERS)[number];
/** RFC 9110, section 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
const PSEUDO_IPV4_TWIN = 'cf-connecting-ipv6';
/** Headers that a hint names where they came; of others not even the name is told. */
const KNOWN_HEADERS = [
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  PSEUDO_IPV4_TWIN,
  'x-vercel-forwarded-for',
  'fly-client-ip',
  'cloudfront-viewer-address',
  'fastly-client-ip',
  'x-azure-clientip',
  'x-envoy-external-address',
  'do-connecting-ip',
  'x-appengine-user-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-nf-client-connection-ip',
];

/**
 * Finds the IP of the visitor. Mistakes of the set-up are reported on the console, once in a process, with names of headers alone.
 * @returns the address in canonical form; `null` where no trusted party names it. Gatehouse then scores the email alone.
 * @throws OptionsError when `trustedProxies` has an entry that is neither an address nor a block nor a name
 */
export function clientIp(request: RequestLike, options: ClientIpOptions = {}): string | null {
  const { address, hint } = findAddress(request, options);
  if (hint !== null) warnOnce(hint, hintText(hint, request));
  return address?.text ?? null;
}

/** @throws OptionsError as `clientIp` does */
export function checkTrustedProxies(trustedProxies: TrustedProxies | undefined): void {
  findAddress({ headers: {} }, { trustedProxies });
}

interface Found {
  readonly address: IpAddress | null;
  readonly hint: HintKind | null;
}

function findAddress(request: RequestLike, options: ClientIpOptions): Found {
  const { trustedProxies } = options;
  const given: unknown = options.peer ?? peerOf(request);
  const peer = typeof given === 'string' ? parseIpAddress(given) : null;
  if (trustedProxies === undefined) return { address: peer && unwrapNat64(peer), hint: null };
  const found = findTrusted(request, peer, trustedProxies);
  const address = found && unwrapNat64(found);
  if (address === null) return { address, hint: 'no_address' };
  if (isPseudoIpv4(address) && found !== peer) return findIpv6Twin(request, address);
  return { address, hint: found === peer && isOneOf(trustedProxies, address) ? 'proxy_address' : null };
}

/** The visitor's real address behind Cloudflare's made-up one, which nobody but Cloudflare writes: nobody comes from class E. */
function findIpv6Twin(request: RequestLike, pseudo: IpAddress): Found {
  const twin = agreedAddress(readHeader(request, PSEUDO_IPV4_TWIN));
  return twin?.bytes.length === 16 ? { address: twin, hint: null } : { address: pseudo, hint: 'pseudo_ipv4' };
}

function findTrusted(
  request: RequestLike,
  peer: IpAddress | null,
  trusted: TrustedProxies,
): IpAddress | null {
  if (typeof trusted === 'number' || isList(trusted)) return past(trusted, peer, readAppended(request));
  if (typeof trusted === 'object' && trusted?.proxies !== undefined) {
    const name = readName(trusted.header);
    if (!isAppendedName(name))
      throw new OptionsError(
        'invalid_options',
        'trustedProxies: proxies append to X-Forwarded-For or Forwarded.',
      );
    return past(trusted.proxies, peer, splitHeader(name, readHeader(request, name)));
  }
  const source = sourceOf(trusted as ProxyPreset | OverwrittenHeader);
  if ('hops' in source) return past(source.hops, peer, readAppended(request));
  const value = readHeader(request, source.header);
  // Several proxies append to this one: the nearest wrote the last element.
  if (source.header === 'forwarded') return past(1, peer, splitHeader('forwarded', value));
  return agreedAddress(
    source.hasPort === true ? (value?.replace(/:\d{1,5}(?=\s*(?:,|$))/g, '') ?? null) : value,
  );
}

/** Whether an address is that of a proxy itself. */
function isOneOf(trusted: TrustedProxies, address: IpAddress): boolean {
  const proxies = typeof trusted === 'object' && !isList(trusted) ? trusted.proxies : trusted;
  return isList(proxies) && readRanges(proxies).some((range) => isInRange(address, range));
}

function isList(trusted: unknown): trusted is readonly string[] {
  return Array.isArray(trusted);
}

/** The address in a header that a proxy overwrites. `null` where it came several times and differs: somebody else wrote one of them. */
function agreedAddress(value: string | null): IpAddress | null {
  const texts = (value ?? '').split(',').map(unquote);
  const addresses = texts.filter((text) => text !== '').map(parseIpAddress);
  const [first = null] = addresses;
  return addresses.every((address) => address?.text === first?.text) ? first : null;
}

/** `X-Forwarded-For`, which nearly all proxies write; `Forwarded` only where it is absent or empty. */
function readAppended(request: RequestLike): string[] {
  for (const name of APPENDED_HEADERS) {
    const hops = splitHeader(name, readHeader(request, name));
    if (hops.length > 0) return hops;
  }
  return [];
}

function splitHeader(name: AppendedName, value: string | null): string[] {
  if (value === null) return [];
  return name === 'forwarded' ? splitForwarded(value) : splitForwardedFor(value);
}

function isAppendedName(name: string): name is AppendedName {
  return (APPENDED_HEADERS as readonly string[]).includes(name);
}

function sourceOf(trusted: ProxyPreset | OverwrittenHeader): AddressSource {
  if (typeof trusted === 'object') return { header: readName(trusted?.header) };
  if (Object.hasOwn(PROXY_PRESETS, trusted)) return PROXY_PRESETS[trusted];
  throw unknownProxies(trusted);
}

function readName(header: unknown): string {
  if (typeof header === 'string' && HEADER_NAME.test(header)) return header.toLowerCase();
  throw new OptionsError('invalid_options', 'trustedProxies: the name of a header.');
}

function unknownProxies(trusted: unknown): OptionsError {
  return new OptionsError('invalid_options', `trustedProxies: ${JSON.stringify(trusted)} is not known.`);
}

/** The address before the trusted proxies. @param forwarded what they appended, the nearest one last */
function past(
  trusted: AppendingProxies,
  peer: IpAddress | null,
  forwarded: readonly string[],
): IpAddress | null {
  if (isList(trusted)) return nearestUntrusted(peer, forwarded, readRanges(trusted));
  if (!Number.isSafeInteger(trusted) || trusted < 0) throw unknownProxies(trusted);
  return trusted === 0 ? peer : parseIpAddress(forwarded[forwarded.length - trusted] ?? '');
}

/** The first address from the right that is no proxy of ours; the farthest one if all are. */
function nearestUntrusted(
  peer: IpAddress | null,
  forwarded: readonly string[],
  ranges: readonly IpRange[],
): IpAddress | null {
  let nearest = peer;
  for (let at = forwarded.length - 1; nearest !== null && at >= 0; at -= 1) {
    const address = nearest;
    if (!ranges.some((range) => isInRange(address, range))) break;
    nearest = parseIpAddress(forwarded[at] as string);
  }
  return nearest;
}

function peerOf(request: RequestLike): string | undefined {
  return 'socket' in request ? request.socket?.remoteAddress : undefined;
}

function hintText(hint: HintKind, request: RequestLike): string {
  const seen = KNOWN_HEADERS.filter((name) => readHeader(request, name) !== null);
  const names =
    seen.length === 0 ? 'none of the usual headers came' : `headers that came: ${seen.join(', ')}`;
  if (hint === 'pseudo_ipv4')
    return `Cloudflare sent a made-up IPv4 address (240.0.0.0/4) without Cf-Connecting-IPv6: visitors with IPv6 are assessed without their address. Turn "Pseudo IPv4" off at Cloudflare (${names})`;
  if (hint === 'proxy_address')
    return `trustedProxies is set, but a request names no visitor before the proxies: the address of the connection is assessed (${names})`;
  return `trustedProxies is set, but no trusted proxy named the visitor's address: signups are assessed without it (${names})`;
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
