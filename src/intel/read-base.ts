/** Decides how a compiled snapshot becomes knowledge again, so that feeds can be laid over it without its sources. */
import type { FlatKnowledge } from './compile.ts';
import { openDomainTable } from './domain-table.ts';
import { decodeNetworkTable } from './network-table.ts';
import { openMasks } from './snapshot-mask-table.ts';
import { decodeSnapshotFile } from './snapshot-meta.ts';
import { openWords } from './snapshot-word-list.ts';
import { openEntryLists } from './source-blocks.ts';

export interface Base extends Omit<FlatKnowledge, 'base' | 'topLevels'> {
  readonly id: string;
  readonly topLevels: ReadonlySet<string>;
  readonly domains: Map<string, bigint>;
}

/** @throws SnapshotError */
export function readBase(bytes: Uint8Array): Base {
  const container = decodeSnapshotFile(bytes);
  const { sources, countries } = container.meta;
  const masks = openMasks(container);
  const table = openDomainTable(container);
  const domains = new Map<string, bigint>();
  const shared = new Set<string>();
  for (const { name, record } of table.records()) {
    domains.set(name, masks.at(table.claimsOf(record)));
    if (table.isShared(record)) shared.add(name);
  }
  const entries = openEntryLists(container);
  return {
    id: container.id,
    sources,
    countries,
    domains,
    wildcards: new Map(),
    isShared: (name) => shared.has(name),
    topLevels: openWords(container, 'word.tld'),
    roles: openWords(container, 'word.role'),
    institutions: openWords(container, 'word.institution'),
    ...decodeNetworkTable(container, masks),
    entries: sources.map((_, source) => entries.rowsOf(source)),
  };
}
