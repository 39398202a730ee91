/** Decides how knowledge becomes a snapshot: claims are settled once, and only tables that are read in place remain. */

import type { DomainReader } from './domains/canonical-domain.ts';
import { encodeDomainTable } from './domains/domain-table.ts';
import { settleDomains } from './domains/settle-domains.ts';
import { encodeContainer } from './file/container.ts';
import type { NetworkClaims } from './networks/network-claims.ts';
import { encodeNetworkTable } from './networks/network-table.ts';
import type { SourceInfo } from './sources.ts';
import { createTruth } from './truth.ts';

/** Everything the sources say, before they are weighed against each other. A mask's bit is a place in `sources`. */
export interface Knowledge {
  readonly sources: readonly SourceInfo[];
  /** Canonical name → the sources that list it. */
  readonly domains: ReadonlyMap<string, bigint>;
  readonly isShared: DomainReader['isShared'];
  readonly topLevels: Iterable<string>;
  readonly roles: Iterable<string>;
  readonly networks: NetworkClaims;
  readonly asNames: ReadonlyMap<number, string>;
  /** AS number → the sources that list it. */
  readonly asnClaims: ReadonlyMap<number, bigint>;
}

/** What a snapshot's header says beside its sections. */
export interface SnapshotMeta {
  readonly sources: readonly SourceInfo[];
  readonly countries: readonly string[];
}

const MAX_SOURCES = 64;
const MAX_MASKS = 0x10000;

/** The same knowledge gives the same bytes; the id is a hash of them. */
export function compileSnapshot(knowledge: Knowledge): { id: string; bytes: Uint8Array } {
  const { sources } = knowledge;
  if (sources.length > MAX_SOURCES) throw new Error(`${sources.length} sources, a mask holds ${MAX_SOURCES}`);
  const masks = new MaskTable();
  const maskNumber = (mask: bigint): number => masks.numberOf(mask);
  const settled = settleDomains(knowledge.domains, createTruth(sources), knowledge.isShared);
  const domains = encodeDomainTable(settled, maskNumber);
  const { asNames, asnClaims } = knowledge;
  const networks = encodeNetworkTable(knowledge.networks, asNames, asnClaims, maskNumber);
  const meta: SnapshotMeta = { sources, countries: networks.countries };
  return encodeContainer(meta, {
    masks: masks.encode(),
    ...domains,
    ...networks.sections,
    'word.tld': encodeWords(knowledge.topLevels),
    'word.role': encodeWords(knowledge.roles),
  });
}

/** Distinct masks of sources; number 0 is the empty one. */
class MaskTable {
  private readonly numbers = new Map<bigint, number>([[0n, 0]]);

  numberOf(mask: bigint): number {
    let number = this.numbers.get(mask);
    if (number === undefined) {
      number = this.numbers.size;
      if (number === MAX_MASKS) throw new Error(`more than ${MAX_MASKS} combinations of sources`);
      this.numbers.set(mask, number);
    }
    return number;
  }

  /** Low word, high word. */
  encode(): Uint32Array {
    const words = [...this.numbers.keys()].flatMap((mask) => [
      Number(mask & 0xffffffffn),
      Number(mask >> 32n),
    ]);
    return Uint32Array.from(words);
  }
}

function encodeWords(words: Iterable<string>): Uint8Array {
  return Buffer.from([...new Set(words)].sort().join('\n'), 'utf8');
}
