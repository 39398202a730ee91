/** Answers of the embedded store while its file is locked, its disk is slow or its threads die, and what is stored then. */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, it, type TestContext } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { BUILT_THREADS } from '../../../test/support/built-threads.ts';
import { lockDatabase } from '../../../test/support/crash-database.ts';
import type { AssessmentRecord, Store } from '../store.ts';
import {
  openSqliteStore,
  PROMPT_DEADLINES,
  type SqliteDeadlines,
  type SqliteStoreForTests,
} from './sqlite.ts';

const READER = { accountId: 'acc_a', mode: 'live' } as const;
/** Deadlines that even a busy machine keeps. */
const PATIENT: SqliteDeadlines = { waitMs: 60_000, answerMs: 60_000, lockMs: 60_000 };
const MONTH = '2026-05';
const DAYS = { from: Date.UTC(2026, 4, 1), to: Date.UTC(2026, 5, 1) };

type Four = [AssessmentRecord, AssessmentRecord, AssessmentRecord, AssessmentRecord];

/** Tests run concurrently, so each uses its own context. */
type Test = Pick<TestContext, 'onTestFinished'>;

async function newDirectory({ onTestFinished }: Test): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-deadlines-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

interface OpenOptions extends SqliteStoreForTests {
  readonly directory?: string;
}

async function open(test: Test, { directory: place, ...forTests }: OpenOptions = {}) {
  const directory = place ?? (await newDirectory(test));
  const faults: string[] = [];
  const deaths: string[] = [];
  const store = openSqliteStore({
    directory,
    prompt: true,
    forTests: { ...BUILT_THREADS, deadlines: PATIENT, ...forTests },
    onFault: ({ message }) => faults.push(message),
    onDeath: (thread) => deaths.push(thread),
  });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= store.close();
    return closed;
  };
  test.onTestFinished(close);
  return { store, close, directory, file: join(directory, 'gatehouse.db'), faults, deaths };
}

const outcomeOf = (work: Promise<{ outcome: string }>) =>
  work.then(
    ({ outcome }) => outcome,
    (error: Error) => error.message,
  );

