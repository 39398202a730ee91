/** Decides which listed name decides about a domain: the most specific one, found in one pass from the right. */
import type { SettledDomain } from './domain-claims.ts';
/*
 * An open-addressing hash table over the snapshot's bytes, so that loading costs nothing. A slot contains the place
 * of a record plus one in its low 24 bits and eight bits of the hash above them; 0 is free. All that is known of a
 * name is in its record, so that a find costs two reads of memory:
 *   0  u8   length of the name
 *   1  u8   bit 0: strangers get names under it; bit 1: it is called disposable, and that is disputed
 *   2  u16  all claims about it, as a number of the snapshot's mask table
 *   4  u16  the effective claims, likewise; 0 when the name is listed but its parent decides
 *   6  u16  the claims that are effective for the names below it, likewise
 *   8  the name, then room up to a multiple of 4: places count in units of 4 bytes
 */
import type { Container, Section } from './snapshot-container.ts';

export interface DomainTable {
  /** The record that decides about a canonical (ASCII, lower-case) name, or −1. */
  find(name: string): number;
  /** The record of exactly this name, whether it decides or not, or −1. */
  recordOf(name: string): number;
  /** Length of a record's name; the name is that much of the end of what was found by it. */
  lengthOf(record: number): number;
  /** Whether strangers get names under it. */
  isShared(record: number): boolean;
  isDisputed(record: number): boolean;
  claimsOf(record: number): number;
  effectiveOf(record: number): number;
  /** The claims that are effective for the names below it. */
  belowOf(record: number): number;
  /** Every record, in the order of the names. */
  records(): Generator<{ readonly name: string; readonly record: number }>;
}

const HASH_SEED = 0x811c9dc5;
const HASH_PRIME = 0x01000193;
const DOT = 46;
const PLACE_BITS = 24;
const PLACE_MASK = (1 << PLACE_BITS) - 1;
const UNIT = 4;
const NAME_AT = 8;
const SHARED = 1;
const DISPUTED = 2;

/** `maskNumber` interns a mask of sources. */
export function encodeDomainTable(
  domains: readonly SettledDomain[],
  maskNumber: (mask: bigint) => number,
): Record<string, Section> {
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(2, domains.length * 2))));
  const records = Buffer.alloc(domains.reduce((sum, { name }) => sum + sizeOf(name.length), 0));
  if (records.length / UNIT >= PLACE_MASK)
    throw new Error(`too many domains for one table: ${domains.length}`);
  let at = 0;
  for (const { name, claims, effective, below, shared, disputed } of domains) {
    records[at] = name.length;
    records[at + 1] = (shared ? SHARED : 0) | (disputed ? DISPUTED : 0);
    records.writeUInt16LE(maskNumber(claims), at + 2);
    records.writeUInt16LE(maskNumber(effective), at + 4);
    records.writeUInt16LE(maskNumber(below), at + 6);
    records.write(name, at + NAME_AT, 'latin1');
    const mixed = hashOf(name);
    let slot = mixed & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = ((mixed >>> PLACE_BITS) << PLACE_BITS) | (at / UNIT + 1);
    at += sizeOf(name.length);
  }
  return { 'domain.slots': slots, 'domain.records': records };
}

export function openDomainTable(container: Container<unknown>): DomainTable {
  const bytes = container.u8('domain.records');
  const halves = container.u16('domain.records');
  const recordAt = createProbe(container.u32('domain.slots'), bytes);
  const effectiveOf = (record: number): number => halves[record / 2 + 2] as number;
  const belowOf = (record: number): number => halves[record / 2 + 3] as number;

  return {
    find(name) {
      let found = -1;
      let hash = HASH_SEED;
      let dots = 0;
      for (let at = name.length - 1; at >= 0; at -= 1) {
        const code = name.charCodeAt(at);
        if (code === DOT) {
          if (dots > 0) {
            const record = recordAt(mix(hash), name, at + 1);
            if (record >= 0 && belowOf(record) !== 0) found = record;
          }
          dots += 1;
        }
        hash = step(hash, code);
      }
      const whole = recordAt(mix(hash), name, 0);
      return whole >= 0 && effectiveOf(whole) !== 0 ? whole : found;
    },
    recordOf: (name) => recordAt(hashOf(name), name, 0),
    lengthOf: (record) => bytes[record] as number,
    isShared: (record) => ((bytes[record + 1] as number) & SHARED) !== 0,
    isDisputed: (record) => ((bytes[record + 1] as number) & DISPUTED) !== 0,
    claimsOf: (record) => halves[record / 2 + 1] as number,
    effectiveOf,
    belowOf,
    *records() {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let at = 0; at < bytes.length; at += sizeOf(bytes[at] as number)) {
        const end = at + NAME_AT + (bytes[at] as number);
        yield { name: text.toString('latin1', at + NAME_AT, end), record: at };
      }
    },
  };
}

/** The record whose name is `name` from `from` on, or −1. */
type Probe = (mixed: number, name: string, from: number) => number;

function createProbe(slots: Uint32Array, bytes: Uint8Array): Probe {
  const slotMask = slots.length - 1;

  const isNamed = (record: number, name: string, from: number): boolean => {
    const length = name.length - from;
    if (bytes[record] !== length) return false;
    const start = record + NAME_AT;
    for (let at = 0; at < length; at += 1) {
      if (bytes[start + at] !== name.charCodeAt(from + at)) return false;
    }
    return true;
  };

  return (mixed, name, from) => {
    for (let slot = mixed & slotMask; slots[slot] !== 0; slot = (slot + 1) & slotMask) {
      const content = slots[slot] as number;
      if (content >>> PLACE_BITS !== mixed >>> PLACE_BITS) continue;
      const record = ((content & PLACE_MASK) - 1) * UNIT;
      if (isNamed(record, name, from)) return record;
    }
    return -1;
  };
}

function sizeOf(nameLength: number): number {
  return Math.ceil((NAME_AT + nameLength) / UNIT) * UNIT;
}

function hashOf(name: string): number {
  let hash = HASH_SEED;
  for (let at = name.length - 1; at >= 0; at -= 1) hash = step(hash, name.charCodeAt(at));
  return mix(hash);
}

/** FNV-1a, fed from the last character to the first: the hash of each suffix is an intermediate result. */
function step(hash: number, code: number): number {
  return Math.imul(hash ^ code, HASH_PRIME);
}

function mix(hash: number): number {
  const folded = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (folded ^ (folded >>> 13)) >>> 0;
}
