// Preloaded into a service: each of its threads writes, twice a second, how many bytes of buffers remain after garbage collection, to a file of its own in GATEHOUSE_TEST_BUFFERS.
const { writeFileSync, renameSync, rmSync } = require('node:fs');
const { join } = require('node:path');
const { threadId } = require('node:worker_threads');

const folder = process.env.GATEHOUSE_TEST_BUFFERS;
if (folder !== undefined) {
  const file = join(folder, String(threadId));
  setInterval(() => {
    globalThis.gc();
    writeFileSync(`${file}.new`, String(process.memoryUsage().arrayBuffers));
    renameSync(`${file}.new`, file);
  }, 500).unref();
  process.on('exit', () => rmSync(file, { force: true }));
}
