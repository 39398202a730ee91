// An echo that stalls once; a load generator must not hide that.
import { createServer } from 'node:http';

/** In the middle of `checkGenerator`, after its warm-up. */
const STALL_AFTER_MS = 3_500;
const stallMs = Number(process.env.STALL_MS);
let first;
let hasStalled = false;

const server = createServer((request, response) => {
  first ??= performance.now();
  if (!hasStalled && performance.now() - first > STALL_AFTER_MS) {
    hasStalled = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs);
  }
  request.resume().once('end', () => response.end('{}'));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}`, msg: 'listening' })}\n`,
  );
});
