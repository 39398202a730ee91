/** The columns of a growing run in memory, in the order in which its records came. */
import type { RunRecord, WideNumber } from './run-record.ts';
import type { RolledUpRow } from './run-rollup.ts';
import {
  COLUMN_NAMES,
  COLUMNS,
  type ColumnName,
  DICTIONARIES,
  type DictionaryName,
  flagsOf,
  maxTextsOf,
  type NumberArray,
  type PostingKind,
  RUN_SIZE,
  reasonNumbers,
} from './run-segment.ts';

/** Numbers the different texts of a column in the order in which they come. */
interface Dictionary {
  add(text: string): number;
  /** `undefined`: it was never added. */
  numberOf(text: string): number | undefined;
  /** Texts in the order of their numbers. */
  readonly texts: readonly string[];
}

export interface RunRows {
  readonly columns: Readonly<Record<ColumnName, NumberArray>>;
  /** Numbers of the dictionary `account`. */
  readonly accounts: Uint16Array;
  readonly dictionaries: Readonly<Record<DictionaryName, Dictionary>>;
  add(record: RunRecord): AddedRow;
  /** `undefined` where it has none. */
  valueAt(kind: PostingKind, row: number): WideNumber | undefined;
  valuesOf(kind: PostingKind): RowValues;
}

export interface AddedRow extends RolledUpRow {
  /** Its number. */
  readonly row: number;
}

/** The values of all rows, in two parts; rows have one where they have the mark. */
export interface RowValues {
  readonly high: NumberArray;
  /** `null`: 0 everywhere. */
  readonly low: Uint32Array | null;
  /** `null`: all have one. */
  readonly marks: Uint8Array | null;
  readonly mark: number;
}

const NO_WEIGHTS: readonly number[] = [];

export function createRunRows(firstSeq: number): RunRows {
  const columns = newColumns();
  const dictionaries = Object.fromEntries(
    DICTIONARIES.map((name) => [name, createDictionary(maxTextsOf(name))]),
  ) as Record<DictionaryName, Dictionary>;
  const accounts = new Uint16Array(RUN_SIZE);
  const values = valuesByKind(columns);
  let count = 0;

  function valueAt(kind: PostingKind, row: number): WideNumber | undefined {
    const { high, low, marks, mark } = values[kind];
    return marks === null || marks[row] === mark ? [high[row] as number, low?.[row] ?? 0] : undefined;
  }

  return {
    columns,
    accounts,
    dictionaries,
    valueAt,
    valuesOf: (kind) => values[kind],
    add(record) {
      const { at, tookMs } = record;
      const row = count;
      count += 1;
      const account = dictionaries.account.add(record.accountId);
      const flags = flagsOf(record.verdict, record.mode, record.shadow);
      const { mask: reasons, weights } = numberReasons(record, dictionaries.reason);
      const finding = dictionaries.finding.add(record.finding);
      accounts[row] = account;
      columns.at[row] = at;
      columns.seq[row] = record.seq - firstSeq;
      columns.flags[row] = flags;
      columns.score[row] = record.score;
      columns.key[row] = dictionaries.key.add(record.keyId);
      columns.country[row] = dictionaries.country.add(record.country);
      columns.domain[row] = dictionaries.domain.add(record.domain);
      columns.asn[row] = record.asn;
      columns.took[row] = tookMs;
      columns.reasons[row] = reasons;
      columns.finding[row] = finding;
      setWide(values.mailbox, row, record.mailbox);
      if (record.session !== null) setWide(values.session, row, record.session);
      if (record.ip !== null) setWide(record.ip.family === 4 ? values.ip4 : values.ip6, row, record.ip.value);
      return {
        row,
        account,
        at,
        flags,
        reasons,
        weights,
        finding: record.finding === '' ? null : finding,
        tookMs,
      };
    },
  };
}

function newColumns(): Record<ColumnName, NumberArray> {
  const columns = COLUMN_NAMES.map((name) => [name, new COLUMNS[name](RUN_SIZE)]);
  return Object.fromEntries(columns) as Record<ColumnName, NumberArray>;
}

/** @param max how many numbers there are; further texts share the last one */
function createDictionary(max: number): Dictionary {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  const lastIfFull = () => (texts.length === max ? max - 1 : undefined);
  return {
    texts,
    add(text) {
      const known = numbers.get(text) ?? lastIfFull();
      if (known !== undefined) return known;
      numbers.set(text, texts.length);
      return texts.push(text) - 1;
    },
    numberOf: (text) => numbers.get(text) ?? lastIfFull(),
  };
}

function valuesByKind(columns: RunRows['columns']): Record<PostingKind, RowValues> {
  const [mailbox, session, ip] = [newWideValues(), newWideValues(), newWideValues()];
  const number = (column: 'domain' | 'asn') => ({ high: columns[column], low: null, marks: null, mark: 0 });
  return {
    mailbox: { ...mailbox, mark: 1 },
    session: { ...session, mark: 1 },
    ip4: { ...ip, mark: 4 },
    ip6: { ...ip, mark: 6 },
    asn: number('asn'),
    domain: number('domain'),
  };
}

interface NumberedReasons {
  /** A bit for the number of each. */
  readonly mask: number;
  /** Weights in the order of the reasons' numbers. */
  readonly weights: readonly number[];
}

function numberReasons({ reasons, weights }: RunRecord, dictionary: Dictionary): NumberedReasons {
  let mask = 0;
  const byNumber: number[] = [];
  for (const [index, reason] of reasons.entries()) {
    const number = dictionary.add(reason);
    mask = (mask | (1 << number)) >>> 0;
    byNumber[number] = weights[index] ?? 0;
  }
  const inOrder = mask === 0 ? NO_WEIGHTS : reasonNumbers(mask).map((number) => byNumber[number] as number);
  return { mask, weights: inOrder };
}

/** Numbers in two parts, each with a mark that is not 0 where there is one. */
function newWideValues() {
  return {
    high: new Uint32Array(RUN_SIZE),
    low: new Uint32Array(RUN_SIZE),
    marks: new Uint8Array(RUN_SIZE),
  };
}

function setWide({ high, low, marks, mark }: RowValues, row: number, value: WideNumber): void {
  high[row] = value[0];
  if (low !== null) low[row] = value[1];
  if (marks !== null) marks[row] = mark;
}
