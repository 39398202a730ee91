import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { START_OPTIONS } from '../../test/support/start-options.ts';

/** Largest size that the young generation of the thread that runs it grows to, megabytes: much garbage, of which some lives for a while. */
const GROW = `function grow() {
  let largest = 0;
  for (let round = 0, kept = []; round < 60; round += 1) {
    if (round % 3 === 0) kept = [];
    for (let each = 0; each < 20_000; each += 1) kept.push({ each, of: [round] });
    const spaces = getHeapSpaceStatistics();
    const young = spaces.find(({ space_name: name }) => name === 'new_space');
    largest = Math.max(largest, young.physical_space_size / 2 ** 20);
  }
  return largest;
}`;
const THREAD = `import { getHeapSpaceStatistics } from 'node:v8';
  import { parentPort } from 'node:worker_threads';
  ${GROW}
  parentPort.postMessage(grow());`;
const MAIN = `import { getHeapSpaceStatistics } from 'node:v8';
  import { startThread } from ${JSON.stringify(new URL('../../dist/platform/thread.js', import.meta.url).href)};
  ${GROW}
  const module = new URL(${JSON.stringify(`data:text/javascript,${encodeURIComponent(THREAD)}`)});
  const options = { module, workerData: {}, onFault() {}, onDeath() {} };
  const inThread = await new Promise((resolve) => {
    const thread = startThread({ ...options, name: 'waves', youngMegabytes: 6, onMessage(grown) {
      void thread.close();
      resolve(grown);
    } });
  });
  process.stdout.write(JSON.stringify({ inThread, inMain: grow() }));`;

it('a thread keeps its limit for young objects, and the main thread what `npm start` gives it', async () => {
  const args = [...START_OPTIONS, '--input-type=module', '--eval', MAIN];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { inThread, inMain } = JSON.parse(stdout);
  // From Node.js 25 on, nothing stops V8 from postponing young collections during a full one.
  expect(inThread).toBeLessThanOrEqual(Number.parseInt(process.versions.v8, 10) >= 14 ? 33 : 6);
  expect(inMain).toBeGreaterThan(32);
});
