// Preloaded into a measured service: at SIGUSR2 it collects garbage and writes the remaining memory as JSON to KEPT_MEMORY.
const { writeFileSync, renameSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const file = process.env.KEPT_MEMORY;
if (file !== undefined && isMainThread)
  process.on('SIGUSR2', async () => {
    for (let round = 0; round < 4; round += 1) {
      globalThis.gc();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { heapUsed, arrayBuffers, external, rss } = process.memoryUsage();
    writeFileSync(
      `${file}.new`,
      JSON.stringify({
        keptMb: (heapUsed + arrayBuffers) / 1e6,
        externalMb: external / 1e6,
        residentMb: rss / 1e6,
      }),
    );
    renameSync(`${file}.new`, file);
  });
