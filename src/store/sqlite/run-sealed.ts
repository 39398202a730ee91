/** A sealed run as searches and counts read it: from its file, by the parts they need. */
import type { RunFile } from './run-file.ts';
import { hashOf, type RunRecord, type WideNumber } from './run-record.ts';
import { createSums } from './run-rollup.ts';
import { toAddress } from './run-rows.ts';
import { countNumbers, firstIndex, type NumbersType, postingBounds, readNumbers } from './run-sections.ts';
import {
  COLUMN_NAMES,
  COLUMNS,
  type ColumnName,
  DICTIONARIES,
  type DictionaryName,
  isShadow,
  MAX_REASONS,
  modeOf,
  type NumberArray,
  POSTINGS,
  type PositionSpan,
  type PostingKind,
  reasonNumbers,
  type Segment,
  verdictOf,
} from './run-segment.ts';

export interface SealedRun extends Segment {
  /** All of it, to write it again. */
  records(): Generator<RunRecord>;
}

export function openSealedRun(file: RunFile): SealedRun {
  const { firstSeq, count, oldestAt, newestAt } = file.description;
  const dictionaries = Object.fromEntries(
    DICTIONARIES.map((name) => [name, createSealedDictionary(file, name)]),
  ) as Record<DictionaryName, ReturnType<typeof createSealedDictionary>>;
  const part = <Numbers>(section: string, type: NumbersType<Numbers>, start: number, end: number) =>
    readNumbers(file, section, type, start, end);
  const column = (name: ColumnName, { start, end }: PositionSpan) =>
    part<NumberArray>(name, COLUMNS[name], start, end);

  const segment: Segment = {
    firstSeq,
    count,
    oldestAt,
    newestAt,
    positionsOf(accountId) {
      const number = dictionaries.account.numberOf(accountId);
      if (number === undefined) return { start: 0, end: 0 };
      const [start = 0, end = 0] = part('account.starts', Uint32Array, number, number + 2);
      return { start, end };
    },
    column,
    valueAt: (name, position) => file.numberAt(name, COLUMNS[name].BYTES_PER_ELEMENT, position),
    numberOf: (dictionary, text) => dictionaries[dictionary].numberOf(text),
    textOf: (dictionary, number) => dictionaries[dictionary].textOf(number),
    postings(kind, first, last, span) {
      const [start, end] = postingBounds(file, kind, first, last);
      const read = () => {
        const found = part(`${kind}.positions`, Uint16Array, start, end);
        return found.filter((position) => position >= span.start && position < span.end).sort();
      };
      return { count: end - start, positions: read };
    },
    rollups(accountId, mode, from, to) {
      const account = dictionaries.account.numberOf(accountId);
      if (account === undefined) return [];
      const first = file.numberAt('rollup.starts', 4, account);
      const rows = file.numberAt('rollup.starts', 4, account + 1) - first;
      const bound = (slot: number) =>
        first + firstIndex(rows, (index) => file.numberAt('rollup.slots', 4, first + index) >= slot);
      const [start, end] = [bound(from), bound(to)];
      const slots = part('rollup.slots', Uint32Array, start, end);
      const codes = part('rollup.codes', Uint16Array, start, end);
      const counts = part('rollup.counts', Uint32Array, start, end);
      const weights = part('rollup.weights', Float32Array, start, end);
      const sums = createSums(mode);
      for (let index = 0; index < slots.length; index += 1)
        sums.add(
          slots[index] as number,
          codes[index] as number,
          counts[index] as number,
          weights[index] as number,
        );
      return sums.rows(segment);
    },
  };
  return Object.assign(segment, { records: () => readRecords(file, segment) });
}

/** The texts of a column: by their numbers, or found by a hash. */
function createSealedDictionary(file: RunFile, name: DictionaryName) {
  const count = countNumbers(file, `${name}.ends`, Uint32Array);
  const [hashes, ends, numbers] = [`${name}.hashes`, `${name}.ends`, `${name}.numbers`];
  const hashAt = (index: number) => file.numberAt(hashes, 4, index);

  function textOf(number: number): string {
    const start = number === 0 ? 0 : file.numberAt(ends, 4, number - 1);
    const end = file.numberAt(ends, 4, number);
    return Buffer.from(file.read(`${name}.texts`, start, end - start)).toString();
  }

  return {
    textOf,
    /** `undefined`: no record has it. */
    numberOf(text: string): number | undefined {
      const [hash] = hashOf(text);
      for (let index = firstIndex(count, (at) => hashAt(at) >= hash); index < count; index += 1) {
        if (hashAt(index) !== hash) break;
        const number = file.numberAt(numbers, 2, index);
        if (textOf(number) === text) return number;
      }
      // As in `createDictionary` of `run-rows.ts`: what is beyond the last number shares it.
      return name === 'reason' && count === MAX_REASONS ? MAX_REASONS - 1 : undefined;
    },
  };
}

/** In the order of positions. */
function* readRecords(file: RunFile, segment: Segment): Generator<RunRecord> {
  const all = { start: 0, end: segment.count };
  const columns = Object.fromEntries(COLUMN_NAMES.map((name) => [name, segment.column(name, all)])) as Record<
    ColumnName,
    NumberArray
  >;
  const values = Object.fromEntries(
    (['mailbox', 'session', 'ip4', 'ip6'] as const).map((kind) => [
      kind,
      readValues(file, kind, segment.count),
    ]),
  ) as Record<PostingKind, (WideNumber | undefined)[]>;
  const weights = readNumbers(file, 'weights', Float32Array, 0, countNumbers(file, 'weights', Float32Array));
  const accounts = countNumbers(file, 'account.ends', Uint32Array);
  const starts = readNumbers(file, 'account.starts', Uint32Array, 0, accounts + 1);
  let weighed = 0;
  for (let account = 0; account < accounts; account += 1) {
    const accountId = segment.textOf('account', account);
    for (
      let position = starts[account] as number;
      position < (starts[account + 1] as number);
      position += 1
    ) {
      const number = (name: ColumnName) => columns[name][position] as number;
      const flags = number('flags');
      const reasons = reasonNumbers(number('reasons')).map((of) => segment.textOf('reason', of));
      weighed += reasons.length;
      yield {
        accountId,
        seq: segment.firstSeq + number('seq'),
        at: number('at'),
        verdict: verdictOf(flags),
        mode: modeOf(flags),
        shadow: isShadow(flags),
        score: number('score'),
        keyId: segment.textOf('key', number('key')),
        country: segment.textOf('country', number('country')),
        domain: segment.textOf('domain', number('domain')),
        reasons,
        weights: [...weights.subarray(weighed - reasons.length, weighed)],
        asn: number('asn'),
        tookMs: number('took'),
        mailbox: values.mailbox[position] as WideNumber,
        session: values.session[position] ?? null,
        ip: toAddress(values.ip4[position], values.ip6[position]),
      };
    }
  }
}

/** By position. */
function readValues(file: RunFile, kind: PostingKind, count: number): (WideNumber | undefined)[] {
  const types = POSTINGS[kind];
  const entries = countNumbers(file, `${kind}.high`, types.high);
  const high = readNumbers<NumberArray>(file, `${kind}.high`, types.high, 0, entries);
  const low =
    types.low === null ? null : readNumbers<NumberArray>(file, `${kind}.low`, types.low, 0, entries);
  const positions = readNumbers(file, `${kind}.positions`, Uint16Array, 0, entries);
  const values = Array<WideNumber | undefined>(count);
  for (const [index, position] of positions.entries())
    values[position] = [high[index] as number, low?.[index] ?? 0];
  return values;
}
