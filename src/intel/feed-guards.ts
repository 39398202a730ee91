/** Decides what no feed may accuse, and what no ranking may rank high: mail providers, throw-away services, public resolvers, access networks, and ranges that are not public. */
import { readFileSync } from 'node:fs';
import { withParents } from '../address/domain.ts';
import { expandGroups, readLines } from '../platform/text-lines.ts';
import { readWords } from './network-address-words.ts';

export interface Guards {
  /** Whether a domain is guarded, or a parent of one that is. */
  isDomain(name: string): boolean;
  /** Whether a name is a throw-away service that everybody knows. */
  isThrowAway(name: string): boolean;
  /** Whether a name is a large organisation's. */
  isLarge(name: string): boolean;
  /** A guarded address that lies within an address or a block. */
  addressWithin(entry: string): string | undefined;
  /** Whether `AS64500` is a guarded network. */
  isNetwork(entry: string): boolean;
  /** The special-purpose range that an address or a block touches. */
  specialRange(entry: string): string | undefined;
}

/** Reads Gatehouse's own files. Disputed providers are those that good lists report too. */
export function readGuards(): Guards {
  const large = new Set(own('guard-domains.txt'));
  const throwAway = new Set(own('disposable-services.txt'));
  const domains = new Set([...large, ...own('consumer.txt'), ...own('consumer-families.txt')]);
  for (const disputed of own('guard-disputed.txt')) domains.delete(disputed);
  const names = new Set([...domains].flatMap((name) => [...withParents(name)]));
  const networks = new Set(own('guard-asns.txt').map((line) => line.split(/\s/, 1)[0]));
  const special = spansOf(own('special-ranges.txt'));
  const addresses = spansOf(own('guard-addresses.txt'));
  return {
    isDomain: (name) => names.has(name),
    isThrowAway: (name) => throwAway.has(name),
    isLarge: (name) => large.has(name),
    isNetwork: (entry) => networks.has(entry),
    addressWithin: (entry) => touching(addresses, entry),
    specialRange: (entry) => touching(special, entry) ?? beyondUnicast(entry),
  };
}

function own(file: string): string[] {
  const lines = readLines(readFileSync(new URL(`./data/${file}`, import.meta.url), 'utf8'));
  return [...lines].flatMap(expandGroups);
}

/** An entry by its first and last address. */
interface Span {
  readonly entry: string;
  readonly first: bigint;
  readonly last: bigint;
}

interface Spans {
  readonly v4: readonly Span[];
  readonly v6: readonly Span[];
}

function spansOf(entries: Iterable<string>): Spans {
  const all = [...entries].map((entry) => ({ entry, ...bounds(entry) }));
  return {
    v4: all.filter(({ entry }) => !entry.includes(':')),
    v6: all.filter(({ entry }) => entry.includes(':')),
  };
}

function touching(spans: Spans, entry: string): string | undefined {
  const { first, last } = bounds(entry);
  const same = entry.includes(':') ? spans.v6 : spans.v4;
  return same.find((span) => span.first <= last && first <= span.last)?.entry;
}

/** Only 2000::/3 is handed out to networks. */
function beyondUnicast(entry: string): string | undefined {
  return entry.includes(':') && bounds(entry).first >> 125n !== 1n ? 'what is outside 2000::/3' : undefined;
}

const words = new Uint32Array(4);

/** @throws when the text is not an address or block: a parsed feed has no such entries */
function bounds(entry: string): { first: bigint; last: bigint } {
  const slash = entry.indexOf('/');
  const address = slash < 0 ? entry : entry.slice(0, slash);
  const width = address.includes(':') ? 4 : 1;
  if (!readWords(address, width, words, 0)) throw new Error(`not an address: ${entry}`);
  let first = 0n;
  for (let at = 0; at < width; at += 1) first = (first << 32n) | BigInt(words[at] as number);
  const free = BigInt(width * 32 - (slash < 0 ? width * 32 : Number(entry.slice(slash + 1))));
  return { first, last: first | ((1n << free) - 1n) };
}
