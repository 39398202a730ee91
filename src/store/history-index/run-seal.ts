/** Writes a run's file from a table, in steps of a few milliseconds: under a name of its own, synced, then renamed. */
import { linkSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '../../platform/sync-folder.ts';
import type { RunSample } from './run-format.ts';
import { hashOf } from './run-record.ts';
import type { CodedSum } from './run-rollup.ts';
import { createSectionWriter } from './run-section-writer.ts';
import {
  COLUMN_NAMES,
  DICTIONARIES,
  type DictionaryName,
  type NumberArray,
  POSTING_KINDS,
  POSTINGS,
  type PostingKind,
} from './run-segment.ts';
import { sortIndices } from './run-sort.ts';
import type { RunTable } from './run-table.ts';

export interface SealOptions {
  readonly table: RunTable;
  readonly samples: readonly RunSample[];
  readonly path: string;
  readonly runSize: number;
  /** A run that is there already, made by another process, stays. */
  readonly replace: boolean;
}

const TEXTS_A_STEP = 4_096;
const POSITIONS_A_STEP = 16_384;
const SUMS_A_STEP = 16_384;

/** Each step takes a few milliseconds. A reader sees the whole run or none, also after a crash. Ended early, it leaves nothing. */
export function* sealRun({
  table,
  samples,
  path,
  runSize,
  replace,
}: SealOptions): Generator<undefined, void> {
  const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
  const writer = createSectionWriter(temporary);
  try {
    for (const part of sectionsOf(table)) {
      if (part !== 'pause') writer.add(...part);
      yield;
    }
    writer.end({
      firstSeq: table.firstSeq,
      runSize,
      count: table.count,
      oldestAt: table.count === 0 ? 0 : table.oldestAt,
      newestAt: table.count === 0 ? 0 : table.newestAt,
      samples,
    });
    yield;
    place(temporary, path, replace);
  } finally {
    writer.close();
    rmSync(temporary, { force: true });
  }
  syncFolder(dirname(path));
}

function place(temporary: string, path: string, replace: boolean): void {
  try {
    if (replace) renameSync(temporary, path);
    else linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    // Not every file system has links.
    renameSync(temporary, path);
  }
}

/** A piece of a section. A section may come in several, one after the other, so that each takes little time. */
type Part = readonly [section: string, numbers: NumberArray] | 'pause';

function* sectionsOf(table: RunTable): Generator<Part> {
  const all = { start: 0, end: table.count };
  for (const name of COLUMN_NAMES) yield [name, table.column(name, all)];
  const accounts = table.texts('account').length;
  const starts = new Uint32Array(accounts + 1).fill(table.count);
  // From the last one on: one without positions begins where the next one does.
  const spans = new Map(table.accounts().map(({ number, span }) => [number, span.start]));
  for (let number = accounts - 1; number >= 0; number -= 1)
    starts[number] = spans.get(number) ?? (starts[number + 1] as number);
  yield ['account.starts', starts];
  for (const name of DICTIONARIES) yield* dictionarySections(name, table.texts(name));
  for (const kind of POSTING_KINDS) yield* postingSections(kind, table);
  yield* rollupSections(table);
}

function* dictionarySections(name: DictionaryName, texts: readonly string[]): Generator<Part> {
  const ends = new Uint32Array(texts.length);
  const hashes = new Uint32Array(texts.length);
  let end = 0;
  for (let from = 0; from < texts.length; from += TEXTS_A_STEP) {
    const some = texts.slice(from, from + TEXTS_A_STEP);
    for (const [index, text] of some.entries()) {
      end += Buffer.byteLength(text);
      ends[from + index] = end;
      hashes[from + index] = hashOf(text)[0];
    }
    yield [`${name}.texts`, Uint8Array.from(Buffer.from(some.join('')))];
  }
  yield [`${name}.ends`, ends];
  const numbers = yield* sortIndices(hashes, null);
  yield [`${name}.hashes`, inOrder(new Uint32Array(texts.length), hashes, numbers)];
  yield [`${name}.numbers`, numbers];
}

function* postingSections(kind: PostingKind, table: RunTable): Generator<Part> {
  const [high, low] = [new Uint32Array(table.count), new Uint32Array(table.count)];
  const positions = new Uint16Array(table.count);
  let count = 0;
  for (let position = 0; position < table.count; position += 1) {
    const value = table.postedAt(kind, position);
    if (position % POSITIONS_A_STEP === POSITIONS_A_STEP - 1) yield 'pause';
    if (value === undefined) continue;
    [high[count], low[count]] = value;
    positions[count] = position;
    count += 1;
  }
  yield 'pause';
  const types = POSTINGS[kind];
  const sorted = yield* sortIndices(
    high.subarray(0, count),
    types.low === null ? null : low.subarray(0, count),
  );
  yield [`${kind}.high`, inOrder(new types.high(count), high, sorted)];
  if (types.low !== null) yield [`${kind}.low`, inOrder(new types.low(count), low, sorted)];
  yield [`${kind}.positions`, inOrder(new Uint16Array(count), positions, sorted)];
}

function inOrder<Numbers extends NumberArray>(
  into: Numbers,
  values: NumberArray,
  indices: Uint16Array,
): Numbers {
  for (let index = 0; index < into.length; index += 1)
    into[index] = values[indices[index] as number] as number;
  return into;
}

function* rollupSections(table: RunTable): Generator<Part> {
  const starts = new Uint32Array(table.texts('account').length + 1);
  const sums: CodedSum[] = [];
  let last = 0;
  for (const { number } of table.accounts()) {
    starts.fill(sums.length, last, number + 1);
    last = number + 1;
    for (const sum of table.sumsOf(number)) {
      sums.push(sum);
      if (sums.length % SUMS_A_STEP === 0) yield 'pause';
    }
  }
  starts.fill(sums.length, last);
  yield ['rollup.starts', starts];
  yield ['rollup.slots', Uint32Array.from(sums, ({ slot }) => slot)];
  yield ['rollup.codes', Uint16Array.from(sums, ({ code }) => code)];
  yield ['rollup.counts', Uint32Array.from(sums, ({ count }) => count)];
  yield ['rollup.weights', Float32Array.from(sums, ({ weight }) => weight)];
}