/** A module that runs some code before the thread that it becomes. */
function preceded(code: string, module: URL): URL {
  const text = `import { parentPort } from 'node:worker_threads'; import { existsSync, writeFileSync } from 'node:fs';
    ${code}
    await import(${JSON.stringify(pathToFileURL(module.pathname).href)});`;
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`);
}

/** The numbers of the quota, the log and its sums. */
async function totals(store: Store) {
  const credits = await store.creditsUsed('acc_a', MONTH);
  const days = await store.dayCounts('acc_a', DAYS.from, DAYS.to);
  const { rows } = await store.findAssessments('acc_a', { mode: 'live' }, null, 100);
  return { credits, listed: rows.length, days: JSON.stringify(days) };
}

describe.concurrent('a store whose file another program has locked', () => {
  it('waits for a short lock', async ({ expect, onTestFinished }) => {
    const { store, file } = await open({ onTestFinished });
    const unlock = lockDatabase(file);
    const recording = outcomeOf(store.record(anAssessment()));
    await sleep(200);
    unlock();
    expect(await recording).toBe('recorded');
  });

  it('answers every call before the lock is released, and stores nothing of failed calls', async ({
    expect,
    onTestFinished,
  }) => {
    const { store, file } = await open({ onTestFinished }, { deadlines: PROMPT_DEADLINES });
    const unlock = lockDatabase(file);
    const records = Array.from({ length: 40 }, () => anAssessment());
    const outcomes: Promise<string>[] = [];
    for (const record of records) {
      outcomes.push(outcomeOf(store.record(record)));
      await sleep(50);
    }
    // Only the latest calls can still be waiting for the lock.
    const early = await Promise.all(outcomes.slice(0, 15));
    unlock();
    const all = await Promise.all(outcomes);
    expect(new Set(early)).not.toContain('recorded');
    expect(early.some((text) => text.includes('locked') || text.includes('in time'))).toBe(true);
    const recorded = all.filter((text) => text === 'recorded').length;
    await expect
      .poll(async () => [await store.creditsUsed('acc_a', MONTH), await stored(store, records)])
      .toEqual([recorded, recorded]);
  });
});

async function stored(store: Store, records: readonly { requestId: string }[]): Promise<number> {
  const found = await Promise.all(records.map(({ requestId }) => store.findStored(requestId, READER)));
  return found.filter((each) => each !== undefined).length;
}

describe.concurrent('a commit that takes longer than its callers wait', () => {
  it('is undone, also in the log and its sums', async ({ expect, onTestFinished }) => {
    const directory = await newDirectory({ onTestFinished });
    const flag = join(directory, 'answer');
    const late = preceded(
      `const post = parentPort.postMessage.bind(parentPort);
      let answers = 0;
      const postLate = (message) =>
        existsSync(${JSON.stringify(flag)}) ? post(message) : setTimeout(postLate, 10, message);
      parentPort.postMessage = (message) => ((answers += 1) === 2 ? postLate : post)(message);`,
      BUILT_THREADS.writer,
    );
    const deadlines = { ...PATIENT };
    const { store } = await open({ onTestFinished }, { directory, writer: late, deadlines });
    const [kept, undone, unsent, next] = Array.from({ length: 4 }, () => anAssessment()) as Four;
    await store.record(kept);
    const truth = await totals(store);
    const outcome = outcomeOf(store.record(undone));
    await expect.poll(() => stored(store, [undone])).toBe(1);
    // It is in the index of the log before it is undone.
    expect((await totals(store)).credits).toBe(2);
    // A writer that has not answered gets no more jobs.
    const refusal = outcomeOf(store.record(unsent));
    Object.assign(deadlines, PROMPT_DEADLINES);
    expect(await refusal).toContain('cannot take this request now');
    expect(await outcome).toContain('did not answer in time');
    Object.assign(deadlines, PATIENT);
    await writeFile(flag, '');
    await expect.poll(() => totals(store)).toEqual(truth);
    // It is removed last, after the index no longer has it.
    await expect.poll(() => stored(store, [undone, unsent])).toBe(0);
    await store.record(next);
    expect((await totals(store)).listed).toBe(2);
  });

  it('leaves the index correct for the next start, even as the newest record, and reuses no number', async ({
    expect,
    onTestFinished,
  }) => {
    const directory = await newDirectory({ onTestFinished });
    const indexing = { runSize: 2 };
    const run = () =>
      stat(join(directory, 'history', '0000000000000001.run')).then(
        ({ ino, size, mtimeMs, ctimeMs }) => ({ ino, size, mtimeMs, ctimeMs }),
        () => null,
      );
    const [flag, indexed] = ['died', 'indexed'].map((name) => JSON.stringify(join(directory, name)));
    const dying = preceded(
      `while (existsSync(${flag}) && !existsSync(${indexed})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      const post = parentPort.postMessage.bind(parentPort);\nlet answers = 0;
      parentPort.postMessage = (message) => {
        if ((answers += 1) < 2 || existsSync(${flag})) return post(message);
        writeFileSync(${flag}, ''); process.exit(1); };`,
      BUILT_THREADS.writer,
    );
    const { store, close } = await open({ onTestFinished }, { directory, writer: dying, indexing });
    await store.record(anAssessment());
    const truth = await totals(store);
    await outcomeOf(store.record(anAssessment()));
    // It is in the index before it is undone: in a sealed run, which is written again.
    expect((await totals(store)).listed).toBe(2);
    await expect.poll(run).not.toBeNull();
    const sealed = await run();
    await writeFile(join(directory, 'indexed'), '');
    await expect.poll(() => totals(store)).toEqual(truth);
    expect(await run()).not.toEqual(sealed);
    await close();
    const before = await run();
    const again = await open({ onTestFinished }, { directory, indexing });
    expect(await totals(again.store)).toEqual(truth);
    await again.store.record(anAssessment());
    expect((await totals(again.store)).listed).toBe(2);
    expect(await run()).toEqual(before);
  });
});

describe.concurrent('a thread that dies', () => {
  it('as the writer, between commit and answer: no credit is charged for what it had stored', async ({
    expect,
    onTestFinished,
  }) => {
    const directory = await newDirectory({ onTestFinished });
    const flag = JSON.stringify(join(directory, 'died'));
    const dying = preceded(
      `if (!existsSync(${flag})) parentPort.postMessage = () => { writeFileSync(${flag}, ''); process.exit(1); };`,
      BUILT_THREADS.writer,
    );
    const { store, deaths } = await open({ onTestFinished }, { writer: dying });
    const lost = anAssessment();
    expect(await outcomeOf(store.record(lost))).toBe('the writer thread stopped');
    await expect.poll(() => store.creditsUsed('acc_a', MONTH)).toBe(0);
    await expect.poll(() => stored(store, [lost])).toBe(0);
    expect(deaths).toEqual(['writer']);
    // The next one is in the log as well, so it does not get the number of the undone one.
    expect(await outcomeOf(store.record(anAssessment()))).toBe('recorded');
    expect(await totals(store)).toMatchObject({ credits: 1, listed: 1 });
  });

  it('as the checkpointer: it is reported and restarted, and the write-ahead log stays limited meanwhile', async ({
    expect,
    onTestFinished,
  }) => {
    const broken = new URL('data:text/javascript,throw new Error("no memory")');
    const { store, file, faults, deaths } = await open({ onTestFinished }, { checkpointer: broken });
    const facts = 'x'.repeat(500_000);
    // 80 MB. The log restarts at about 40 MB, unless another connection reads at that moment.
    for (let at = 0; at < 160; at += 1) await store.record({ ...anAssessment(), facts });
    expect((await stat(`${file}-wal`)).size).toBeLessThan(60 * 2 ** 20);
    await expect.poll(() => deaths.length).toBeGreaterThan(1);
    expect(faults[0]).toBe('the checkpointer thread stopped (no memory); another one starts in 250 ms');
    expect(faults[1]).toContain('in 500 ms');
  });

  it('as the history thread: it is reported and restarted, also without a query', async ({
    expect,
    onTestFinished,
  }) => {
    const directory = await newDirectory({ onTestFinished });
    const flag = JSON.stringify(join(directory, 'died'));
    const dying = preceded(
      `if (!existsSync(${flag})) { writeFileSync(${flag}, ''); throw new Error('no memory'); }`,
      BUILT_THREADS.historyThread,
    );
    const { store, deaths } = await open({ onTestFinished }, { historyThread: dying });
    await store.record(anAssessment());
    await expect.poll(() => deaths).toEqual(['history']);
    await expect.poll(() => totals(store).catch(() => undefined)).toMatchObject({ listed: 1 });
  });
});

describe.concurrent('a thread that is stuck', () => {
  /** Longer than a healthy thread of low priority waits on a busy machine. */
  const stuckMs = 5_000;
  /** It sleeps, so that it takes no processor time from the others. */
  const hang = (file: string) =>
    `{ writeFileSync(${file}, ''); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }`;
  /** The file in which a thread notes that it hung, so that it hangs once. */
  async function aFlag(test: Test): Promise<string> {
    return JSON.stringify(join(await newDirectory(test), 'hung'));
  }

  it('as the writer: it is reported and replaced, its unanswered record is undone, and the next one is recorded', async ({
    expect,
    onTestFinished,
  }) => {
    const flag = await aFlag({ onTestFinished });
    const stuck = preceded(
      `const post = parentPort.postMessage.bind(parentPort);
      parentPort.postMessage = (message) => { if (!existsSync(${flag})) ${hang(flag)} post(message); };`,
      BUILT_THREADS.writer,
    );
    const { store, deaths, faults } = await open({ onTestFinished }, { writer: stuck, stuckMs });
    const lost = anAssessment();
    expect(await outcomeOf(store.record(lost))).toBe('the writer thread stopped');
    expect(faults.slice(0, 2)).toEqual([
      'the writer thread is stuck (it did nothing for 5 s): it is ended',
      'the writer thread stopped (it did nothing for 5 s); another one starts in 250 ms',
    ]);
    await expect.poll(() => stored(store, [lost])).toBe(0);
    expect(await outcomeOf(store.record(anAssessment()))).toBe('recorded');
    expect(deaths).toEqual(['writer']);
    expect(await totals(store)).toMatchObject({ credits: 1, listed: 1 });
  });

  it('as the checkpointer: it is reported and replaced, while everything is recorded', async ({
    expect,
    onTestFinished,
  }) => {
    const flag = await aFlag({ onTestFinished });
    const stuck = preceded(`if (!existsSync(${flag})) ${hang(flag)}`, BUILT_THREADS.checkpointer);
    const { store, deaths, faults } = await open({ onTestFinished }, { checkpointer: stuck, stuckMs });
    await expect.poll(() => deaths).toContain('checkpointer');
    expect(faults).toContain('the checkpointer thread is stuck (it did nothing for 5 s): it is ended');
    await expect.poll(() => outcomeOf(store.record(anAssessment()))).toBe('recorded');
  });

  it('as the history thread: it is reported and replaced, and a question in progress fails with advice to retry', async ({
    expect,
    onTestFinished,
  }) => {
    const flag = await aFlag({ onTestFinished });
    const stuck = preceded(
      `if (!existsSync(${flag})) parentPort.on('message', () => ${hang(flag)});`,
      BUILT_THREADS.historyThread,
    );
    const { store, deaths } = await open({ onTestFinished }, { historyThread: stuck, stuckMs });
    await store.record(anAssessment());
    const failure = totals(store).catch((error: Error) => error.message);
    expect(await failure).toContain('again');
    expect(deaths).toEqual(['history']);
    await expect.poll(() => totals(store).catch(() => undefined)).toMatchObject({ listed: 1 });
  });
});
