// An hour (or --minutes) at half load on an embedded service whose feed has another list twice a minute: memory, descriptors and latency must stay flat. Prints a line a minute and fails if something grows. Latency is compared between minutes in which other processes did little.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FEEDS } from '../dist/intel/feeds.js';
import { readCount, readOptions } from '../scripts/read-options.mjs';
import { signUpStrangers, snapshotsOf, startChangingFeed } from './changing-feed.mjs';
import { makeDirectory, ownChild } from './clean-up.mjs';
import { settingsOf } from './contenders.mjs';
import { startDns } from './dns.mjs';
import { isQuiet, percent } from './doubts.mjs';
import { load } from './load.mjs';
import { watchOthers } from './machine.mjs';
import { makeRequests, median, print, unlimitedKey } from './measure.mjs';
import { openLoop } from './open-loop.mjs';
import { BIN, start, startArgs } from './process.mjs';
import { residentBytes } from './resident-bytes.mjs';

const MIB = 1024 * 1024;
const WARM_UP_SECONDS = 20;
const PROBE_SECONDS = 5;
/** Publishers change some lists each hour: an hour has as many updates as some days have. */
const UPDATE_SECONDS = 30;
/** Share of the time in which caches, pools and the index fill; only the time after it is compared. */
const SETTLING = 1 / 4;
/** Compares the first and the last quarter of the quiet minutes, which must cover half of the settled time. */
const COMPARED = { parts: 4, apart: 1 / 2 };
/** Memory grows and shrinks: garbage is collected in steps, and the index of new signups stays in memory until it is sealed. */
const MAX_GROWTH = { resident: 0.2, descriptors: 0.2, p99: 1 };
const SLACK = { resident: 48, descriptors: 16, p99: 20 };

const { values } = readOptions(
  `npm run bench -- soak [options]
  --minutes N   default 60; each minute is a line
  --rate N      requests a second; default: half of what the service takes on this machine`,
  { options: { minutes: { type: 'string' }, rate: { type: 'string' } } },
);
const minutes = readCount(values.minutes, 60);
const dns = await startDns();
const directory = makeDirectory('soak');
const feed = await startChangingFeed({
  directory,
  feedIds: FEEDS.map(({ id }) => id),
  everySeconds: UPDATE_SECONDS,
});
const settings = { ...settingsOf(dns, join(directory, 'data')), ...feed.settings };
const { key } = unlimitedKey(settings, BIN);
const requests = makeRequests(key);
const service = await start(startArgs(), settings, [process.execPath], ownChild);
const { port, pid } = service;
await load({ port, requests, connections: 64, seconds: WARM_UP_SECONDS });
const rate = readCount(values.rate, 0) || (await halfLoad());
print(`${rate} requests a second for ${minutes} minutes\n`);
print('minute  resident MiB  descriptors  snapshots  p50 ms  p99 ms  worst ms  others  refused');
const rows = [];
for (let minute = 1; minute <= minutes; minute += 1) {
  const watch = watchOthers(() => [pid, dns.pid]);
  const strangers = signUpStrangers({ port, key, round: minute });
  const { p50, p99, worst, refused, unanswered } = await openLoop({ port, requests, rate, seconds: 58 });
  const others = watch();
  const broken = refused + unanswered + (await strangers);
  const snapshots = await snapshotsOf(port);
  const resident = residentBytes(pid) / MIB;
  const descriptors = readdirSync(`/proc/${pid}/fd`).length;
  rows.push({ minute, others, resident, descriptors, snapshots, p99, broken });
  const times = [p50.toFixed(1), p99.toFixed(1), worst.toFixed(0)];
  const cells = [resident.toFixed(0), descriptors, snapshots, ...times, percent(others)];
  print(
    `${String(minute).padStart(6)}  ${cells.map((cell) => String(cell).padStart(9)).join(' ')}  ${broken}`,
  );
}
await service.stop();
feed.close();
dns.close();
for (const fault of findGrowth(rows)) {
  process.stderr.write(`soak: ${fault}\n`);
  process.exitCode = 1;
}

async function halfLoad() {
  const { perSecond } = await load({ port, requests, connections: 64, seconds: PROBE_SECONDS });
  return Math.max(1, Math.floor(perSecond / 2));
}

/** Compares the first and the last quarter of the quiet minutes after the service has settled. */
function findGrowth(all) {
  const broken = all.reduce((sum, row) => sum + row.broken, 0);
  const faults = broken > 0 ? [`${broken} requests without an answer of 200`] : [];
  const { snapshots, minute } = all.at(-1);
  if (snapshots < minute / 2) faults.push(`only ${snapshots} new snapshots in ${minute} minutes`);
  const settled = all.slice(Math.floor(all.length * SETTLING));
  if (settled.length < 2) return faults;
  faults.push(...growthOf('resident', settled), ...growthOf('descriptors', settled));
  const quiet = settled.filter(({ others }) => isQuiet(others));
  if (quiet.length > 1 && quiet.at(-1).minute - quiet[0].minute >= settled.length * COMPARED.apart)
    return [...faults, ...growthOf('p99', quiet)];
  return [
    ...faults,
    `latency was not compared: in ${settled.length - quiet.length} of ${settled.length} minutes other processes used much of a core`,
  ];
}

function growthOf(name, rows) {
  const part = Math.max(1, Math.floor(rows.length / COMPARED.parts));
  const [first, last] = [rows.slice(0, part), rows.slice(-part)].map((some) =>
    median(some.map((row) => row[name])),
  );
  if (last - first <= Math.max(first * MAX_GROWTH[name], SLACK[name])) return [];
  return [`${name} grew from ${first.toFixed(1)} to ${last.toFixed(1)}`];
}
