/** `kill -9` during an erasure: the next start completes it, nothing of the person is left in any file, and all counts are the same. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SLOT_MS } from '../../src/store/history-store.ts';
import { BIN } from '../support/command.ts';
import { createRandom } from '../support/crash-load.ts';
import { until } from '../support/expectations.ts';
import { IS_LONG, manyRounds, rounds } from '../support/long-version.ts';
import { plantPerson, signIn } from '../support/person.ts';
import { plant } from '../support/plant.ts';
import { PATIENT_SERVICE } from '../support/running-service.ts';
import { createInstallation, type Installation, type ServiceProcess } from '../support/service.ts';
import { newMigratedDatabase } from '../support/shared-servers.ts';
import { everythingStored, withStored } from '../support/stored.ts';

const SEED = Number(process.env.GATEHOUSE_TEST_SEED ?? 20261123);
const ROUNDS = manyRounds(1, 10);
/** Signups of each person, and as many of others: an erasure takes several transactions. */
const SIGNUPS = rounds(120, 240);
const AT_ONCE = 10;
/** The end of the counted time, which is the same for each count. */
const TO = Math.ceil(Date.now() / SLOT_MS) * SLOT_MS + 86_400_000;
/** About how long an erasure takes on a busy machine. */
const MAX_DELAY_MS = 700;
const random = createRandom(SEED);

interface Target {
  readonly installation: Installation;
  readonly account: { id: string; live: string };
  readonly owner: { id: string; email: string };
}

interface Person {
  readonly email: string;
  readonly ip: string;
  /** Everything that could identify them, with the ids of their signups. */
  readonly traces: string[];
}

const BY_COMMAND = ['of the command', eraseByCommand] as const;
const IN_DASHBOARD = ['of the dashboard', eraseInDashboard] as const;

/** The short version has each store once, and each way once. */
describe.each([
  ['SQLite', IS_LONG ? [BY_COMMAND, IN_DASHBOARD] : [IN_DASHBOARD]],
  ['PostgreSQL', IS_LONG ? [BY_COMMAND, IN_DASHBOARD] : [BY_COMMAND]],
])(`an erasure in %s that is killed, seed ${SEED}`, (store, ways) => {
  it.each(ways)(
    '%s is completed by the next start',
    { timeout: 120_000 + ROUNDS * 40_000 },
    async (_, eraseAndKill) => {
      const target = await openTarget(store);
      const { installation, account } = target;
      for (let round = 0; round < ROUNDS; round += 1) {
        const service = await installation.spawn({}, PATIENT_SERVICE);
        const person = await addPerson(service, target, round);
        const before = await numbersOf(installation, account.id);
        expect(await tracesOf(installation, person)).not.toEqual([]);
        await eraseAndKill(target, service, person);

        const next = await installation.spawn({}, PATIENT_SERVICE);
        const context = `round ${round}, seed ${SEED}`;
        await until(() =>
          withStored(installation, async (stored) => (await stored.erasures()).every(isEnded)),
        );
        await next.stop();
        expect(await tracesOf(installation, person), context).toEqual([]);
        expect(await numbersOf(installation, account.id), context).toEqual(before);
        expect(await erasuresInLog(installation, account.id), context).toBeGreaterThan(round);
      }
    },
  );
});

const isEnded = ({ appliedAt }: { appliedAt: number | null }) => appliedAt !== null;

async function openTarget(store: string): Promise<Target> {
  const shared = store === 'PostgreSQL' ? { DATABASE_URL: await newMigratedDatabase() } : {};
  const installation = await createInstallation({ GATEHOUSE_STORE_EMAILS: 'on', ...shared });
  onTestFinished(() => installation.remove());
  const account = await plant(installation, { requestsPerSecond: 100_000 });
  return {
    installation,
    account,
    owner: await plantPerson(installation, { account: account.id, role: 'owner' }),
  };
}

