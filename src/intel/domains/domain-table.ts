/** Decides which listed name speaks for a domain: the most specific one, found in one walk from the right. */

/*
 * An open-addressing hash table over the snapshot's bytes, so that loading costs nothing: a slot holds an
 * entry's number plus one in its low 24 bits and eight bits of the hash above them; 0 is free.
 */
import type { Container, Section } from '../file/container.ts';
import type { SettledDomain } from './settle-domains.ts';

export interface DomainTable {
  /** The entry that speaks for a canonical (ASCII, lower-case) name, or −1. */
  find(name: string): number;
  /** Length of an entry's name; the name is that much of the end of what was found by it. */
  lengthOf(entry: number): number;
  /** All claims about an entry, as a number of the snapshot's mask table. */
  claimsOf(entry: number): number;
  /** The claims that hold, likewise. */
  holdsOf(entry: number): number;
}

const HASH_SEED = 0x811c9dc5;
const HASH_PRIME = 0x01000193;
const DOT = 46;
const ENTRY_BITS = 24;
const ENTRY_MASK = (1 << ENTRY_BITS) - 1;

/** `maskNumber` interns a mask of sources. */
export function encodeDomainTable(
  domains: readonly SettledDomain[],
  maskNumber: (mask: bigint) => number,
): Record<string, Section> {
  if (domains.length >= ENTRY_MASK) throw new Error(`too many domains for one table: ${domains.length}`);
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(2, domains.length * 2))));
  const offsets = new Uint32Array(domains.length + 1);
  for (const [entry, { name }] of domains.entries()) {
    offsets[entry + 1] = (offsets[entry] as number) + name.length;
    let hash = HASH_SEED;
    for (let at = name.length - 1; at >= 0; at -= 1) hash = step(hash, name.charCodeAt(at));
    const mixed = mix(hash);
    let slot = mixed & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = ((mixed >>> ENTRY_BITS) << ENTRY_BITS) | (entry + 1);
  }
  return {
    'domain.slots': slots,
    'domain.offsets': offsets,
    'domain.names': Buffer.from(domains.map(({ name }) => name).join(''), 'latin1'),
    'domain.claims': Uint16Array.from(domains, ({ claims }) => maskNumber(claims)),
    'domain.holds': Uint16Array.from(domains, ({ holds }) => maskNumber(holds)),
    'domain.exact': Uint8Array.from(domains, ({ exact }) => (exact ? 1 : 0)),
  };
}

export function openDomainTable(container: Container<unknown>): DomainTable {
  const offsets = container.u32('domain.offsets');
  const claims = container.u16('domain.claims');
  const holds = container.u16('domain.holds');
  const exact = container.u8('domain.exact');
  const entryAt = createProbe(container.u32('domain.slots'), offsets, container.u8('domain.names'));

  return {
    find(name) {
      let found = -1;
      let hash = HASH_SEED;
      let dots = 0;
      for (let at = name.length - 1; at >= 0; at -= 1) {
        const code = name.charCodeAt(at);
        if (code === DOT) {
          if (dots > 0) {
            const entry = entryAt(mix(hash), name, at + 1);
            if (entry >= 0 && exact[entry] === 0) found = entry;
          }
          dots += 1;
        }
        hash = step(hash, code);
      }
      const whole = entryAt(mix(hash), name, 0);
      return whole >= 0 ? whole : found;
    },
    lengthOf: (entry) => (offsets[entry + 1] as number) - (offsets[entry] as number),
    claimsOf: (entry) => claims[entry] as number,
    holdsOf: (entry) => holds[entry] as number,
  };
}

/** The entry whose name is `name` from `from` on, or −1. */
type Probe = (mixed: number, name: string, from: number) => number;

function createProbe(slots: Uint32Array, offsets: Uint32Array, names: Uint8Array): Probe {
  const slotMask = slots.length - 1;

  const isNamed = (entry: number, name: string, from: number): boolean => {
    const start = offsets[entry] as number;
    const length = name.length - from;
    if ((offsets[entry + 1] as number) - start !== length) return false;
    for (let at = 0; at < length; at += 1) {
      if (names[start + at] !== name.charCodeAt(from + at)) return false;
    }
    return true;
  };

  return (mixed, name, from) => {
    for (let slot = mixed & slotMask; slots[slot] !== 0; slot = (slot + 1) & slotMask) {
      const content = slots[slot] as number;
      if (content >>> ENTRY_BITS !== mixed >>> ENTRY_BITS) continue;
      const entry = (content & ENTRY_MASK) - 1;
      if (isNamed(entry, name, from)) return entry;
    }
    return -1;
  };
}

/** FNV-1a, fed from the last character to the first: each suffix's hash falls out on the way. */
function step(hash: number, code: number): number {
  return Math.imul(hash ^ code, HASH_PRIME);
}

function mix(hash: number): number {
  const folded = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (folded ^ (folded >>> 13)) >>> 0;
}
