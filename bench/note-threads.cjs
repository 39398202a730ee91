// Preloaded into a measured service: notes which module each of its threads runs, because Linux knows all threads of Node.js by one name.
// Writes lines of JSON to BENCH_THREADS: `{"worker":ID,"module":…}`, `{"worker":ID,"native":TID}` and `{"started":[TID…]}`.
const { appendFileSync, readdirSync, readlinkSync } = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { basename } = require('node:path');
const threads = require('node:worker_threads');

const file = process.env.BENCH_THREADS;
const note = (line) => appendFileSync(file, `${JSON.stringify(line)}\n`);

if (file !== undefined) {
  note({ worker: threads.threadId, native: Number(basename(readlinkSync('/proc/thread-self'))) });
  if (threads.isMainThread) {
    // Threads that run before the first line of the program belong to V8.
    note({ started: readdirSync('/proc/self/task').map(Number) });
    const { Worker } = threads;
    threads.Worker = class extends Worker {
      constructor(module, options) {
        super(module, options);
        note({ worker: this.threadId, module: basename(String(module)).replace(/\.[cm]?js$/, '') });
      }
    };
    syncBuiltinESMExports();
  }
}
