/** Moves assessments that older versions stored into batches, some at a time, with their numbers: each transaction leaves every record in one of both places. */

import { toParts } from './batch-rows.ts';
import { type OldRow, READ_OLD, toRecord } from './old-records.ts';
import { toTexts } from './record-batch.ts';
import type { NumberedAssessment } from './record-source.ts';
import { batchValues, INSERT_BATCH, type Prepare } from './recorder.ts';

/** In the writer's transaction, the oldest first. @returns how many it moved, at most `limit`; 0: none is left */
export function createMoveRecords(prepare: Prepare) {
  const read = prepare(`${READ_OLD} ORDER BY a.seq LIMIT ?`);
  const insert = prepare(INSERT_BATCH);
  const remove = prepare('DELETE FROM assessments WHERE seq <= ?');
  const removeDocuments = prepare('DELETE FROM assessment_documents WHERE seq <= ?');

  return function move(limit: number): number {
    const records = (read.all(limit) as OldRow[]).map(toRecord);
    for (const run of withoutGaps(records)) {
      let { seq } = run[0] as NumberedAssessment;
      for (const part of toParts(toTexts(run))) {
        insert.run(batchValues(seq, part));
        seq += part.count;
      }
    }
    const last = records.at(-1);
    if (last === undefined) return 0;
    remove.run(last.seq);
    removeDocuments.run(last.seq);
    return records.length;
  };
}

/** The numbers of a batch follow each other. */
function withoutGaps(records: readonly NumberedAssessment[]): NumberedAssessment[][] {
  const runs: NumberedAssessment[][] = [];
  for (const record of records) {
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1)?.seq === record.seq - 1) run.push(record);
    else runs.push([record]);
  }
  return runs;
}
