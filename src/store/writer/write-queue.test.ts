import { expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { SERVICE_DEADLINES } from '../commit-deadlines.ts';
import { MAX_RECORDS } from '../records/batch-rows.ts';
import type { StatementsJob } from '../sqlite-jobs.ts';
import type { Chunk } from './chunk.ts';
import { createWriteQueue } from './write-queue.ts';

const STATEMENTS: StatementsJob = { statements: [] };
/** Records of a batch; 0 for statements. */
const sizes = ({ work }: Chunk) => work.map((each) => ('ids' in each ? each.ids.split(' ').length : 0));

it('makes batches that fit into a row, in the order of the jobs', () => {
  const queue = createWriteQueue({ ...SERVICE_DEADLINES, lockMs: 0 });
  const records = Array.from({ length: 2 * MAX_RECORDS + 3 }, () => anAssessment());
  for (const record of records.slice(0, -2)) queue.add(record);
  queue.add(STATEMENTS);
  for (const record of records.slice(-2)) queue.add(record);
  const chunk = queue.nextChunk() as Chunk;
  expect(sizes(chunk)).toEqual([MAX_RECORDS, MAX_RECORDS, 1, 0, 2]);
  expect(chunk.work.flatMap((each) => ('ids' in each ? each.ids.split(' ') : []))).toEqual(
    records.map(({ requestId }) => requestId),
  );
  expect(chunk.deadlines).toHaveLength(records.length + 1);
});

it('keeps of what the writer has only the id of a record', () => {
  const queue = createWriteQueue({ ...SERVICE_DEADLINES, lockMs: 0 });
  const record = anAssessment();
  queue.add(record);
  queue.add(STATEMENTS);
  queue.nextChunk();
  expect(queue.takeAnswered()).toMatchObject([
    { job: undefined, requestId: record.requestId },
    { job: undefined, requestId: undefined },
  ]);
});

it('hands over nothing while the writer has not answered', () => {
  const queue = createWriteQueue({ ...SERVICE_DEADLINES, lockMs: 0 });
  queue.add(anAssessment());
  expect(queue.nextChunk()).toBeDefined();
  queue.add(anAssessment());
  expect(queue.nextChunk()).toBeUndefined();
  queue.takeAnswered();
  expect(queue.nextChunk()).toBeDefined();
});
