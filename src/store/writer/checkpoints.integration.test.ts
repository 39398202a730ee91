/** The checkpoint thread runs while there are commits, and whenever the write-ahead log is to be emptied. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { BUILT_THREADS, PATIENT_WRITES } from '../../../test/support/built-threads.ts';
import { openSqliteStore } from '../sqlite/sqlite.ts';
import { startCheckpoints } from './checkpoints.ts';

it('end when nothing is committed, and start again after some commits or for an order', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-checkpoints-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const code = `import { appendFileSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    const note = (what) => appendFileSync(${JSON.stringify(join(directory, 'notes'))}, what + ' ');
    note('started');
    parentPort.on('message', (message) => {
      note(message);
      if (message === 'close') return parentPort.close();
      parentPort.postMessage('emptied');
    });
    parentPort.postMessage('idle');`;
  const notes = () => readFile(join(directory, 'notes'), 'utf8').catch(() => '');
  const checkpoints = startCheckpoints({
    file: join(directory, 'gatehouse.db'),
    module: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
    prompt: false,
    stuckMs: undefined,
    onFault: (error) => expect.unreachable(error.message),
    onDeath: (name) => expect.unreachable(name),
  });
  await expect.poll(notes).toBe('started close ');
  const noteCommit = checkpoints.noteAfter(() => {});
  for (let commit = 0; commit < 64; commit += 1) noteCommit();
  await expect.poll(notes).toBe('started close started close ');
  await checkpoints.emptyWal();
  expect(await notes()).toBe('started close started close started empty ');
  await checkpoints.close();
  expect(await notes()).toBe('started close started close started empty close ');
});

it('happen once more when the store closes, even before the thread has started', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-checkpoints-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const store = openSqliteStore({
    directory,
    prompt: true,
    forTests: { ...BUILT_THREADS, deadlines: PATIENT_WRITES },
  });
  const record = anAssessment({ at: Date.now() });
  await store.record(record);
  const inFile = async () => (await readFile(join(directory, 'gatehouse.db'))).includes(record.requestId);
  await store.close();
  expect(await inFile()).toBe(true);
});
