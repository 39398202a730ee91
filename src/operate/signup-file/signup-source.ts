/** Opens the past signups: a stream as it comes; a file in order of time, sorted in memory if it is in another order. */
import { createReadStream, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { ChooseColumns, SignupColumns } from './signup-parser.ts';
import { readSignupRecords } from './signup-records.ts';
import { parseTime } from './signup-time.ts';

type Batches = ReturnType<typeof readSignupRecords>;
type Batch = Awaited<ReturnType<Batches['next']>>['value'];

export interface SignupSource {
  readonly batches: Batches;
  /** `sorted`: the rows were in another order than that of their times. `arrival`: they come as they happen. */
  readonly order: 'as it is' | 'sorted' | 'arrival';
  /** 0 … 1 of the file; `undefined` for a stream. */
  progress(): number | undefined;
  /** Ends the batches soon. */
  stop(): void;
}

interface FileOrder {
  readonly rows: number;
  /** The first row that is earlier than a row before it; `null` if the file is in order. */
  readonly disorder: { readonly line: number } | null;
}

const CHUNK_BYTES = 256 * 1024;
/** Counters accept signups that are late by less. */
export const MAX_LATE_MS = 60_000;
/** Max. rows that are sorted in memory, about 300 bytes each. */
const MAX_SORTED_ROWS = 1_000_000;
const SORTED_BATCH_ROWS = 1_000;

/** `-` is the standard input. @throws when it cannot be read, or has too many rows in the wrong order */
export async function openSignups(
  file: string,
  choose: ChooseColumns,
  onChecking: (line: string) => void,
): Promise<SignupSource> {
  if (file === '-') return follow(process.stdin, choose);
  const bytes = sizeOf(file);
  if (bytes === undefined) return follow(open(file), choose);
  onChecking(`reading the times in ${file}`);
  const { rows, disorder } = await checkOrder(file, choose);
  if (disorder !== null && rows > MAX_SORTED_ROWS) {
    throw new Error(
      `line ${disorder.line} is earlier than a line before it, and ${rows} rows are too many to sort in memory: sort the file by time (with sort(1), or ORDER BY in the export), and run this again`,
    );
  }
  const input = open(file);
  const batches = readSignupRecords(input, choose);
  const stop = () => input.destroy();
  if (disorder === null) {
    return { batches, order: 'as it is', progress: () => input.bytesRead / Math.max(1, bytes), stop };
  }
  const sorted = { passed: 0 };
  return { batches: inOrder(batches, sorted), order: 'sorted', progress: () => sorted.passed / rows, stop };
}

/** Rows of a file in the order of its lines. `-` is the standard input. @throws when it cannot be read */
export function openRows(file: string, choose: ChooseColumns): Omit<SignupSource, 'order'> {
  if (file === '-') return follow(process.stdin, choose);
  const bytes = sizeOf(file);
  if (bytes === undefined) return follow(open(file), choose);
  const input = open(file);
  return {
    batches: readSignupRecords(input, choose),
    progress: () => input.bytesRead / Math.max(1, bytes),
    stop: () => input.destroy(),
  };
}

function follow(input: Readable, choose: ChooseColumns): SignupSource {
  input.setEncoding('utf8');
  return {
    batches: readSignupRecords(input, choose),
    order: 'arrival',
    progress: () => undefined,
    stop: () => input.destroy(),
  };
}

function open(file: string) {
  return createReadStream(file, { encoding: 'utf8', highWaterMark: CHUNK_BYTES });
}

/** `undefined` for a pipe, which can be read only once. @throws when there is no such file */
function sizeOf(file: string): number | undefined {
  try {
    const stats = statSync(file);
    if (stats.isDirectory()) throw new Error(`${file} is a folder`);
    return stats.isFile() ? stats.size : undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`cannot read ${file} (${code ?? message})`);
  }
}

async function checkOrder(file: string, choose: ChooseColumns): Promise<FileOrder> {
  const hasTimes = { value: false };
  const chooseAndNote: ChooseColumns = (names): SignupColumns => {
    const columns = choose(names);
    hasTimes.value = columns.time !== null;
    return columns;
  };
  let rows = 0;
  let newest = Number.NEGATIVE_INFINITY;
  let disorder: FileOrder['disorder'] = null;
  for await (const batch of readSignupRecords(open(file), chooseAndNote)) {
    if (!hasTimes.value) return { rows: 0, disorder: null };
    rows += batch.length;
    for (const record of batch) {
      const at = timeOf(record);
      if (at < newest - MAX_LATE_MS) disorder ??= { line: record.line };
      if (at > newest) newest = at;
    }
  }
  return { rows, disorder };
}

/** The rows without a time come first: they are reported, not judged. */
async function* inOrder(batches: Batches, progress: { passed: number }): AsyncGenerator<Batch, void> {
  const rows: { readonly at: number; readonly record: Batch[number] }[] = [];
  for await (const batch of batches) {
    for (const record of batch) rows.push({ at: timeOf(record), record });
  }
  rows.sort((a, b) => a.at - b.at || a.record.line - b.record.line);
  for (let from = 0; from < rows.length; from += SORTED_BATCH_ROWS) {
    progress.passed = from;
    yield rows.slice(from, from + SORTED_BATCH_ROWS).map(({ record }) => record);
  }
}

function timeOf(record: Batch[number]): number {
  return ('time' in record ? parseTime(record.time) : undefined) ?? Number.NEGATIVE_INFINITY;
}
