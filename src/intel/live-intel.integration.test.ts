/** The feed thread: one that hangs or dies is replaced, and the waiting caller gets an error; one with nothing to do ends. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { collectGarbage } from '../../test/support/retained-memory.ts';
import { FEEDS_BASELINE } from '../../test/support/small-build.ts';
import { createMetrics } from '../http/metrics.ts';
import type { Intel } from './intel.ts';
import { createLiveIntel } from './live-intel.ts';
import { openSnapshot } from './snapshot.ts';

const REPORTS = {
  metrics: createMetrics({ version: '0.0.0' }),
  log: pino({ level: 'silent' }),
  onStoreAway: expect.unreachable,
};

it.each([
  ['is stuck', 'for (;;);', 'it did nothing for 1.2 s'],
  ['dies', "throw new Error('no memory')", 'no memory'],
])('a thread that %s during an order is reported and replaced', async (_how, fate, why) => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-live-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const beat = new URL('../../dist/platform/thread-beat.js', import.meta.url).href;
  const code = `import { existsSync, writeFileSync } from 'node:fs';
    import { parentPort, workerData } from 'node:worker_threads';
    import { keepBeating } from ${JSON.stringify(beat)};
    keepBeating(workerData);
    const flag = ${JSON.stringify(join(folder, 'begun'))};
    parentPort.on('message', (message) => {
      if (message === 'close') return parentPort.close();
      if (!existsSync(flag)) { writeFileSync(flag, ''); ${fate} }
      parentPort.postMessage({ kind: 'done', order: message.order, why: null });
    });`;
  const faults: string[] = [];
  const deaths: string[] = [];
  const live = createLiveIntel({
    initial: { id: 'bundled' } as Intel,
    dataDir: folder,
    databaseUrl: null,
    feeds: [],
    fetching: true,
    isAnythingKept: () => true,
    thread: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
    ...REPORTS,
    log: pino({ level: 'error' }, { write: (line: string) => faults.push(JSON.parse(line).msg) }),
    onDeath: (name) => deaths.push(name),
    stuckMs: 1_200,
  });
  onTestFinished(() => live.close());
  live.start();
  await expect(live.refresh(['tor-exits'])).rejects.toThrow('the thread that updates the feeds has ended');
  expect(faults.at(-1)).toBe(`feeds: the feeds thread stopped (${why}); another one starts in 250 ms`);
  expect(deaths).toEqual(['feeds']);
  await expect.poll(() => live.refresh(['tor-exits']).then(() => 'done', String)).toBe('done');
});

it('runs the thread only while there is something to do, and starts it for an order', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-live-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const code = `import { appendFileSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    const note = (what) => appendFileSync(${JSON.stringify(join(folder, 'notes'))}, what + ' ');
    note('started');
    parentPort.on('message', (message) => {
      if (message === 'close') { note('closed'); return parentPort.close(); }
      note('order');
      parentPort.postMessage({ kind: 'done', order: message.order, why: null });
      parentPort.postMessage({ kind: 'idle' });
    });
    parentPort.postMessage({ kind: 'idle' });`;
  const notes = () => readFile(join(folder, 'notes'), 'utf8').catch(() => '');
  let isWorkDue = true;
  const live = createLiveIntel({
    initial: { id: 'bundled' } as Intel,
    dataDir: folder,
    databaseUrl: null,
    feeds: [],
    fetching: true,
    isAnythingKept: () => true,
    watch: {
      published: async () => undefined,
      status: async () => [],
      isWorkDue: async () => isWorkDue,
    },
    thread: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
    ...REPORTS,
    onDeath: (name) => expect.unreachable(name),
  });
  live.start();
  await expect.poll(notes).toBe('started closed ');
  isWorkDue = false;
  await live.refresh(['tor-exits']);
  await expect.poll(notes).toBe('started closed started order closed ');
  await live.close();
  await expect(live.refresh(['tor-exits'])).rejects.toThrow('is not running');
  expect(await notes()).toBe('started closed started order closed ');
});

it('keeps no snapshot but the active one, not even the first', async () => {
  const code = `import { readFileSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (message) => {
      if (message === 'close') return parentPort.close();
      const bytes = new Uint8Array(readFileSync(${JSON.stringify(FEEDS_BASELINE)}));
      parentPort.postMessage({ kind: 'snapshot', bytes }, [bytes.buffer]);
      parentPort.postMessage({ kind: 'done', order: message.order, why: null });
    });`;
  const seen: WeakRef<Intel>[] = [];
  const options = {
    dataDir: '',
    databaseUrl: null,
    feeds: [],
    fetching: true,
    isAnythingKept: () => true,
    thread: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
    ...REPORTS,
    onDeath: (name: string) => expect.unreachable(name),
  };
  const begin = async () => {
    const initial = await openSnapshot(FEEDS_BASELINE);
    seen.push(new WeakRef(initial));
    return createLiveIntel({ initial, ...options });
  };
  const live = await begin();
  onTestFinished(() => live.close());
  live.start();
  for (let round = 0; round < 10; round += 1) {
    await live.refresh(['tor-exits']);
    seen.push(new WeakRef(live.current()));
  }
  const alive = async () => {
    await collectGarbage();
    return seen.map((snapshot) => snapshot.deref() !== undefined);
  };
  await expect.poll(alive).toEqual([...Array(10).fill(false), true]);
});