/** Signups of a person and of others, with reports, list entries and lines of the audit log. */
async function addPerson(
  service: ServiceProcess,
  { installation, account, owner }: Target,
  round: number,
): Promise<Person> {
  const name = `zoe${round}quandt`;
  const [email, ip] = [`${name}@gmail.com`, `198.51.100.${round + 100}`];
  const session = `session-of-${name}`;
  const post = async (path: string, body: object) => {
    const headers = { Authorization: `Bearer ${account.live}`, 'Content-Type': 'application/json' };
    const answer = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status, await answer.clone().text()).toBe(200);
    return ((await answer.json()) as { request_id: string }).request_id;
  };
  const ids: string[] = [];
  const places = Array.from({ length: SIGNUPS / 2 }, (_, at) => at).values();
  const signUp = async () => {
    for (const at of places) {
      const own = post('/v1/assess', { email: `${name}+${at}@gmail.com`, session_id: session });
      const byIp = post('/v1/assess', { email: `kin${at}@example.org`, ip });
      await post('/v1/assess', { email: `other${at}@example.com`, ip: '203.0.113.5' });
      ids.push(...(await Promise.all([own, byIp])));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, signUp));
  for (const id of ids.slice(0, 5))
    await post('/v1/feedback', { request_id: id, outcome: 'false_positive', note: `${name} phoned us` });
  for (const value of [email, ip])
    await installation.json('list', 'add', '--account', account.id, '--deny', value);
  const signedIn = await signIn(service, owner);
  await signedIn.get(`/accounts/${account.id}/assessments.csv?ip=${ip}`);
  signedIn.close();
  return { email, ip, traces: [name, ip, session, ...ids] };
}

async function tracesOf(installation: Installation, { traces }: Person): Promise<string[]> {
  const { DATABASE_URL, GATEHOUSE_DATA_DIR: folder = '' } = installation.environment;
  if (DATABASE_URL === undefined) return tracesIn(folder, traces);
  const stored = await everythingStored(installation);
  return traces.filter((trace) => stored.some((part) => part.includes(trace)));
}

/** By another process, because closing a file releases all SQLite locks of this process on it. */
function tracesIn(folder: string, traces: readonly string[]): string[] {
  const args = ['--recursive', '--text', '--only-matching', '--no-filename', '--fixed-strings', '--file=-'];
  const { status, stdout } = spawnSync('grep', [...args, folder], {
    input: traces.join('\n'),
    maxBuffer: 2 ** 26,
  });
  // 1: nothing was found.
  if (status !== 0 && status !== 1) throw new Error(`grep ended with ${status}`);
  return [...new Set(stdout.toString().split('\n').filter(Boolean))];
}

/** The numbers behind charts and bills. */
function numbersOf(installation: Installation, account: string): Promise<unknown> {
  return withStored(installation, async (store) => {
    const span = { mode: 'live' as const, from: 0, to: TO };
    while ((await store.indexing()) !== null) await sleep(100);
    const month = new Date().toISOString().slice(0, 7);
    const { readAt: _, ...traffic } = await store.traffic(account, span);
    return {
      used: await store.creditsUsed(account, month),
      labels: await store.labelCounts(account, span),
      traffic,
    };
  });
}

const erasuresInLog = (installation: Installation, account: string) =>
  withStored(installation, async (store) => {
    const { entries } = await store.auditEntries(account, null, 500);
    return entries.filter(({ action }) => action === 'privacy.erase').length;
  });

/** Resolves some time after the start of an erasure. */
async function untilBegun({ environment }: Installation): Promise<void> {
  const list = join(environment.GATEHOUSE_DATA_DIR as string, 'erasures.jsonl');
  const lines = () => (existsSync(list) ? readFileSync(list, 'utf8').split('\n').length : 1);
  const before = lines();
  while (lines() === before) await sleep(5);
  await sleep(random(MAX_DELAY_MS));
}

async function eraseByCommand({ installation, account }: Target, service: ServiceProcess, person: Person) {
  await service.stop();
  const args = ['--account', account.id, '--email', person.email, '--ip', person.ip, '--yes'];
  const begun = untilBegun(installation);
  const child = spawn(process.execPath, [BIN, 'privacy', 'erase', ...args], {
    env: installation.environment,
    stdio: 'ignore',
  });
  await begun;
  const ended = child.exitCode === null ? once(child, 'exit') : undefined;
  child.kill('SIGKILL');
  await ended;
}

async function eraseInDashboard(
  { installation, account, owner }: Target,
  service: ServiceProcess,
  person: Person,
) {
  const signedIn = await signIn(service, owner);
  const { email, ip } = person;
  const begun = untilBegun(installation);
  const answer = signedIn.send('POST', `/accounts/${account.id}/privacy/erase`, { email, ip });
  answer.catch(() => {});
  await begun;
  await service.kill();
  await answer.catch(() => {});
  signedIn.close();
}
