/** Adds up the assessments of a table by half hours, and decides how a sealed run keeps these sums. */
import type { KeyMode } from '../../model/key-mode.ts';
import { SLOT_MS } from '../history-store.ts';
import { latencyBucket } from '../history-traffic.ts';
import { UNKNOWN_MS } from './run-record.ts';
import {
  MAX_REASONS,
  modeOf,
  type PositionSpan,
  type RollupKind,
  type RollupRow,
  reasonNumbers,
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

export type Weighted = Pick<Segment, 'column' | 'textOf'> & {
  /** Of the reasons at a position, in the order of their numbers. */
  weightsAt(position: number): readonly number[];
};

const KINDS: readonly RollupKind[] = ['verdict', 'reason', 'given', 'latency'];
const KIND_STEP = 1 << 14;
const TEST = 1 << 13;
/** Latencies get a shorter number: each its own below 64, then 16 for each doubling. */
const EXACT_BELOW = 64;
const PER_DOUBLING = 16;

/** The sums of positions that belong to one account, by slot; in the order of slots. */
export function* rollUp(table: Weighted, span: PositionSpan): Generator<CodedSum> {
  const [at, flags, reasons, took] = [
    table.column('at', span),
    table.column('flags', span),
    table.column('reasons', span),
    table.column('took', span),
  ];
  let slot = Number.NEGATIVE_INFINITY;
  let sums = new Map<number, CodedSum>();
  const add = (kind: number, mode: number, name: number, weight: number) => {
    const code = kind * KIND_STEP + mode + name;
    const sum = sums.get(code);
    if (sum === undefined) sums.set(code, { slot, code, count: 1, weight });
    else {
      sum.count += 1;
      sum.weight += weight;
    }
  };
  for (let index = 0; index < at.length; index += 1) {
    const ofRecord = Math.floor((at[index] as number) / SLOT_MS);
    if (ofRecord !== slot) {
      yield* sums.values();
      sums = new Map();
      slot = ofRecord;
    }
    const flag = flags[index] as number;
    const verdict = flag & 3;
    const mode = modeOf(flag) === 'test' ? TEST : 0;
    add(0, mode, verdict, 0);
    const milliseconds = took[index] as number;
    if (milliseconds !== UNKNOWN_MS) add(3, mode, numberOfLatency(milliseconds), 0);
    const mask = reasons[index] as number;
    if (mask === 0) continue;
    const weights = table.weightsAt(span.start + index);
    for (const [place, number] of reasonNumbers(mask).entries()) {
      if (number === MAX_REASONS - 1) continue;
      add(1, mode, number, weights[place] ?? 0);
      if (verdict !== 0) add(2, mode, number, 0);
    }
  }
  yield* sums.values();
}

/** Adds up sums of a mode: verdicts by slot, the rest of all slots together. */
export function createSums(mode: KeyMode) {
  const ofMode = mode === 'test' ? TEST : 0;
  const verdicts = new Map<number, CodedSum>();
  const others = new Map<number, CodedSum>();
  return {
    add(slot: number, code: number, count: number, weight: number): void {
      if ((code & TEST) !== ofMode) return;
      const isVerdict = code < KIND_STEP;
      const sums = isVerdict ? verdicts : others;
      const key = isVerdict ? 4 * slot + (code & 3) : code;
      const sum = sums.get(key);
      if (sum === undefined) sums.set(key, { slot, code, count, weight });
      else {
        sum.count += count;
        sum.weight += weight;
      }
    },
    rows: ({ textOf }: Pick<Segment, 'textOf'>): RollupRow[] => [
      ...Array.from(
        verdicts.values(),
        ({ slot, code, count, weight }): RollupRow => ({
          slot,
          kind: 'verdict',
          name: verdictOf(code & 3),
          count,
          weight,
        }),
      ),
      ...Array.from(others.values(), ({ code, count, weight }): RollupRow => {
        const kind = KINDS[Math.floor(code / KIND_STEP)] as RollupKind;
        return { slot: null, kind, name: nameOf(kind, code & (TEST - 1), textOf), count, weight };
      }),
    ],
  };
}

function nameOf(kind: RollupKind, number: number, textOf: Segment['textOf']): string {
  if (kind === 'latency') return String(latencyOfNumber(number));
  return textOf('reason', number);
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
