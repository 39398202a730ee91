/** The port of the columns of a number of consecutive assessments, in memory or in a sealed run, as searches and counts read them. */
import type { Verdict } from '../../contract/messages.ts';
import type { KeyMode } from '../../model/key-mode.ts';
import type { WideNumber } from './run-record.ts';

/** Numbers, from a multiple of it on, that share a run; positions within one fit into 16 bits. */
export const RUN_SIZE = 65_536;

/** One value an assessment. `seq` counts from the run's first number; `reasons` has a bit for each; texts are numbers of a dictionary. */
export const COLUMNS = {
  at: Float64Array,
  seq: Uint16Array,
  flags: Uint8Array,
  score: Uint8Array,
  key: Uint16Array,
  country: Uint16Array,
  domain: Uint16Array,
  reasons: Uint32Array,
  finding: Uint8Array,
  asn: Uint32Array,
  took: Uint16Array,
} as const;
export type ColumnName = keyof typeof COLUMNS;
export const COLUMN_NAMES = Object.keys(COLUMNS) as ColumnName[];
export type NumberArray = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

export const DICTIONARIES = ['account', 'key', 'country', 'domain', 'reason', 'finding'] as const;
export type DictionaryName = (typeof DICTIONARIES)[number];

/** Values by which assessments are found without looking at each: in order, with the position of each. */
export const POSTINGS = {
  mailbox: { high: Uint32Array, low: Uint16Array },
  session: { high: Uint32Array, low: Uint16Array },
  ip4: { high: Uint32Array, low: null },
  ip6: { high: Uint32Array, low: Uint32Array },
  asn: { high: Uint32Array, low: null },
  domain: { high: Uint16Array, low: null },
} as const;
export type PostingKind = keyof typeof POSTINGS;
export const POSTING_KINDS = Object.keys(POSTINGS) as PostingKind[];

/** Positions from `start` up to, without, `end`. */
export interface PositionSpan {
  readonly start: number;
  readonly end: number;
}

/** Positions that have a value. */
export interface PostingList {
  readonly count: number;
  /** Positions in ascending order. */
  positions(): Uint16Array;
}

export type RollupKind = 'verdict' | 'reason' | 'given' | 'latency' | 'finding' | 'stopped' | 'observed';

/**
 * Sums of assessments by half hours. `given` counts a reason, `stopped` a main finding in those that were challenged or
 * blocked, `observed` in those that were not, because of shadow mode.
 */
export interface RollupRow {
  /** The half hour, since the epoch; `null`: of all that were asked for. Only verdicts are counted by slot. */
  readonly slot: number | null;
  readonly kind: RollupKind;
  /** A verdict, a reason, the detector of a main finding, or the lowest latency of a bucket. */
  readonly name: string;
  /** A verdict that was not answered: the answer was `allow`. */
  readonly shadow: boolean;
  readonly count: number;
  /** Sum of the weights of a reason's findings. */
  readonly weight: number;
}

/** The positions of an account are together, oldest first: by `at`, then by number. */
export interface Segment {
  /** `seq` of a record is this plus its column `seq`. */
  readonly firstSeq: number;
  readonly count: number;
  /** Time of its oldest assessment, milliseconds since the epoch. */
  readonly oldestAt: number;
  readonly newestAt: number;
  /** Empty where it has none of the account. */
  positionsOf(accountId: string): PositionSpan;
  column(name: ColumnName, span: PositionSpan): NumberArray;
  valueAt(name: ColumnName, position: number): number;
  /** `undefined`: no assessment has it. */
  numberOf(dictionary: DictionaryName, text: string): number | undefined;
  textOf(dictionary: DictionaryName, number: number): string;
  /** Positions within `span` with a value from `first` to `last`, both inclusive. */
  postings(kind: PostingKind, first: WideNumber, last: WideNumber, span: PositionSpan): PostingList;
  /** Slots from `from` up to, without, `to`. */
  rollups(accountId: string, mode: KeyMode, from: number, to: number): Iterable<RollupRow>;
}

const VERDICTS: readonly Verdict[] = ['allow', 'challenge', 'block'];
const TEST = 4;
const SHADOW = 8;
/** Size of a dictionary of reasons; further ones share the last number, and are found by comparing records. */
export const MAX_REASONS = 32;
/** The same of main findings. */
export const MAX_FINDINGS = 256;

/** How many texts a dictionary has room for; further ones share the last number. */
export function maxTextsOf(dictionary: DictionaryName): number {
  if (dictionary === 'reason') return MAX_REASONS;
  return dictionary === 'finding' ? MAX_FINDINGS : RUN_SIZE;
}

export function flagsOf(verdict: Verdict, mode: KeyMode, shadow: boolean): number {
  return VERDICTS.indexOf(verdict) + (mode === 'test' ? TEST : 0) + (shadow ? SHADOW : 0);
}

export function verdictOf(flags: number): Verdict {
  return VERDICTS[flags & 3] as Verdict;
}

export function modeOf(flags: number): KeyMode {
  return (flags & TEST) === 0 ? 'live' : 'test';
}

export function isShadow(flags: number): boolean {
  return (flags & SHADOW) !== 0;
}

/** The numbers whose bits are set, lowest first. */
export function reasonNumbers(mask: number): number[] {
  const numbers: number[] = [];
  for (let rest = mask; rest !== 0; rest = (rest & (rest - 1)) >>> 0)
    numbers.push(31 - Math.clz32(rest & -rest));
  return numbers;
}
