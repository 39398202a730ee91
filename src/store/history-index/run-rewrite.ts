/** Writes a run again, in steps of a few milliseconds. */
import type { RecordSource } from '../records/record-source.ts';
import type { RunFolder } from './run-folder.ts';
import type { RunSample } from './run-format.ts';
import { type RunRecord, toRunRecord } from './run-record.ts';
import { sealRun } from './run-seal.ts';
import type { Segment } from './run-segment.ts';
import { createRunTable, type RunTable } from './run-table.ts';

const RECORDS_A_STEP = 250;
const SAMPLES = 8;

/** Makes a run again from what is stored now; removes it where nothing is left of it. */
export function* rewriteRun(
  folder: RunFolder,
  source: Pick<RecordSource, 'read' | 'mapAfter'>,
  firstSeq: number,
  keeps: (record: RunRecord) => boolean,
): Generator<undefined, void> {
  if (!folder.runs().has(firstSeq)) return;
  const table = createRunTable(firstSeq);
  for (let last = firstSeq - 1; ; yield) {
    const records = source.mapAfter(last, RECORDS_A_STEP, toRunRecord);
    const own = records.filter(({ seq }) => seq < firstSeq + folder.runSize);
    table.add(own.filter(keeps));
    if (records.length === 0 || own.length < records.length) break;
    last = (own.at(-1) as RunRecord).seq;
  }
  if (table.count === 0) folder.remove(firstSeq);
  else yield* sealTable(folder, source, table, true);
}

export function sealTable(
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
