// Preloaded into a measured command: at its end, writes what it used as JSON to WAVES_COST.
const { writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const file = process.env.WAVES_COST;
if (file !== undefined && isMainThread)
  process.once('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    writeFileSync(file, JSON.stringify({ cpuMicroseconds: userCPUTime + systemCPUTime, peakKb: maxRSS }));
  });
