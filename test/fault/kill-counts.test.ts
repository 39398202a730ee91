/** `kill -9` of a service with so many signups that a thread counts them at the next start: it counts exactly what is stored. */
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, createLedger, createRandom, IPS, startLoad } from '../support/crash-load.ts';
import { until } from '../support/expectations.ts';
import { fillSignups } from '../support/fill-signups.ts';
import { type Planted, plant } from '../support/plant.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';

/** Larger than `beginRecount` counts without a thread. */
const ROWS = 40_000;
const HOUR_MS = 3_600_000;

let installation: Installation;
let keys: Planted;

beforeAll(async () => {
  installation = await createInstallation();
  keys = await plant(installation, { requestsPerSecond: 100_000 });
  // It creates the secret.
  await (await installation.spawn()).stop();
  const now = Date.now();
  // None of them leaves a window during the test.
  fillSignups(installation, keys, { rows: ROWS, from: now - 22 * HOUR_MS, to: now - 2 * HOUR_MS });
});
afterAll(() => installation?.remove());

it('counts the same after a kill with and without a thread', async () => {
  const ledger = createLedger();
  const service = await installation.spawn();
  const load = startLoad({ service, keys }, ledger, createRandom(20261123));
  await until(() => ledger.live.size > 100);
  await service.kill();
  await load.stop();
  const data = service.dataDir;
  const copy = join(dirname(data), 'copy');
  cpSync(data, copy, { recursive: true });
  const killed = await installation.spawn();
  expect(killed.output()).not.toContain('are counted again');
  // In this process, without a thread.
  const other = await installation.start({ GATEHOUSE_DATA_DIR: copy });
  const counts = await velocityOf(killed);
  expect(counts[0]?.email_domain_24h).toBeGreaterThan(ROWS / 2);
  expect(await velocityOf(other)).toEqual(counts);
});

/** Signups from a prepared domain, and from the IPs of the load. */
async function velocityOf(service: Service) {
  const found = [];
  for (const [index, ip] of IPS.entries()) {
    const body = { email: `new-${index}@d0.example`, ip };
    const { text } = await call(service, keys.live, '/v1/assess', body);
    found.push(JSON.parse(text).signals.velocity as Record<string, number>);
  }
  return found;
}
