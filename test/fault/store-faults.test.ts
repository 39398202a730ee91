/** Faults of the disk under a running service: a database lock and a full disk cause errors, but no wrong data and no crash. */
import { statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { databaseFile, holdDatabase, lockDatabase, viewDatabase } from '../support/crash-database.ts';
import { type Answer, call } from '../support/crash-load.ts';
import { launch, limitFiles, noFileLimits } from '../support/crash-process.ts';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.ts';
import { problemOf } from '../support/expectations.ts';
import { figure } from '../support/figures.ts';
import { expectWithin, HANG_MS, IS_LONG, rounds } from '../support/long-version.ts';
import { isSkipped } from '../support/missing-programs.ts';
import { type PlantedPerson, plantPerson, trySignIn } from '../support/person.ts';
import { plant } from '../support/plant.ts';
import { complaintAbout } from '../support/raw-answers.ts';
import { createInstallation, type Installation, type ServiceProcess } from '../support/service.ts';

const SHORT_LOCK_MS = 400;
/** In the long version longer than commits may fail before the service is not ready: see also full-disk.test.ts. */
const LONG_LOCK_MS = rounds(1_500, 7_500);
const ANSWER_MS = 1_500;
const REQUESTS = 20;

const unlimited = noFileLimits();
const REFUSALS = ['internal_error', 'unavailable', 'storage_full'];

let dns: TestDnsServer;
let installation: Installation;
let service: ServiceProcess;
let person: PlantedPerson;
let file: string;
let live: string;
let attempts = 0;

beforeAll(async () => {
  dns = await startDnsServer();
  dns.fallback = { mx: ['10 mx.example.com'] };
  installation = await createInstallation({ GATEHOUSE_DNS_SERVERS: dns.address });
  ({ live } = await plant(installation, { requestsPerSecond: 100_000 }));
  person = await plantPerson(installation, 'operator');
  service = await installation.spawn();
  file = databaseFile(installation);
});

afterAll(async () => {
  await installation?.remove();
  await dns?.close();
});

describe('a database that another program has locked', { timeout: 120_000 }, () => {
  it('delays requests when the lock is short, and each of them is charged once', async () => {
    const stored = await expectTruth();
    const unlock = lockDatabase(file);
    onTestFinished(unlock);
    const burst = assessMany(REQUESTS);
    await pause(SHORT_LOCK_MS);
    unlock();
    const good = (await burst).filter(({ status }) => status === 200).length;
    // Only most of them, because on a busy machine some may still be late.
    expect(good).toBeGreaterThan(0);
    await expectTruth(stored + good);
  });

  it('gives errors within a second, charges nothing and makes the service not ready, until the lock is released', async () => {
    const stored = await expectTruth();
    const [known = ''] = viewed((view) => [...view.ids('live')]);
    const unlock = lockDatabase(file);
    onTestFinished(unlock);
    const started = performance.now();
    const answers: Answer[] = [];
    const times: number[] = [];
    const reads: number[] = [];
    while (performance.now() - started < LONG_LOCK_MS) {
      const at = performance.now();
      answers.push(...(await assessMany(REQUESTS)));
      times.push(performance.now() - at);
      expect((await call(service, live, `/v1/assess/${known}`)).status).toBe(200);
      expect((await call(service, live, '/v1/usage')).status).toBe(200);
      reads.push(performance.now() - at - (times.at(-1) as number));
    }
    expectWithin(Math.max(...times), ANSWER_MS, 'the slowest refusal');
    expectWithin(Math.max(...reads), ANSWER_MS, 'the slowest reading');
    expectEnvelopes(answers);
    expect(statuses(answers)[200] ?? 0).toBe(0);
    if (IS_LONG) expect(await readiness()).toEqual({ status: 503, gauge: 0 });
    unlock();
    await expect.poll(readiness, { timeout: HANG_MS }).toEqual({ status: 200, gauge: 1 });
    await expectTruth(stored);
    figure('store-locked', 'slowest-answer-ms', Math.max(...times));
  });

  it('blocks no thread that others need: sign-ins that wait do not delay reads', async () => {
    const [known = ''] = viewed((view) => [...view.ids('live')]);
    const unlock = lockDatabase(file);
    onTestFinished(unlock);
    const signingIn = trySignIn(service, person);
    let slowest = 0;
    for (let turn = 0; turn < 20; turn += 1) {
      const at = performance.now();
      expect((await call(service, live, `/v1/assess/${known}`)).status).toBe(200);
      slowest = Math.max(slowest, performance.now() - at);
      await pause(25);
    }
    const answer = await signingIn;
    expect(problemOf(answer)).toMatchObject({ status: 503, code: 'unavailable' });
    expect(answer.text).toContain('You cannot sign in now: the database of this service fails.');
    unlock();
    expectWithin(slowest, ANSWER_MS, 'the slowest reading');
  });
});

/** View of probes and of Prometheus. */
async function readiness(): Promise<{ status: number; gauge: number }> {
  const { status } = await fetch(`${service.url}/readyz`);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  return { status, gauge: Number(/^gatehouse_ready (\d)$/m.exec(metrics)?.[1]) };
}

describe.skipIf(isSkipped(unlimited))('a full disk', { timeout: 120_000 }, () => {
  it('gives internal errors that charge nothing, until there is space', async () => {
    const stored = await expectTruth();
    const [known = ''] = viewed((view) => [...view.ids('live')]);
    onTestFinished(() => limitFiles(service.pid));
    limitFiles(service.pid, 0);
    const refused = await assessMany(REQUESTS);
    const { 500: failed = 0, 503: late = 0 } = statuses(refused);
    expect(failed + late).toBe(REQUESTS);
    expect(failed).toBeGreaterThan(0);
    expectEnvelopes(refused);
    const feedback = { request_id: known, outcome: 'false_positive' };
    expect((await whileBusy(() => call(service, live, '/v1/feedback', feedback), [503])).status).toBe(500);
    expect((await call(service, live, `/v1/assess/${known}`)).status).toBe(200);
    expect(viewed((view) => view.liveCount())).toBe(stored);

    limitFiles(service.pid);
    expect((await whileBusy(() => call(service, live, '/v1/feedback', feedback))).status).toBe(200);
    await assessAll(REQUESTS);
    await expectTruth(stored + REQUESTS);
    expect(viewed((view) => view.integrity())).toBe('ok');
  });

  it('that fills and empties under load loses nothing that was answered', async () => {
    const stored = await expectTruth();
    const answers: Answer[] = [];
    onTestFinished(() => limitFiles(service.pid));
    for (let round = 0; round < 5; round += 1) {
      // The write-ahead log may continue at its end or have restarted at its beginning, so both places run out of space in turn.
      const start = round % 2 === 0 ? statSync(`${file}-wal`).size : 0;
      limitFiles(service.pid, start + 20_000 * round + 1);
      answers.push(...(await assessMany(REQUESTS * 5)));
      limitFiles(service.pid);
      answers.push(...(await assessAll(REQUESTS)));
    }
    expectEnvelopes(answers);
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBeGreaterThan(5 * REQUESTS);
    expect(good.length).toBeLessThan(answers.length);
    const ids = viewed((view) => view.ids('live'));
    expect(good.map(idOf).filter((id) => !ids.has(id))).toEqual([]);
    await expectTruth(stored + good.length);
  });

  it.each(IS_LONG ? [0, 4_096, 33_000, 60_000] : [0, 33_000])(
    'at %i bytes a file during the first start does not prevent the next start',
    async (fileLimitBytes) => {
      const fresh = await createInstallation();
      onTestFinished(fresh.remove);
      const ended = await launch({
        environment: fresh.environment,
        fileLimitBytes,
        killAt: '"msg":"listening"',
      });
      expect(ended.stderr).toMatch(/^(?:gatehouse: [^\n]+\n)?$/);
      expect(ended.status).toBe(ended.stderr === '' ? null : 1);
      const next = await fresh.start();
      expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
    },
  );

  it('leaves no incomplete secret behind when it happens while the secret is made', async () => {
    const fresh = await createInstallation();
    onTestFinished(fresh.remove);
    await plant(fresh);
    // Kept open, so that the start already has its shared files and fails at the secret, not earlier.
    const release = holdDatabase(databaseFile(fresh));
    const ended = await launch({ environment: fresh.environment, fileLimitBytes: 0 });
    expect(ended.stderr).toMatch(/^gatehouse: .+\n$/);
    release();
    const next = await fresh.start();
    expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
  });
});

it('one process served all these tests, and still answers', async () => {
  process.kill(service.pid, 0);
  expect(service.output().split('"msg":"listening"')).toHaveLength(2);
  expect((await call(service, live, '/v1/usage')).status).toBe(200);
});

/**
 * Credits, velocity counts and stored assessments are the same number; returns it, after one more attempt.
 * @param settled how many are stored once those are undone whose callers got an error
 */
async function expectTruth(settled = viewed((view) => view.liveCount())): Promise<number> {
  const answer = await whileBusy(async () => {
    await expect
      .poll(() => viewed((view) => view.liveCount()), { timeout: HANG_MS, interval: 250 })
      .toBe(settled);
    const [answer] = await assessMany(1);
    return answer as Answer;
  });
  const stored = viewed((view) => view.liveCount());
  const { signals } = JSON.parse(answer.text) as { signals: { velocity: { ip_signups_1h: number } } };
  const usage = JSON.parse((await call(service, live, '/v1/usage')).text) as { assessments_used: number };
  expect({ velocity: signals.velocity.ip_signups_1h, used: usage.assessments_used }).toEqual({
    velocity: stored,
    used: stored,
  });
  return stored;
}

/** Repeats while a write is late on a busy machine, as a client does. @param busy the possible answers of such a request */
async function whileBusy(ask: () => Promise<Answer>, busy: readonly number[] = [500, 503]): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (!busy.includes(answer.status)) return answer;
    expectEnvelopes([answer]);
  }
}

