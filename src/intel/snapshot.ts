/** Decides how a snapshot file answers questions: every table is viewed in place, nothing is unpacked ahead. */
import { readFile } from 'node:fs/promises';
import type { IpAddress } from '../address/ip.ts';
import type { SnapshotMeta } from './compile.ts';
import { openDomainTable } from './domains/domain-table.ts';
import { type Container, decodeContainer } from './file/container.ts';
import type { DomainKnowledge, Hit, Intel, NetworkKnowledge } from './intel.ts';
import { openNetworkTable } from './networks/network-table.ts';
import type { RangeIndex } from './networks/range-index.ts';
import { FACTS, type Fact, type SourceInfo } from './sources.ts';
import { createTruth, type Truth } from './truth.ts';

/** @throws SnapshotError when the file is not a whole snapshot of this format */
export async function openSnapshot(file: string | URL): Promise<Intel> {
  return readSnapshot(await readFile(file));
}

/** Keeps viewing `bytes`, which must stay unchanged. @throws SnapshotError */
export function readSnapshot(bytes: Uint8Array): Intel {
  const container = decodeContainer<SnapshotMeta>(bytes);
  const { sources } = container.meta;
  const roles = openWords(container, 'word.role');
  const topLevels = openWords(container, 'word.tld');
  return Object.freeze({
    id: container.id,
    sources: Object.freeze(sources.map((source) => Object.freeze(source))),
    domain: createDomainLookup(container),
    network: createNetworkLookup(container),
    isTopLevel: (label: string) => topLevels.has(label),
    isRole(local: string) {
      const tag = local.indexOf('+');
      return roles.has(tag < 0 ? local : local.slice(0, tag));
    },
  });
}

const NO_HITS: readonly Hit[] = Object.freeze([]);
const UNLISTED: DomainKnowledge = Object.freeze({
  disposable: false,
  relay: false,
  spam: false,
  consumer: false,
  hits: NO_HITS,
});

function createDomainLookup(container: Container<SnapshotMeta>): Intel['domain'] {
  const table = openDomainTable(container);
  const verdicts = openVerdicts(container, (_, claims) => claims);
  return (name) => {
    const entry = table.find(name);
    if (entry < 0) return UNLISTED;
    const { facts, sources } = verdicts[table.holdsOf(entry)] as Verdict;
    const listed = name.slice(name.length - table.lengthOf(entry));
    return {
      disposable: facts.disposable,
      relay: facts.relay,
      spam: facts.spam,
      consumer: facts.consumer,
      hits: sources.map(({ id, says }) => ({ fact: says, source: id, entry: listed })),
    };
  };
}

const NAT64_PREFIX = 0x0064ff9b;

function createNetworkLookup(container: Container<SnapshotMeta>): Intel['network'] {
  const table = openNetworkTable(container);
  const verdicts = openVerdicts(container, (truth, claims) => truth.settle(claims));

  const hitsAt = (sources: readonly SourceInfo[], asn: number, index: RangeIndex, piece: number): Hit[] =>
    sources.map(({ id, says, entryKind }) => ({
      fact: says,
      source: id,
      entry: entryKind === 'asn' ? `AS${asn}` : index.boundsOf(piece),
    }));

  return (ip): NetworkKnowledge => {
    const words = publicWords(ip);
    const index = words.length === 1 ? table.v4 : table.v6;
    const piece = index.find(words);
    const value = index.valueOf(piece);
    const { facts, sources } = verdicts[table.claims(value)] as Verdict;
    const asn = table.asn(value);
    return {
      tor: facts.tor,
      vpn: facts.vpn,
      proxy: facts.proxy,
      relay: facts.relay,
      datacenter: facts.datacenter,
      abuseScore: table.abuse(value),
      countryCode: table.countryCode(value),
      country: table.country(value),
      asn,
      asName: table.asName(value),
      hits: sources.length === 0 ? NO_HITS : hitsAt(sources, asn, index, piece),
    };
  };
}

/** An IPv4 address that came through NAT64 (64:ff9b::/96) is looked up as itself. */
function publicWords({ version, words }: IpAddress): readonly number[] {
  const throughNat64 = version === 6 && words[0] === NAT64_PREFIX && words[1] === 0 && words[2] === 0;
  return throughNat64 ? words.slice(3) : words;
}

/** What one combination of sources comes to. */
interface Verdict {
  readonly facts: Readonly<Record<Fact, boolean>>;
  readonly sources: readonly SourceInfo[];
}

/** One verdict for each mask of the snapshot's table, by number. */
function openVerdicts(
  container: Container<SnapshotMeta>,
  holding: (truth: Truth, claims: bigint) => bigint,
): Verdict[] {
  const truth = createTruth(container.meta.sources);
  const words = container.u32('masks');
  return Array.from({ length: words.length / 2 }, (_, number) => {
    const claims = BigInt(words[number * 2] as number) | (BigInt(words[number * 2 + 1] as number) << 32n);
    const holds = holding(truth, claims);
    const sources = container.meta.sources.filter((_, bit) => (holds >> BigInt(bit)) & 1n);
    const said = FACTS.map((fact) => [fact, sources.some(({ says }) => says === fact)]);
    return { sources, facts: Object.fromEntries(said) as Record<Fact, boolean> };
  });
}

function openWords(container: Container<SnapshotMeta>, section: string): ReadonlySet<string> {
  const text = Buffer.from(container.u8(section)).toString('utf8');
  return new Set(text.split('\n').filter((word) => word !== ''));
}
