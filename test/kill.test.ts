/** `kill -9` at random moments under mixed load: everything acknowledged is stored, and counts equal the stored signups. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type DatabaseView, databaseFile, viewDatabase } from './support/crash-database.ts';
import {
  call,
  createLedger,
  createRandom,
  DOMAINS,
  IPS,
  type Ledger,
  startLoad,
} from './support/crash-load.ts';
import { launch } from './support/crash-process.ts';
import { startDnsServer, type TestDnsServer } from './support/dns-server.ts';
import { until } from './support/expectations.ts';
import { expectWithin, manyRounds, rounds } from './support/long-version.ts';
import { plant } from './support/plant.ts';
import { PATIENT_SERVICE } from './support/running-service.ts';
import { createInstallation, type Installation, type ServiceProcess } from './support/service.ts';

/** Set GATEHOUSE_TEST_SEED to kill at other moments. */
const SEED = Number(process.env.GATEHOUSE_TEST_SEED ?? 20260510);
const ROUNDS = manyRounds(2, 20);
const EARLY_KILLS = rounds(2, 8);
const FIRST_ANSWER_MS = 2_000;
const GETS_AT_ONCE = 16;

const random = createRandom(SEED);
let dns: TestDnsServer;
let installation: Installation;

beforeAll(async () => {
  dns = await startDnsServer();
  dns.fallback = { mx: ['10 mx.example.com'] };
  installation = await createInstallation({
    GATEHOUSE_DNS_SERVERS: dns.address,
    GATEHOUSE_LOG_LEVEL: 'info',
  });
});

afterAll(async () => {
  await installation?.remove();
  await dns?.close();
});

describe(`a killed service, seed ${SEED}`, () => {
  it('starts again, even when it was killed early in its first start', { timeout: 120_000 }, async () => {
    const fresh = await createInstallation();
    onTestFinished(fresh.remove);
    for (let round = 0; round < EARLY_KILLS; round += 1) {
      await launch({ environment: fresh.environment, killAfterMs: 100 + random(600) });
    }
    const { live } = await plant(fresh);
    const service = await fresh.start();
    expect((await call(service, live, '/v1/assess', { email: 'someone@example.com' })).status).toBe(200);
  });

  it('keeps what it acknowledged, charges what it stored, and continues its counts', {
    timeout: 300_000 + ROUNDS * 20_000,
  }, async () => {
    const keys = await plant(installation, { requestsPerSecond: 100_000 });
    const ledger = createLedger();
    const waits: number[] = [];
    let service = await installation.spawn({}, PATIENT_SERVICE);
    for (let round = 0; round < ROUNDS; round += 1) {
      const known = new Set([...ledger.live.keys(), ...ledger.sandbox.keys()]);
      const load = startLoad({ service, keys }, ledger, random);
      const acknowledged = ledger.live.size;
      await until(() => ledger.live.size > acknowledged);
      await new Promise((resolve) => setTimeout(resolve, random(500)));
      await service.kill();
      await load.stop();

      const spawned = performance.now();
      service = await installation.spawn({}, PATIENT_SERVICE);
      const first = await call(service, keys.live, '/v1/usage');
      waits.push(Math.round(performance.now() - spawned));
      expect(first.status).toBe(200);
      const { assessments_used: used } = JSON.parse(first.text) as { assessments_used: number };

      const view = viewDatabase(databaseFile(installation));
      const context = `round ${round}, seed ${SEED}`;
      expect(ledger.refusals, context).toEqual([]);
      expect(used, context).toBe(view.liveCount());
      expect(missing(ledger, view), context).toEqual([]);
      expect(lostFeedback(ledger, view), context).toEqual([]);
      expect(
        await changed(service, keys.live, ledger, round === ROUNDS - 1 ? new Set() : known),
        context,
      ).toEqual([]);
      await expectCountsToGoOn(service, keys.live, ledger, view, context);
      view.close();
    }
    const view = viewDatabase(databaseFile(installation));
    expect(view.integrity()).toBe('ok');
    view.close();
    const sorted = waits.toSorted((a, b) => a - b);
    report(`restart to first answer: median ${sorted[Math.floor(ROUNDS / 2)]} ms, most ${sorted.at(-1)} ms`);
    report(
      `acknowledged: ${ledger.live.size} live, ${ledger.sandbox.size} sandbox, ${ledger.feedback.size} with feedback`,
    );
    expectWithin(sorted.at(-1) as number, FIRST_ANSWER_MS, 'the slowest restart');
  });
});

/** Acknowledged assessments that are not in the file. */
function missing(ledger: Ledger, view: DatabaseView): string[] {
  const [live, sandbox] = [view.ids('live'), view.ids('test')];
  const lost = (map: Map<string, string>, ids: Set<string>) => [...map.keys()].filter((id) => !ids.has(id));
  return [...lost(ledger.live, live), ...lost(ledger.sandbox, sandbox)];
}

/** Stored feedback that is neither the last acknowledged one nor the one in progress when the service died. */
function lostFeedback(ledger: Ledger, view: DatabaseView): string[] {
  return [...ledger.feedback].flatMap(([id, { acknowledged, unanswered }]) => {
    const stored = view.feedback(id);
    const possible = unanswered === undefined ? [acknowledged] : [acknowledged, unanswered];
    const fits = possible.some(
      (feedback) => feedback?.outcome === stored?.outcome && feedback?.note === stored?.note,
    );
    return fits ? [] : [`${id}: ${JSON.stringify({ stored, acknowledged, unanswered })}`];
  });
}

/** Acknowledged assessments for which GET does not give the same bytes; those in `known` were compared before. */
async function changed(service: ServiceProcess, key: string, ledger: Ledger, known: ReadonlySet<string>) {
  const faults: string[] = [];
  const queue = [...ledger.live, ...ledger.sandbox].filter(([id]) => !known.has(id)).values();
  const compare = async () => {
    for (const [id, text] of queue) {
      const answer = await call(service, key, `/v1/assess/${id}`);
      if (answer.status !== 200 || answer.text !== text)
        faults.push(`${id}: ${answer.status} ${answer.text}`);
    }
  };
  await Promise.all(Array.from({ length: GETS_AT_ONCE }, compare));
  return faults;
}

/** One more attempt from each IP and domain gives one more than the stored number. */
async function expectCountsToGoOn(
  service: ServiceProcess,
  key: string,
  ledger: Ledger,
  view: DatabaseView,
  context: string,
) {
  for (const [at, ip] of IPS.entries()) {
    const domain = DOMAINS[at % DOMAINS.length] as string;
    const expected = {
      ip: view.countOf(ip) + 1,
      domain: view.addressesOf(domain) + 1,
      used: view.liveCount() + 1,
    };
    const email = `new${ledger.live.size}@${domain}`;
    const { text, headers } = await call(service, key, '/v1/assess', { email, ip });
    const { request_id: id, signals } = JSON.parse(text) as { request_id: string; signals: Signals };
    ledger.live.set(id, text);
    const used = Number(headers.get('x-quota-used'));
    const { velocity } = signals;
    expect({ ip: velocity.ip_signups_1h, domain: velocity.email_domain_1h, used }, context).toEqual(expected);
    expect({ ip: velocity.ip_signups_24h, domain: velocity.email_domain_24h, used }, context).toEqual(
      expected,
    );
  }
}

interface Signals {
  readonly velocity: Record<
    'ip_signups_1h' | 'ip_signups_24h' | 'email_domain_1h' | 'email_domain_24h',
    number
  >;
}

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}
