/** The thread that learns waves from what is committed to the database that its settings name. */
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { lowerPriority } from '../platform/low-priority.ts';
import { keepBeating } from '../platform/thread-beat.ts';
import { toStoredMember } from '../signup/stored-member.ts';
import { openCommittedSignups } from '../store/sqlite/committed-signups.ts';
import { type LearningData, runLearning } from '../waves/live-learning.ts';

/** Groups are forgotten sooner. */
const LEARNED_MS = 30 * 86_400_000;

lowerPriority();
keepBeating(workerData);
const { dataDir, databaseUrl, ...data } = workerData as LearningData & {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
};

await runLearning(data, await openSource());

async function openSource() {
  const read = { since: Date.now() - LEARNED_MS, make: toStoredMember };
  if (databaseUrl === null) return openCommittedSignups({ ...read, file: join(dataDir, 'gatehouse.db') });
  const { openSharedSignups } = await import('../store/postgres/committed-signups.ts');
  return openSharedSignups({ ...read, url: databaseUrl });
}
