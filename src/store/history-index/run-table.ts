/** A run that still grows, in memory: takes records in order of commit, is read in order of account and time. */
import type { RunRecord, WideNumber } from './run-record.ts';
import { addUp, type CodedSum, createRollup } from './run-rollup.ts';
import { createRunRows, type RowValues } from './run-rows.ts';
import {
  COLUMNS,
  type ColumnName,
  type DictionaryName,
  type NumberArray,
  type PositionSpan,
  type PostingKind,
  type PostingList,
  RUN_SIZE,
  type Segment,
} from './run-segment.ts';

export interface RunTable extends Segment {
  /** Adds records with higher numbers than those before, all of this run. */
  add(records: readonly RunRecord[]): void;
  /** Sums of an account's assessments, by its number. In order of half hours. */
  sumsOf(account: number): Iterable<CodedSum>;
  /** Accounts that have positions, in the order of these. */
  accounts(): readonly { readonly number: number; readonly span: PositionSpan }[];
  /** Texts in the order of their numbers. */
  texts(dictionary: DictionaryName): readonly string[];
  /** `undefined` where it has none. */
  postedAt(kind: PostingKind, position: number): WideNumber | undefined;
}

export function createRunTable(firstSeq: number): RunTable {
  const rows = createRunRows(firstSeq);
  const { columns, dictionaries } = rows;
  const order = createOrder(rows);
  const rollup = createRollup();
  let [oldestAt, newestAt] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const rowAt = (position: number) => order.rows[position] as number;
  const spanOf = (account: number): PositionSpan => ({
    start: order.startOf(account),
    end: order.startOf(account + 1),
  });
  const table: RunTable = {
    firstSeq,
    get count() {
      return order.count();
    },
    get oldestAt() {
      return oldestAt;
    },
    get newestAt() {
      return newestAt;
    },
    add(records) {
      for (const { at } of records) [oldestAt, newestAt] = [Math.min(oldestAt, at), Math.max(newestAt, at)];
      const added = records.map(rows.add);
      order.add(added.map(({ row }) => row));
      for (const row of added) rollup.add(row);
    },
    positionsOf(accountId) {
      const number = dictionaries.account.numberOf(accountId);
      return number === undefined ? { start: 0, end: 0 } : spanOf(number);
    },
    column(name, { start, end }) {
      return gatherRows(new COLUMNS[name](end - start), columns[name], order.rows.subarray(start, end));
    },
    numberOf: (dictionary, text) => dictionaries[dictionary].numberOf(text),
    textOf: (dictionary, number) => dictionaries[dictionary].texts[number] as string,
    postings(kind, first, last, span) {
      return order.positionsWith(rows.valuesOf(kind), first, last, span);
    },
    rollups(accountId, mode, from, to) {
      const number = dictionaries.account.numberOf(accountId);
      return number === undefined ? [] : addUp(rollup.sumsOf(number, from, to), mode, table.textOf);
    },
    sumsOf: (account) => rollup.sumsOf(account),
    valueAt: (name, position) => columns[name][rowAt(position)] as number,
    postedAt: (kind, position) => rows.valueAt(kind, rowAt(position)),
    texts: (dictionary) => dictionaries[dictionary].texts,
    accounts: () =>
      dictionaries.account.texts
        .map((_, number) => ({ number, span: spanOf(number) }))
        .filter(({ span }) => span.end > span.start),
  };
  return table;
}

function gatherRows(into: NumberArray, values: NumberArray, rows: Uint16Array): NumberArray {
  for (let index = 0; index < rows.length; index += 1) into[index] = values[rows[index] as number] as number;
  return into;
}

/** Keeps rows sorted by account, time and number. */
function createOrder({
  accounts,
  columns,
}: {
  accounts: Uint16Array;
  columns: Record<ColumnName, NumberArray>;
}) {
  const { at } = columns;
  const rows = new Uint16Array(RUN_SIZE);
  let count = 0;
  const compare = (a: number, b: number) =>
    (accounts[a] as number) - (accounts[b] as number) || (at[a] as number) - (at[b] as number) || a - b;
  return {
    rows,
    count: () => count,
    /** Merges from the end: as a rule new rows belong there. */
    add(added: number[]): void {
      added.sort(compare);
      let [old, rest, to] = [count - 1, added.length - 1, count + added.length - 1];
      for (; rest >= 0; to -= 1) {
        const row = added[rest] as number;
        if (old >= 0 && compare(rows[old] as number, row) > 0) {
          rows[to] = rows[old] as number;
          old -= 1;
        } else {
          rows[to] = row;
          rest -= 1;
        }
      }
      count += added.length;
    },
    /** Positions within a span with values from `first` to `last`, both inclusive. */
    positionsWith(
      { high, low, marks, mark }: RowValues,
      first: WideNumber,
      last: WideNumber,
      { start, end }: PositionSpan,
    ): PostingList {
      const found = new Uint16Array(end - start);
      let count = 0;
      for (let position = start; position < end; position += 1) {
        const row = rows[position] as number;
        const value = high[row] as number;
        if (value < first[0] || value > last[0] || (marks !== null && marks[row] !== mark)) continue;
        const rest = low === null ? 0 : (low[row] as number);
        if ((value === first[0] && rest < first[1]) || (value === last[0] && rest > last[1])) continue;
        found[count] = position;
        count += 1;
      }
      return { count, positions: () => found.subarray(0, count) };
    },
    /** The first position of an account with this number or a higher one. */
    startOf(account: number): number {
      let [low, high] = [0, count];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((accounts[rows[middle] as number] as number) < account) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}
