/** The columns of a growing run in memory, in the order in which its records came. */
import { createDictionary, type Dictionary } from './run-dictionary.ts';
import type { RunAddress, RunRecord, WideNumber } from './run-record.ts';
import {
  COLUMN_NAMES,
  COLUMNS,
  type ColumnName,
  DICTIONARIES,
  type DictionaryName,
  flagsOf,
  isShadow,
  MAX_REASONS,
  modeOf,
  type NumberArray,
  type PostingKind,
  RUN_SIZE,
  reasonNumbers,
  verdictOf,
} from './run-segment.ts';

export interface RunRows {
  readonly columns: Readonly<Record<ColumnName, NumberArray>>;
  /** Numbers of the dictionary `account`. */
  readonly accounts: Uint16Array;
  readonly dictionaries: Readonly<Record<DictionaryName, Dictionary>>;
  /** Returns the number of the row. */
  add(record: RunRecord): number;
  recordAt(row: number): RunRecord;
  /** `undefined` where it has none. */
  valueAt(kind: PostingKind, row: number): WideNumber | undefined;
  /** Of its reasons, in the order of their numbers. */
  weightsAt(row: number): readonly number[];
}

const NO_WEIGHTS: readonly number[] = [];

export function createRunRows(firstSeq: number): RunRows {
  const columns = Object.fromEntries(
    COLUMN_NAMES.map((name) => [name, new COLUMNS[name](RUN_SIZE)]),
  ) as unknown as Record<ColumnName, NumberArray>;
  const dictionaries = Object.fromEntries(
    DICTIONARIES.map((name) => [name, createDictionary(name === 'reason' ? MAX_REASONS : RUN_SIZE)]),
  ) as Record<DictionaryName, Dictionary>;
  const accounts = new Uint16Array(RUN_SIZE);
  const wide = { mailbox: createWideColumn(), session: createWideColumn(), ip: createWideColumn() };
  const weights: (readonly number[])[] = [];

  function valueAt(kind: PostingKind, row: number): WideNumber | undefined {
    if (kind === 'domain' || kind === 'asn') return [columns[kind][row] as number, 0];
    if (kind === 'ip4' || kind === 'ip6') return wide.ip.get(row, kind === 'ip4' ? 4 : 6);
    return wide[kind].get(row, 1);
  }

  return {
    columns,
    accounts,
    dictionaries,
    valueAt,
    weightsAt: (row) => weights[row] as readonly number[],
    add(record) {
      const row = weights.length;
      accounts[row] = dictionaries.account.add(record.accountId);
      columns.at[row] = record.at;
      columns.seq[row] = record.seq - firstSeq;
      columns.flags[row] = flagsOf(record.verdict, record.mode, record.shadow);
      columns.score[row] = record.score;
      columns.key[row] = dictionaries.key.add(record.keyId);
      columns.country[row] = dictionaries.country.add(record.country);
      columns.domain[row] = dictionaries.domain.add(record.domain);
      columns.asn[row] = record.asn;
      columns.took[row] = record.tookMs;
      const reasons = numberReasons(record, dictionaries.reason);
      columns.reasons[row] = reasons.mask;
      weights[row] = reasons.weights;
      wide.mailbox.set(row, record.mailbox, 1);
      if (record.session !== null) wide.session.set(row, record.session, 1);
      if (record.ip !== null) wide.ip.set(row, record.ip.value, record.ip.family);
      return row;
    },
    recordAt(row) {
      const number = (name: ColumnName) => columns[name][row] as number;
      const text = (name: DictionaryName, of: number) => dictionaries[name].texts[of] as string;
      const flags = number('flags');
      return {
        accountId: text('account', accounts[row] as number),
        seq: firstSeq + number('seq'),
        at: number('at'),
        verdict: verdictOf(flags),
        mode: modeOf(flags),
        shadow: isShadow(flags),
        score: number('score'),
        keyId: text('key', number('key')),
        country: text('country', number('country')),
        domain: text('domain', number('domain')),
        reasons: reasonNumbers(number('reasons')).map((of) => text('reason', of)),
        weights: weights[row] as readonly number[],
        asn: number('asn'),
        tookMs: number('took'),
        mailbox: valueAt('mailbox', row) as WideNumber,
        session: valueAt('session', row) ?? null,
        ip: toAddress(valueAt('ip4', row), valueAt('ip6', row)),
      };
    },
  };
}

/** The numbers of its reasons as bits, and their weights in the order of these numbers. */
function numberReasons(record: RunRecord, dictionary: Dictionary) {
  let mask = 0;
  const byNumber: number[] = [];
  for (const [index, reason] of record.reasons.entries()) {
    const number = dictionary.add(reason);
    mask = (mask | (1 << number)) >>> 0;
    byNumber[number] = record.weights[index] ?? 0;
  }
  const weights = mask === 0 ? NO_WEIGHTS : reasonNumbers(mask).map((number) => byNumber[number] as number);
  return { mask, weights };
}

export function toAddress(ip4: WideNumber | undefined, ip6: WideNumber | undefined): RunAddress | null {
  if (ip4 !== undefined) return { family: 4, value: ip4 };
  return ip6 === undefined ? null : { family: 6, value: ip6 };
}

/** Numbers in two parts, each with a mark that is not 0 where there is one. */
function createWideColumn() {
  const [high, low] = [new Uint32Array(RUN_SIZE), new Uint32Array(RUN_SIZE)];
  const marks = new Uint8Array(RUN_SIZE);
  return {
    set(row: number, value: WideNumber, mark: number): void {
      [high[row], low[row]] = value;
      marks[row] = mark;
    },
    get: (row: number, mark: number): WideNumber | undefined =>
      marks[row] === mark ? [high[row] as number, low[row] as number] : undefined,
  };
}
