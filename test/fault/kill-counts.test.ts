/** `kill -9` of a service with many signups: the next start counts exactly what is stored, and so does the start after an ordered stop. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VelocityEvent } from '../../src/model/velocity-event.ts';
import { call, createLedger, createRandom, IPS, startLoad } from '../support/crash-load.ts';
import { until } from '../support/expectations.ts';
import { fillSignups } from '../support/fill-signups.ts';
import { type Planted, plant } from '../support/plant.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

const ROWS = 40_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DOMAIN = 'd0.example';

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

it('counts what is stored, after a kill and after an ordered stop', async () => {
  const ledger = createLedger();
  const service = await installation.spawn();
  const load = startLoad({ service, keys }, ledger, createRandom(20261123));
  await until(() => ledger.live.size > 100);
  await service.kill();
  await load.stop();
  for (const end of ['kill', 'stop'] as const) {
    const stored = await storedCounts();
    expect(stored.domain).toBeGreaterThan(ROWS / 2);
    const started = await installation.spawn();
    expect(await countsOf(started, end)).toEqual(
      IPS.map((ip, index) => ({
        ip_signups_24h: (stored.networks.get(ip) ?? 0) + 1,
        email_domain_24h: stored.domain + index + 1,
      })),
    );
    await started[end]();
  }
});

/** Attempts of each network, and distinct addresses of the domain. */
async function storedCounts() {
  const networks = new Map<string, number>();
  const addresses = new Set<string>();
  const count = ({ account, network, domain, addressHash }: VelocityEvent) => {
    if (account !== keys.id) return;
    if (network !== null) networks.set(network, (networks.get(network) ?? 0) + 1);
    if (domain === DOMAIN) addresses.add(addressHash);
  };
  await withStored(installation, async (store) => {
    for await (const chunk of store.liveAttempts(Date.now() - DAY_MS)) chunk.forEach(count);
  });
  return { networks, domain: addresses.size };
}

/** The counts of new addresses of the domain, from the IPs of the load. */
async function countsOf(service: Service, name: string) {
  const found = [];
  for (const [index, ip] of IPS.entries()) {
    const body = { email: `new-${name}-${index}@${DOMAIN}`, ip };
    const { text } = await call(service, keys.live, '/v1/assess', body);
    const { ip_signups_24h, email_domain_24h } = JSON.parse(text).signals.velocity;
    found.push({ ip_signups_24h, email_domain_24h });
  }
  return found;
}
