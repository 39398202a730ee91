/** Decides by which values the list entries for a pasted text are looked up: theirs, and those of all that they lie in. */
import { alignBlock, parseBlock, writeBlock } from '../address/block.ts';
import { parseIp } from '../address/ip.ts';
import type { ListSearch } from '../store/store.ts';
import type { FoundText } from './dashboard-find-text.ts';

export function toListSearch(
  { words, email, domain, ip, asn }: FoundText,
  hashesOf: (address: string) => { readonly address: readonly string[]; readonly mailbox: readonly string[] },
): ListSearch {
  const hashes = email === undefined ? undefined : hashesOf(email);
  const values = [
    ...(hashes?.address ?? []),
    ...(hashes?.mailbox ?? []),
    ...(domain === undefined ? [] : withParents(domain)),
    ...(ip === undefined ? [] : withBlocks(ip)),
    ...(asn === undefined ? [] : [`AS${asn}`]),
  ];
  // A hash has no beginning that anybody types.
  const prefixes = email === undefined ? new Set([words.toLowerCase(), words.toUpperCase()]) : [];
  return { values, prefixes: [...prefixes] };
}

/** `a.example.com` → itself, `example.com`, `com`. */
function withParents(domain: string): string[] {
  const labels = domain.split('.');
  return labels.map((_, at) => labels.slice(at).join('.'));
}

/** An address or a block, and every block that contains it. */
function withBlocks(ip: string): string[] {
  const address = parseIp(ip);
  const bits = address === undefined ? undefined : address.words.length * WORD_BITS;
  const block = address === undefined ? parseBlock(ip) : { base: address, bits: bits as number };
  if (block === undefined) return [];
  const lengths = Array.from({ length: block.bits + 1 }, (_, length) => length);
  return [ip, ...lengths.map((length) => writeBlock(alignBlock({ base: block.base, bits: length })))];
}

const WORD_BITS = 32;
