/** A sealed run as searches and counts read it: from its file, by the parts they need. */
import type { RunFile } from './run-file.ts';
import { hashOf } from './run-record.ts';
import { addUp } from './run-rollup.ts';
import { countNumbers, firstIndex, type NumbersType, postingBounds, readNumbers } from './run-sections.ts';
import {
  COLUMNS,
  type ColumnName,
  DICTIONARIES,
  type DictionaryName,
  maxTextsOf,
  type NumberArray,
  type PositionSpan,
  type Segment,
} from './run-segment.ts';

export function openSealedRun(file: RunFile): Segment {
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
      const sums = Array.from(slots, (slot, index) => ({
        slot,
        code: codes[index] as number,
        count: counts[index] as number,
        weight: weights[index] as number,
      }));
      return addUp(sums, mode, segment.textOf);
    },
  };
  return segment;
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
      return count === maxTextsOf(name) ? count - 1 : undefined;
    },
  };
}
