/** Decides what a CIDR block is: an address, a prefix length, and nothing beyond the prefix. */
import { fromWords, type IpAddress, parseIp } from '../../address/ip.ts';

export interface Block {
  readonly base: IpAddress;
  readonly bits: number;
}

/** Parses `address/bits`, IPv4-mapped IPv6 as IPv4; `undefined` when malformed. Bits beyond the prefix are kept. */
export function parseBlock(text: string): Block | undefined {
  const [address = '', length = '', ...more] = text.split('/');
  const base = parseIp(address);
  if (base === undefined || more.length > 0 || !/^(?:0|[1-9]\d{0,2})$/.test(length)) return undefined;
  const bits = Number(length) - (base.version === 4 && address.includes(':') ? 96 : 0);
  return bits < 0 || bits > base.words.length * 32 ? undefined : { base, bits };
}

/** The same block with every bit beyond the prefix zero. */
export function alignBlock({ base, bits }: Block): Block {
  return { base: fromWords(maskWords(base.words, bits)), bits };
}

export function writeBlock({ base, bits }: Block): string {
  return `${base.text}/${bits}`;
}

/** The words with every bit beyond the prefix zero, unsigned. */
export function maskWords(words: readonly number[], bits: number): number[] {
  return words.map((word, at) => {
    const kept = bits - at * 32;
    if (kept >= 32) return word;
    return kept <= 0 ? 0 : (word & ~(0xffffffff >>> kept)) >>> 0;
  });
}
