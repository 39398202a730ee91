/** Decides what signups have in common that others have not: a range, a network, a domain, a mailbox, a session, a finding. */
import { alignBlock, parseBlock, writeBlock } from '../address/block.ts';
import type { SharedFeature, SharedValue } from '../model/alert.ts';

/** Signups with one value of a property; `null`: without one. */
export interface ValueCount {
  readonly value: string | null;
  readonly count: number;
  readonly oldestAt: number;
}

/** A value that most signups have, and the time of the first of them. */
export interface CommonValue {
  readonly value: string;
  readonly share: number;
  readonly oldestAt: number;
}

export const MAX_SHARED = 2;
const MIN_SHARE = 0.6;
const MIN_TIMES = 5;
/** The widest blocks that still say where signups come from. */
const WIDEST = { ipv4: 16, ipv6: 32 } as const;

/** The value of most signups; of ranges, the smallest block with most of them. `undefined`: there is none. */
export function commonValue(feature: SharedFeature, counts: readonly ValueCount[]): CommonValue | undefined {
  const total = sumOf(counts);
  const found = feature === 'range' ? commonBlock(counts, total) : largestOf(counts);
  if (found === undefined || found.count / total < MIN_SHARE) return undefined;
  return { value: found.value, share: found.count / total, oldestAt: found.oldestAt };
}

/** @param before the signups of the week before; without any, everything is new */
export function toShared(
  feature: SharedFeature,
  { value, share }: CommonValue,
  before: readonly ValueCount[],
): SharedValue | undefined {
  const total = sumOf(before);
  const same = before.filter((each) => each.value !== null && isOf(feature, value, each.value));
  const usual = total === 0 ? 0 : sumOf(same) / total;
  return share >= MIN_TIMES * usual ? { feature, value, share, usual } : undefined;
}

function isOf(feature: SharedFeature, value: string, other: string): boolean {
  if (feature !== 'range') return value === other;
  const [, bits] = value.split('/');
  return blockOf(other, Number(bits)) === value;
}

type Named = ValueCount & { readonly value: string };

function largestOf(counts: readonly ValueCount[]): Named | undefined {
  return counts
    .filter(isNamed)
    .reduce<Named | undefined>((a, b) => (a && a.count >= b.count ? a : b), undefined);
}

function isNamed(count: ValueCount): count is Named {
  return count.value !== null;
}

/** Neighbouring ranges are joined until one block has most of the signups. */
function commonBlock(counts: readonly ValueCount[], total: number): Named | undefined {
  const ranges = counts.filter(isNamed);
  const largest = largestOf(ranges);
  if (largest === undefined) return undefined;
  const narrow = bitsOf(largest.value);
  const widest = narrow > 32 ? WIDEST.ipv6 : WIDEST.ipv4;
  let reached: Named | undefined;
  for (let bits = narrow; bits >= widest; bits -= 1) {
    const largestBlock = largestOf(joined(ranges, bits));
    if (largestBlock === undefined) break;
    // Once most are found, a block twice as wide must have many more.
    const isEnough = reached !== undefined && largestBlock.count < reached.count * MORE;
    if (isEnough) break;
    if (reached !== undefined || largestBlock.count / total >= MIN_SHARE) reached = largestBlock;
  }
  return reached;
}

/** Half of what a twice as wide block would have if its other half were the same. */
const MORE = 1.2;

function joined(ranges: readonly Named[], bits: number): Named[] {
  const blocks = new Map<string, { value: string; count: number; oldestAt: number }>();
  for (const { value: range, count, oldestAt } of ranges) {
    const value = blockOf(range, bits);
    if (value === undefined) continue;
    const block = blocks.get(value) ?? { value, count: 0, oldestAt };
    block.count += count;
    block.oldestAt = Math.min(block.oldestAt, oldestAt);
    blocks.set(value, block);
  }
  return [...blocks.values()];
}

/** The block of so many bits around a range; `undefined` where the range is wider, or an address of the other family. */
function blockOf(range: string, bits: number): string | undefined {
  const block = parseBlock(range);
  return block === undefined || block.bits < bits
    ? undefined
    : writeBlock(alignBlock({ base: block.base, bits }));
}

function bitsOf(range: string): number {
  return parseBlock(range)?.bits ?? 0;
}

function sumOf(counts: readonly ValueCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}
