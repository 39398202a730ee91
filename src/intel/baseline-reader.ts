/** Decides what each bundled source claims: reads its files and keeps the entries that can be believed. */
import { readFileSync } from 'node:fs';
import type { SourceInfo } from '../model/source.ts';
import { isCountry } from '../platform/country-names.ts';
import { expandGroups, readAsns, readCsv, readLines } from '../platform/text-lines.ts';
import { filesOf, loadModule, readOwnFile, versionOf } from './baseline-files.ts';
import { createDomainReader, createSharedSuffixes, type DomainReader } from './domain-name.ts';
import { NetworkClaims, type NetworkLabel } from './network-claims.ts';
import type { SnapshotContent } from './snapshot-content.ts';
import { BASELINE_SOURCES, type BaselineSource, OWN_ORIGIN } from './sources.ts';

export interface BaselineOptions {
  /**
   * Range → country in place of the bundled files: CSV `first,last,CC`, IPv4 or IPv6. Their publisher moves
   * them from npm to GitHub releases.
   */
  readonly countryFiles?: readonly string[];
  /** Default: all that are bundled. */
  readonly sources?: readonly BaselineSource[];
}

/** @throws when a package is missing or a file does not have the expected form */
export function readBaseline({
  countryFiles,
  sources: bundled = BASELINE_SOURCES,
}: BaselineOptions = {}): SnapshotContent {
  const rows = bundled.map((row) => ({
    row,
    files: row.category === 'country' && countryFiles !== undefined ? countryFiles : filesOf(row),
  }));
  const topLevels = new Set(
    rows.filter(({ row }) => row.category === 'tld').flatMap(({ row, files }) => words(row, files)),
  );
  const reader = createDomainReader(topLevels);
  const draft = new BaselineDraft(reader);
  const sources = rows.map(({ row, files }, place) => describe(row, draft.add(row, files, place)));
  draft.addSpecialRanges();
  const { domains, roles, institutions, networks, asNames, asnClaims } = draft;
  const suffixes = createSharedSuffixes(new Set());
  const isShared = (name: string) => suffixes.suffixOf(name) === name;
  const wildcards = new Map<string, bigint>();
  const names = { domains, wildcards, isShared, topLevels, institutions };
  return { sources, ...names, roles, networks, asNames, asnClaims };
}

class BaselineDraft {
  readonly domains = new Map<string, bigint>();
  readonly roles = new Set<string>();
  readonly institutions = new Set<string>();
  readonly networks = new NetworkClaims();
  readonly asNames = new Map<number, string>();
  readonly asnClaims = new Map<number, bigint>();
  private readonly reader: DomainReader;

  constructor(reader: DomainReader) {
    this.reader = reader;
  }

  /** Reads the source at a place in the snapshot's table and returns how many of its entries were accepted. */
  add(row: BaselineSource, files: readonly string[], place: number): number {
    const bit = 1n << BigInt(place);
    if (row.entryKind === 'domain') return this.addDomains(words(row, files), bit);
    if (row.category === 'role') return addWords(this.roles, words(row, files));
    if (row.category === 'known') return addWords(this.institutions, words(row, files));
    if (row.category === 'tld' || row.category === 'mistyped') return new Set(words(row, files)).size;
    if (row.entryKind === 'asn') return this.addAsns(files, bit);
    if (row.format === 'lines') return this.addBlocks(words(row, files), place);
    if (row.category === 'asn') return readRanges(files, this.networks, this.toAsLabel);
    return readRanges(files, this.networks, (country) => (isCountry(country) ? { country } : undefined));
  }

  private readonly toAsLabel = (number: string, name: string): NetworkLabel => {
    const asn = readAsn(number);
    this.asNames.set(asn, name);
    return { asn };
  };

  /** CIDR blocks about which no source may claim anything. */
  addSpecialRanges(): void {
    const label = this.networks.label({ special: true });
    for (const block of readLines(readOwnFile('data/special-ranges.txt'))) {
      if (!this.networks.addBlock(block, label)) throw new Error(`not an address block: ${block}`);
    }
  }

  private addDomains(entries: readonly string[], bit: bigint): number {
    const names = new Set(
      entries.map((entry) => this.reader.read(entry)).filter((name) => name !== undefined),
    );
    for (const name of names) this.domains.set(name, (this.domains.get(name) ?? 0n) | bit);
    return names.size;
  }

  private addBlocks(blocks: readonly string[], source: number): number {
    const label = this.networks.label({ source });
    for (const block of blocks)
      if (!this.networks.addBlock(block, label)) throw new Error(`not an address block: ${block}`);
    return blocks.length;
  }

  private addAsns(files: readonly string[], bit: bigint): number {
    const entries = files.flatMap((file) => [...readAsns(readFileSync(file, 'utf8'))]);
    for (const { asn } of entries) this.asnClaims.set(asn, (this.asnClaims.get(asn) ?? 0n) | bit);
    return entries.length;
  }
}

function addWords(known: Set<string>, entries: readonly string[]): number {
  for (const entry of entries) known.add(entry);
  return new Set(entries).size;
}

/** The lower-case entries of a list, without the ones that are not believed. */
function words({ format, except }: BaselineSource, files: readonly string[]): string[] {
  const excluded = new Set(except === undefined ? [] : readLines(readOwnFile(except)));
  return files
    .flatMap((file) => readList(format, file))
    .map((entry) => entry.toLowerCase())
    .filter((entry) => !excluded.has(entry));
}

function readList(format: BaselineSource['format'], file: string): string[] {
  if (format === 'module') return loadModule(file);
  const text = readFileSync(file, 'utf8');
  return format === 'json' ? (JSON.parse(text) as string[]) : [...readLines(text)].flatMap(expandGroups);
}

function describe(row: BaselineSource, entries: number): SourceInfo {
  const { id, category, entryKind, vouched = false, family, collection, licence } = row;
  const origin = row.package === undefined ? `${OWN_ORIGIN}${row.files[0]}` : `npm:${row.package}`;
  const grouping = {
    ...(family === undefined ? {} : { family }),
    ...(collection === undefined ? {} : { collection }),
  };
  return { id, category, entryKind, vouched, ...grouping, origin, licence, version: versionOf(row), entries };
}

/**
 * Rows `first,last,key,name`; `toLabel` is called once for each key and gives the label of its ranges, if they have one.
 * Returns the number of ranges. @throws on a malformed row: none is tolerated
 */
function readRanges(
  files: readonly string[],
  networks: NetworkClaims,
  toLabel: (key: string, name: string) => NetworkLabel | undefined,
): number {
  const labels = new Map<string, number>();
  let count = 0;
  for (const [first = '', last = '', key = '', name = ''] of rowsOf(files)) {
    let label = labels.get(key);
    if (label === undefined) {
      const made = toLabel(key, name);
      label = made === undefined ? -1 : networks.label(made);
      labels.set(key, label);
    }
    if (label < 0) continue;
    if (!networks.addRange(first, last, label)) throw new Error(`not an address range: ${first}-${last}`);
    count += 1;
  }
  return count;
}

function* rowsOf(files: readonly string[]): Generator<string[]> {
  for (const file of files) yield* readCsv(readFileSync(file, 'utf8'));
}

function readAsn(text: string): number {
  const asn = Number(text);
  if (!Number.isInteger(asn) || asn < 1 || asn > 0xffffffff) throw new Error(`not an AS number: ${text}`);
  return asn;
}
