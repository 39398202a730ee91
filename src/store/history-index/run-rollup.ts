/** Adds up the assessments of a table by half hours as they come, and decides how a sealed run keeps these sums. */
import type { KeyMode } from '../../model/key-mode.ts';
import { SLOT_MS } from '../history-store.ts';
import { latencyBucket } from '../history-traffic.ts';
import { UNKNOWN_MS } from './run-record.ts';
import {
  isShadow,
  MAX_FINDINGS,
  MAX_REASONS,
  modeOf,
  type RollupKind,
  type RollupRow,
  type Segment,
  verdictOf,
} from './run-segment.ts';

/** A sum under a number that says kind, mode and name. */
export interface CodedSum {
  readonly slot: number;
  readonly code: number;
  count: number;
  weight: number;
}

/** The parts of an assessment that are added up. */
export interface RolledUpRow {
  /** The number of its account. */
  readonly account: number;
  readonly at: number;
  readonly flags: number;
  /** A bit for each reason, as in the column. */
  readonly reasons: number;
  /** One for each of its reasons, in the order of their numbers. */
  readonly weights: readonly number[];
  /** Number of its main finding; `null`: there is none. */
  readonly finding: number | null;
  readonly tookMs: number;
}

/** The sums of a growing table, so that no question has to add up its assessments. */
export interface Rollup {
  add(row: RolledUpRow): void;
  /** Sums of the half hours from `from` to before `to`; all by default. In order of half hours. */
  sumsOf(account: number, from?: number, to?: number): Iterable<CodedSum>;
}

const KINDS: readonly RollupKind[] = [
  'verdict',
  'reason',
  'given',
  'latency',
  'finding',
  'stopped',
  'observed',
];
const KIND_STEP = 1 << 13;
const TEST = 1 << 12;
/** Added to the number of a verdict that was answered with `allow`. */
const SHADOW = 4;
/** Latencies get a shorter number: each its own below 64, then 16 for each doubling. */
const EXACT_BELOW = 64;
const PER_DOUBLING = 16;

export function createRollup(): Rollup {
  /** Sums by account, half hour and code. */
  const accounts: Map<number, Map<number, CodedSum>>[] = [];

  function add(row: RolledUpRow): void {
    const { account, flags, weights } = row;
    const slot = Math.floor(row.at / SLOT_MS);
    let slots = accounts[account];
    if (slots === undefined) {
      slots = new Map();
      accounts[account] = slots;
    }
    let sums = slots.get(slot);
    if (sums === undefined) {
      sums = new Map();
      slots.set(slot, sums);
    }
    const verdict = flags & 3;
    const mode = modeOf(flags) === 'test' ? TEST : 0;
    addTo(sums, slot, mode + verdict + (isShadow(flags) ? SHADOW : 0), 0);
    if (row.tookMs !== UNKNOWN_MS) addTo(sums, slot, 3 * KIND_STEP + mode + numberOfLatency(row.tookMs), 0);
    const { finding } = row;
    if (finding !== null && finding !== MAX_FINDINGS - 1) {
      addTo(sums, slot, 4 * KIND_STEP + mode + finding, 0);
      if (verdict !== 0) addTo(sums, slot, (isShadow(flags) ? 6 : 5) * KIND_STEP + mode + finding, 0);
    }
    let place = 0;
    for (let rest = row.reasons; rest !== 0; rest = (rest & (rest - 1)) >>> 0) {
      const number = 31 - Math.clz32(rest & -rest);
      const weight = weights[place] ?? 0;
      place += 1;
      if (number === MAX_REASONS - 1) continue;
      addTo(sums, slot, KIND_STEP + mode + number, weight);
      if (verdict !== 0) addTo(sums, slot, 2 * KIND_STEP + mode + number, 0);
    }
  }

  return {
    add,
    *sumsOf(account, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY) {
      const slots = accounts[account] ?? new Map<number, Map<number, CodedSum>>();
      const within = [...slots.keys()].filter((slot) => slot >= from && slot < to);
      for (const slot of within.sort((a, b) => a - b))
        yield* (slots.get(slot) as Map<number, CodedSum>).values();
    },
  };
}

function addTo(sums: Map<number, CodedSum>, slot: number, code: number, weight: number): void {
  const sum = sums.get(code);
  if (sum === undefined) sums.set(code, { slot, code, count: 1, weight });
  else {
    sum.count += 1;
    sum.weight += weight;
  }
}

/** Adds up sums of a mode: verdicts by slot, the rest of all slots together. */
export function addUp(sums: Iterable<CodedSum>, mode: KeyMode, textOf: Segment['textOf']): RollupRow[] {
  const ofMode = mode === 'test' ? TEST : 0;
  const rows = new Map<number, Omit<RollupRow, 'count' | 'weight'> & Pick<CodedSum, 'count' | 'weight'>>();
  for (const { slot, code, count, weight } of sums) {
    if ((code & TEST) !== ofMode) continue;
    const isVerdict = code < KIND_STEP;
    // Below 0 for verdicts.
    const key = isVerdict ? -(2 * SHADOW * slot + (code & (TEST - 1)) + 1) : code;
    const row = rows.get(key);
    if (row === undefined) {
      const kind = KINDS[Math.floor(code / KIND_STEP)] as RollupKind;
      const name = nameOf(kind, code & (TEST - 1), textOf);
      const shadow = isVerdict && (code & SHADOW) !== 0;
      rows.set(key, { slot: isVerdict ? slot : null, kind, name, shadow, count, weight });
    } else {
      row.count += count;
      row.weight += weight;
    }
  }
  return [...rows.values()];
}

function nameOf(kind: RollupKind, number: number, textOf: Segment['textOf']): string {
  if (kind === 'verdict') return verdictOf(number);
  if (kind === 'latency') return String(latencyOfNumber(number));
  return textOf(kind === 'reason' || kind === 'given' ? 'reason' : 'finding', number);
}

function numberOfLatency(milliseconds: number): number {
  if (milliseconds < EXACT_BELOW) return milliseconds;
  const doubling = 31 - Math.clz32(milliseconds);
  const lowest = latencyBucket(milliseconds);
  const within = (lowest - 2 ** doubling) / (2 ** doubling / PER_DOUBLING);
  return EXACT_BELOW + (doubling - 6) * PER_DOUBLING + within;
}

function latencyOfNumber(number: number): number {
  if (number < EXACT_BELOW) return number;
  const doubling = 6 + Math.floor((number - EXACT_BELOW) / PER_DOUBLING);
  const within = (number - EXACT_BELOW) % PER_DOUBLING;
  return 2 ** doubling + (within * 2 ** doubling) / PER_DOUBLING;
}
