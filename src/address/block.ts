/** Decides what a CIDR block is: an address, a prefix length, and the addresses from the first to the last. */
import type { IpAddress } from '../model/signup-attempt.ts';
import { carriesIpv4, fromWords, IPV4_CARRIER_BITS, parseIp, parseIpv6Words } from './ip.ts';

export interface Block {
  readonly base: IpAddress;
  readonly bits: number;
}

/**
 * Parses `address/bits`; `undefined` when malformed. Bits beyond the prefix are kept. A part of the IPv4-mapped or
 * NAT64 addresses is an IPv4 block; all of them, or more, is an IPv6 block that contains no visitor.
 */
export function parseBlock(text: string): Block | undefined {
  const [address = '', length = '', ...more] = text.split('/');
  if (more.length > 0 || !/^(?:0|[1-9]\d{0,2})$/.test(length)) return undefined;
  const words = parseIpv6Words(address);
  const bits = Number(length);
  if (words === undefined) return withinAddress(parseIp(address), bits);
  const carried = bits > IPV4_CARRIER_BITS && carriesIpv4(words);
  return carried
    ? withinAddress(fromWords(words.slice(3)), bits - IPV4_CARRIER_BITS)
    : withinAddress(fromWords(words), bits);
}

function withinAddress(base: IpAddress | undefined, bits: number): Block | undefined {
  return base === undefined || bits > base.words.length * 32 ? undefined : { base, bits };
}

/** The block with every bit beyond the prefix zero. */
export function alignBlock({ base, bits }: Block): Block {
  return { base: fromWords(maskWords(base.words, bits)), bits };
}

export function writeBlock({ base, bits }: Block): string {
  return `${base.text}/${bits}`;
}

/** The words with every bit beyond the prefix zero, unsigned. */
export function maskWords(words: readonly number[], bits: number): number[] {
  return words.map((word, at) => (word & ~hostMask(bits - at * 32)) >>> 0);
}

/** Canonical texts; of one address, itself twice. Bits beyond the prefix are ignored. */
export function readBlockRange(text: string): { first: string; last: string } | undefined {
  const trimmed = text.trim();
  if (!trimmed.includes('/')) {
    const ip = parseIp(trimmed);
    return ip === undefined ? undefined : { first: ip.text, last: ip.text };
  }
  const block = parseBlock(trimmed);
  if (block === undefined) return undefined;
  const { base, bits } = alignBlock(block);
  const last = base.words.map((word, at) => (word | hostMask(bits - at * 32)) >>> 0);
  return { first: base.text, last: fromWords(last).text };
}

/** The bits of one word that lie outside a prefix which leaves `bits` for this word and the ones after it. */
export function hostMask(bits: number): number {
  if (bits <= 0) return 0xffffffff;
  return bits >= 32 ? 0 : 0xffffffff >>> bits;
}
