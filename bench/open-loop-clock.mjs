// The clock of open-loop-load.mjs: sleeps until the next request is due, then posts how many are due by now.
import { parentPort, workerData } from 'node:worker_threads';

const { due, start } = workerData;
const sleeping = new Int32Array(new SharedArrayBuffer(4));
for (let next = 0; next < due.length; ) {
  const passed = Number(process.hrtime.bigint()) / 1e6 - start;
  if (due[next] > passed) Atomics.wait(sleeping, 0, 0, due[next] - passed);
  const before = next;
  const at = Number(process.hrtime.bigint()) / 1e6 - start;
  while (next < due.length && due[next] <= at) next += 1;
  if (next > before) parentPort.postMessage(next);
}
