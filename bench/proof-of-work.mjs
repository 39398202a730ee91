// npm run bench -- proof: how long a browser needs for the proof of work of a score, with ALTCHA's widget as our page serves it, at full speed and as on a slow phone.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium } from '../scripts/find-chromium.mjs';
import { readOptions } from '../scripts/read-options.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SCORES = [30, 45, 59, 80];
/** Slow phones: all processes of the browser are stopped for 3/4 and 5/6 of the time. Chromium's own throttling slows the page, but not the workers, which do the work. */
const SLOWDOWNS = [1, 4, 6];
const PERIOD_MS = 24;
const PAGE = `<!doctype html><title>proof</title><body><script type="module">
import './altcha.js';
globalThis.$altcha.algorithms.set('PBKDF2/SHA-256', () => new Worker('pbkdf2.js'));
globalThis.solve = (challenge, workers) => new Promise((done, fail) => {
  const widget = document.createElement('altcha-widget');
  widget.setAttribute('challenge', JSON.stringify(challenge));
  widget.setAttribute('configuration', JSON.stringify({ minDuration: 0, humanInteractionSignature: false, workers }));
  let startedAt;
  widget.addEventListener('load', () => { startedAt = performance.now(); widget.verify(); });
  widget.addEventListener('statechange', ({ detail: { state } }) => {
    if (state === 'error') fail(new Error('the widget failed'));
    if (state !== 'verified') return;
    done(performance.now() - startedAt);
    widget.remove();
  });
  document.body.append(widget);
});
</script>`;

const { values: options } = readOptions(
  `npm run bench -- proof [options]
Solves proofs of work of some scores in Chromium, and prints a table: median and 95th percentile, in milliseconds.
  --solves N    for each score and speed, default 40
  --workers N   of the widget; default 1, as on a phone whose other cores are busy`,
  { options: { solves: { type: 'string', default: '40' }, workers: { type: 'string', default: '1' } } },
);
const { createProofOfWork } = await import(
  pathToFileURL(join(ROOT, 'dist/signup/challenges/proof-of-work.js')).href
);

const http = createServer(sendFile).listen(0, '127.0.0.1');
const server = await chromium.launchServer({ executablePath: findChromium(), args: ['--no-sandbox'] });
const browser = await chromium.connect(server.wsEndpoint());
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${http.address().port}/`);
await page.waitForFunction('globalThis.solve !== undefined');
await page.evaluate(([challenge, workers]) => solve(challenge, workers), [await challengeOf(30, 0), 1]);
const titles = SLOWDOWNS.map((times) => (times === 1 ? 'full speed' : `${times} times slower`));
process.stdout.write(`| Score | ${titles.join(' | ')} |\n|---|${titles.map(() => '---').join('|')}|\n`);
for (const score of SCORES) process.stdout.write(`| ${[score, ...(await measure(score))].join(' | ')} |\n`);
process.stdout.write(
  `\n${options.solves} solves each, ${options.workers} worker(s); ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}\n`,
);
await browser.close();
await server.close();
http.close();

async function measure(score) {
  const cells = [];
  for (const times of SLOWDOWNS) {
    const resume = slowDown(times);
    const durations = [];
    for (let at = 0; at < Number(options.solves); at += 1) {
      const given = [await challengeOf(score, at), Number(options.workers)];
      durations.push(await page.evaluate(([challenge, workers]) => solve(challenge, workers), given));
    }
    resume();
    durations.sort((a, b) => a - b);
    const quantile = (share) => Math.round(durations[Math.ceil(durations.length * share) - 1]);
    cells.push(`${quantile(0.5)} · ${quantile(0.95)}`);
  }
  return cells;
}

/** @returns what ends it */
function slowDown(times) {
  if (times === 1) return () => {};
  const pids = processesOf(server.process().pid);
  const signal = (name) => {
    for (const pid of pids) process.kill(pid, name);
  };
  const pause = setInterval(() => {
    signal('SIGCONT');
    setTimeout(signal, PERIOD_MS / times, 'SIGSTOP');
  }, PERIOD_MS);
  return () => {
    clearInterval(pause);
    setTimeout(signal, 2 * PERIOD_MS, 'SIGCONT');
  };
}

/** A process with all that it started, from Linux's /proc. */
function processesOf(root) {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, parent] = /\) \w (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
        return [[Number(pid), Number(parent)]];
      } catch {
        return [];
      }
    });
  const found = new Set([root]);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

function challengeOf(score, at) {
  const store = { findStored: async () => ({ score }) };
  const work = createProofOfWork({ secret: Buffer.alloc(32), store, factor: 1, onProof() {} });
  const expiresAt = Date.now() + 3_600_000;
  return work.make({ requestId: `req_${score}_${at}`, accountId: 'acc', mode: 'live', expiresAt });
}

function sendFile({ url }, response) {
  const isScript = ['/altcha.js', '/pbkdf2.js'].includes(url);
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
  response.end(isScript ? readFileSync(join(ROOT, 'dist/challenge-widget', url)) : PAGE);
}
