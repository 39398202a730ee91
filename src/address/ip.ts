/** Decides what an `ip` value is: a usable public address in canonical form, an ignored one, or a malformed one. */
import { isIPv4, isIPv6 } from 'node:net';
import type { IpAddress, IpStatus } from '../model/signup-attempt.ts';

export type IpReading =
  | { readonly status: 'ok'; readonly address: IpAddress }
  | { readonly status: Exclude<IpStatus, 'ok'> }
  | { readonly status: 'invalid' };

/**
 * Reads an `ip` value as a caller sent it: trims, unwraps an IPv4 address that IPv6 carries, classifies special ranges.
 * Documentation ranges count as public. Never throws.
 */
export function readIp(value: unknown): IpReading {
  if (value === undefined || value === null) return { status: 'missing' };
  if (typeof value !== 'string') return { status: 'invalid' };
  const text = value.trim();
  if (text === '') return { status: 'missing' };
  const address = parseIp(text);
  if (address === undefined) {
    return /^localhost\.?$/i.test(text) ? { status: 'ignored_localhost' } : { status: 'invalid' };
  }
  const scope = scopeOf(address);
  if (scope === 'loopback') return { status: 'ignored_loopback' };
  if (scope === 'private') return { status: 'ignored_private' };
  return { status: 'ok', address };
}

/**
 * Parses strict text forms only (no octal, hex, short or zone-suffixed ones); `undefined` when malformed.
 * IPv4-mapped and NAT64 addresses become the IPv4 address they carry.
 */
export function parseIp(text: string): IpAddress | undefined {
  // A text that passes has no other form.
  if (isIPv4(text)) return { version: 4, text, words: [readQuad(text)] };
  const words = parseIpv6Words(text);
  if (words === undefined) return undefined;
  return fromWords(carriesIpv4(words) ? [words[3] as number] : words);
}

/** The four words of an IPv6 address exactly as written; `undefined` when malformed. */
export function parseIpv6Words(text: string): number[] | undefined {
  return isIPv6(text) && !text.includes('%') ? readGroups(text) : undefined;
}

/** Length of every prefix below in bits; the IPv4 address is in the 32 that follow. */
export const IPV4_CARRIER_BITS = 96;

/** Whether the last word is an IPv4 address: IPv4-mapped (RFC 4291), NAT64 (RFC 6052) or local NAT64 (RFC 8215). */
export function carriesIpv4(words: ArrayLike<number>): boolean {
  const second = words[1] as number;
  if (words[0] === 0) return second === 0 && words[2] === 0xffff;
  if (words[0] !== NAT64_PREFIX) return false;
  // Within 64:ff9b:1::/48 each site has a /96 of its own.
  return (second === 0 && words[2] === 0) || second >>> 16 === 1;
}

/** Builds an address from one word (IPv4) or four (IPv6). */
export function fromWords(words: readonly number[]): IpAddress {
  return words.length === 1
    ? { version: 4, text: writeQuad(words[0] as number), words }
    : { version: 6, text: writeGroups(words), words };
}

/** The text that velocity counts an address by: IPv4 whole, IPv6 by its /64. */
export function networkOf(address: IpAddress): string {
  if (address.version === 4) return address.text;
  return `${writeGroups([address.words[0] as number, address.words[1] as number, 0, 0])}/64`;
}

/** Whether the address is of a range kept for documentation (RFC 5737, RFC 3849), which nobody signs up from. */
export function isDocumentation({ version, words }: IpAddress): boolean {
  const [first = 0] = words;
  if (version === 6) return first === 0x20010db8;
  const block = first >>> 8;
  return block === 0xc00002 || block === 0xc63364 || block === 0xcb0071;
}

const NAT64_PREFIX = 0x0064ff9b;
const DOT = 46;
const ZERO = 48;

type Scope = 'public' | 'private' | 'loopback';

/** [first word, prefix bits, scope]: IANA's special-purpose IPv4 registry, documentation ranges left public. */
const SPECIAL_V4: readonly (readonly [string, number, Scope])[] = [
  ['0.0.0.0', 32, 'loopback'],
  ['127.0.0.0', 8, 'loopback'],
  ['0.0.0.0', 8, 'private'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'private'],
  ['169.254.0.0', 16, 'private'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'private'],
  ['192.88.99.0', 24, 'private'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'private'],
  ['224.0.0.0', 4, 'private'],
  ['240.0.0.0', 4, 'private'],
];

const SPECIAL_V4_WORDS = SPECIAL_V4.map(([base, bits, scope]) => ({
  base: readQuad(base),
  mask: bits === 32 ? 0xffffffff : ~(0xffffffff >>> bits) >>> 0,
  scope,
}));

function scopeOf(address: IpAddress): Scope {
  if (address.version === 4) {
    const word = address.words[0] as number;
    for (const range of SPECIAL_V4_WORDS) {
      if ((word & range.mask) >>> 0 === range.base) return range.scope;
    }
    return 'public';
  }
  return scopeOfV6(address.words);
}

/** Global unicast is 2000::/3; all else is loopback, unspecified or never routed, and so are some blocks within. */
function scopeOfV6(words: readonly number[]): Scope {
  const [w0 = 0, w1 = 0, w2 = 0, w3 = 0] = words;
  if (w0 === 0 && w1 === 0 && w2 === 0 && w3 <= 1) return 'loopback';
  if (w0 >>> 29 !== 1) return 'private';
  const orchid = w0 >>> 4 === 0x2001001 || w0 >>> 4 === 0x2001002;
  const benchmarking = w0 === 0x20010002 && w1 >>> 16 === 0;
  // RFC 9637. Only the older documentation ranges count as public.
  const newDocumentation = w0 >>> 12 === 0x3fff0;
  return orchid || benchmarking || newDocumentation ? 'private' : 'public';
}

/** Reads a dotted quad that is known to be one. */
function readQuad(text: string): number {
  let word = 0;
  let part = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      word = word * 256 + part;
      part = 0;
    } else {
      part = part * 10 + code - ZERO;
    }
  }
  return word * 256 + part;
}

function writeQuad(word: number): string {
  return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`;
}

function readGroups(text: string): number[] {
  const dotted = text.lastIndexOf(':') + 1;
  let plain = text;
  if (text.includes('.')) {
    const word = readQuad(text.slice(dotted));
    plain = `${text.slice(0, dotted)}${(word >>> 16).toString(16)}:${(word & 0xffff).toString(16)}`;
  }
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right].map((group) =>
    Number.parseInt(group, 16),
  );
  return [0, 2, 4, 6].map((at) => (groups[at] as number) * 0x10000 + (groups[at + 1] as number));
}

/** RFC 5952: lower-case, no leading zeros, the first longest run of two or more zero groups as `::`. */
function writeGroups(words: readonly number[]): string {
  let start = -1;
  let length = 1;
  for (let at = 0; at < 8; at += 1) {
    let end = at;
    while (end < 8 && groupAt(words, end) === 0) end += 1;
    if (end - at > length) {
      start = at;
      length = end - at;
    }
    if (end > at) at = end;
  }
  let text = '';
  for (let at = 0; at < 8; at += 1) {
    if (at === start) {
      text += '::';
      at += length - 1;
    } else {
      if (at > 0 && at !== start + length) text += ':';
      text += groupAt(words, at).toString(16);
    }
  }
  return text;
}

function groupAt(words: readonly number[], at: number): number {
  const word = words[at >> 1] as number;
  return (at & 1) === 0 ? word >>> 16 : word & 0xffff;
}
