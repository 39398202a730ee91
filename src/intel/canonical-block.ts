/** Decides the one text of an address or a CIDR block, however its publisher wrote it. */
import { hostMask } from '../address/block.ts';
import { carriesIpv4, fromWords, IPV4_CARRIER_BITS, parseIpv6Words } from '../address/ip.ts';
import { readWords } from './network-address-words.ts';

const COLON = ':';
const PREFIX = /^(?:0|[1-9]\d{0,2})$/;
/** Most IPv6 blocks of a feed: writing them again would give the same text at several times the cost. */
const SURELY_CANONICAL = /^(?:[1-9a-f][0-9a-f]{0,3}:){1,6}:$/;

const scratch = new Uint32Array(4);

/**
 * `192.0.2.7`, `192.0.2.0/24`, RFC 5952 for IPv6; `undefined` for anything else. Host bits are masked, because
 * publishers leave them in at times; IPv4-mapped and NAT64 addresses are unwrapped; a block of one address is that address.
 */
export function canonicalBlock(text: string): string | undefined {
  const slash = text.indexOf('/');
  const base = slash < 0 ? text : text.slice(0, slash);
  const prefix = slash < 0 ? undefined : text.slice(slash + 1);
  if (prefix !== undefined && !PREFIX.test(prefix)) return undefined;
  return base.includes(COLON) ? blockV6(base, prefix) : blockV4(base, prefix);
}

function blockV4(base: string, prefix: string | undefined): string | undefined {
  if (!readWords(base, 1, scratch, 0)) return undefined;
  if (prefix === undefined) return base;
  const word = scratch[0] as number;
  const bits = Number(prefix);
  // Nearly every row: taken as it is.
  return bits < 32 && kept(word, bits) === word ? `${base}/${prefix}` : write([word], bits);
}

function blockV6(base: string, prefix: string | undefined): string | undefined {
  const bits = Number(prefix ?? 128);
  // Only the rarer dotted form needs the reader that single addresses have.
  const words = base.includes('.')
    ? parseIpv6Words(base)
    : readWords(base, 4, scratch, 0)
      ? [...scratch]
      : undefined;
  if (words === undefined) return undefined;
  if (carriesIpv4(words)) {
    // Without a prefix below it, the block would be the whole IPv4 Internet: no publisher means that.
    return bits > IPV4_CARRIER_BITS ? write([words[3] as number], bits - IPV4_CARRIER_BITS) : undefined;
  }
  return write(words, bits, SURELY_CANONICAL.test(base) ? `${base}/${bits}` : undefined);
}

/** `canonical`: the result if no host bit is set, when known. */
function write(words: readonly number[], bits: number, canonical?: string): string | undefined {
  const whole = words.length * 32;
  if (bits < 0 || bits > whole) return undefined;
  if (bits === whole) return fromWords(words).text;
  const masked = words.map((word, at) => kept(word, bits - at * 32));
  if (canonical !== undefined && masked.every((word, at) => word === words[at])) return canonical;
  return `${fromWords(masked).text}/${bits}`;
}

/** The part of one word that belongs to the prefix, when `bits` of it and the words after it are the prefix. */
function kept(word: number, bits: number): number {
  return (word & ~hostMask(bits)) >>> 0;
}
