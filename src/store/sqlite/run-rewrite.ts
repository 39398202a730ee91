/** Writes a run again without some of its records: from its own columns, in steps of a few milliseconds. */
import type { RecordSource } from './record-source.ts';
import type { RunFolder } from './run-folder.ts';
import type { RunSample } from './run-format.ts';
import type { RunRecord } from './run-record.ts';
import { sealRun } from './run-seal.ts';
import type { Segment } from './run-segment.ts';
import { createRunTable, type RunTable } from './run-table.ts';

const RECORDS_A_STEP = 1_000;
const SAMPLES = 8;

interface RewriteOptions {
  readonly keeps: (record: RunRecord) => boolean;
  readonly change?: ((record: RunRecord) => RunRecord) | undefined;
}

/** Removes the run where nothing is left of it. */
export function* rewriteRun(
  folder: RunFolder,
  source: Pick<RecordSource, 'read'>,
  firstSeq: number,
  { keeps, change }: RewriteOptions,
): Generator<undefined, void> {
  const run = folder.runs().get(firstSeq);
  if (run === undefined) return;
  const table = createRunTable(firstSeq);
  yield* copyRecords(run.segment.records(), table, { keeps, change });
  if (table.count === run.segment.count && change === undefined) return;
  if (table.count === 0) folder.remove(firstSeq);
  else yield* sealTable(folder, source, table, true);
}

/** Seals a tail. Where records were removed from it, their texts are left out, too. */
export function* sealTail(
  folder: RunFolder,
  source: Pick<RecordSource, 'read'>,
  tail: RunTable,
): Generator<undefined, void> {
  if (tail.count === 0) return;
  if (!tail.hasRemains) return yield* sealTable(folder, source, tail, false);
  const table = createRunTable(tail.firstSeq);
  yield* copyRecords(recordsOf(tail), table, { keeps: () => true });
  yield* sealTable(folder, source, table, false);
}

function sealTable(
  folder: RunFolder,
  source: Pick<RecordSource, 'read'>,
  table: RunTable,
  replace: boolean,
): Generator<undefined, void> {
  const { firstSeq } = table;
  return sealRun({
    table,
    samples: samplesOf(table, source),
    path: folder.pathOf(firstSeq),
    runSize: folder.runSize,
    replace,
  });
}

/** The records by which a run is known to be of a database: in the order of their numbers, the newest among them. */
function samplesOf(segment: Segment, source: Pick<RecordSource, 'read'>): RunSample[] {
  const numbers = segment.column('seq', { start: 0, end: segment.count });
  const step = Math.max(1, Math.floor(segment.count / SAMPLES));
  const chosen = new Set<number>();
  let newest = 0;
  for (let position = 0; position < numbers.length; position += 1) {
    const number = numbers[position] as number;
    newest = Math.max(newest, number);
    if (position % step === 0) chosen.add(number);
  }
  chosen.add(newest);
  return source
    .read([...chosen].map((number) => segment.firstSeq + number))
    .map(({ seq, requestId }) => ({ seq, requestId }))
    .sort((a, b) => a.seq - b.seq);
}

function* recordsOf(table: RunTable): Generator<RunRecord> {
  for (let position = 0; position < table.count; position += 1) yield table.recordAt(position);
}

function* copyRecords(
  records: Iterable<RunRecord>,
  table: RunTable,
  { keeps, change = (record) => record }: RewriteOptions,
): Generator<undefined, void> {
  let some: RunRecord[] = [];
  for (const record of records) {
    if (keeps(record)) some.push(change(record));
    if (some.length < RECORDS_A_STEP) continue;
    table.add(some);
    some = [];
    yield;
  }
  table.add(some);
}
