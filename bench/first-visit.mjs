// npm run bench -- first-visit: what a browser that never was here loads, and when it paints the heading of a page, over a slow line.
import { chromium } from 'playwright-core';
import { OWNER, PASSWORD } from '../demo/staff.mjs';
import { findChromium } from '../scripts/find-chromium.mjs';
import { readOptions } from '../scripts/read-options.mjs';

const { values: options } = readOptions(
  `npm run bench -- first-visit --url URL [options]
Opens pages of a running demo (npm run demo) in a new browser each time, over a line of 1.6 Mbit/s with 150 ms, and
prints what they load, in bytes as sent, and when the heading and the first text are painted: medians of the rounds.
  --url URL     of the demo, default http://127.0.0.1:8080
  --rounds N    default 5`,
  {
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:8080' },
      rounds: { type: 'string', default: '5' },
    },
  },
);
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 };
const PAGES = ['/sign-in', 'today', 'assessments', 'thresholds'];

const COLUMNS = ['requests', 'scripts', 'script kB', 'all kB', 'first paint ms', 'heading ms'];

const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-gpu'],
});
print('page', COLUMNS);
for (const page of PAGES) {
  const rounds = [];
  for (let round = 0; round < Number(options.rounds); round++) rounds.push(await visit(page));
  print(
    page,
    COLUMNS.map((column) =>
      median(rounds.map((seen) => seen[column])).toFixed(column.endsWith('kB') ? 1 : 0),
    ),
  );
}
await browser.close();

async function visit(page) {
  const context = await browser.newContext({ baseURL: options.url });
  let path = page;
  if (!page.startsWith('/')) {
    const headers = { 'X-Gatehouse': 'dashboard', Origin: options.url };
    await context.request.post('/dashboard/auth/sign-in/email', {
      headers,
      data: { email: OWNER.email, password: PASSWORD },
    });
    const session = await (await context.request.get('/dashboard/api/session')).json();
    path = `/accounts/${session.accounts[0].id}/${page}`;
  }
  const tab = await context.newPage();
  const line = await context.newCDPSession(tab);
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', LINE);
  const types = new Map();
  const seen = { requests: 0, scripts: 0, 'script kB': 0, 'all kB': 0 };
  line.on('Network.responseReceived', ({ requestId, type, response }) =>
    types.set(requestId, { type, url: response.url }),
  );
  line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const { type } = types.get(requestId) ?? {};
    seen.requests += 1;
    seen['all kB'] += encodedDataLength / 1e3;
    if (type !== 'Script') return;
    seen.scripts += 1;
    seen['script kB'] += encodedDataLength / 1e3;
  });
  await tab.addInitScript(() => {
    const note = () => {
      if (!document.querySelector('h1')?.checkVisibility()) return requestAnimationFrame(note);
      requestAnimationFrame(() => (window.headingMs = performance.now()));
    };
    requestAnimationFrame(note);
  });
  await tab.goto(path);
  await tab.waitForFunction(() => window.headingMs !== undefined);
  await tab.waitForTimeout(2500);
  const { heading, paint } = await tab.evaluate(() => ({
    heading: window.headingMs,
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  }));
  await context.close();
  return { ...seen, 'heading ms': heading, 'first paint ms': paint };
}

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function print(page, cells) {
  const columns = cells.map((cell, i) => cell.padStart(COLUMNS[i].length + 2));
  process.stdout.write(`${page.padEnd(14)}${columns.join('')}\n`);
}