/** This many are stored, however often each is sent. */
async function assessAll(count: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let left = count; left > 0; ) {
    const some = await assessMany(left);
    answers.push(...some);
    left -= statuses(some)[200] ?? 0;
  }
  return answers;
}

function assessMany(count: number): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: count }, () => {
      attempts += 1;
      return call(service, live, '/v1/assess', { email: `user${attempts}@example.com`, ip: '198.51.100.7' });
    }),
  );
}

function viewed<T>(read: (view: ReturnType<typeof viewDatabase>) => T): T {
  const view = viewDatabase(file);
  try {
    return read(view);
  } finally {
    view.close();
  }
}

function statuses(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Each is a 200 or an error in its envelope, without its cause. */
function expectEnvelopes(answers: readonly Answer[]): void {
  const odd = answers.filter(
    ({ status, text }) => status !== 200 && !REFUSALS.some((code) => text.includes(`"${code}"`)),
  );
  expect(odd).toEqual([]);
  const faults = answers.map(({ status, text: body, headers }) => {
    return complaintAbout({ status: status >= 500 ? 400 : status, headers: new Map(headers), body });
  });
  const ours = (fault: string) => REFUSALS.some((code) => fault.includes(`with the code ${code}`));
  expect(faults.filter((fault) => fault !== undefined && !ours(fault))).toEqual([]);
}

function idOf({ text }: Answer): string {
  return (JSON.parse(text) as { request_id: string }).request_id;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
