/** A database that fails, in five ways: what the log says of it, what `/readyz` answers from the first failure on, and what errors carry. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Answer, type Client, createClient } from '../../support/client.ts';
import { databaseFile, lockDatabase } from '../../support/crash-database.ts';
import { limitFiles, noFileLimits } from '../../support/crash-process.ts';
import { until } from '../../support/expectations.ts';
import { HANG_MS, rounds } from '../../support/long-version.ts';
import { isSkipped } from '../../support/missing-programs.ts';
import { type PlantedPerson, plantPerson, signIn, trySignIn } from '../../support/person.ts';
import { plant, plantTokens } from '../../support/plant.ts';
import { createDatabase, type PostgresServer, startPostgresServer } from '../../support/postgres-server.ts';
import { createInstallation, type Installation, type ServiceProcess } from '../../support/service.ts';

const AWAY_MS = rounds(3_000, 12_000);
const EVERY_MS = 50;

let server: PostgresServer;
let installation: Installation;
let service: ServiceProcess;
let client: Client;
let planted: PlantedPerson;
let person: Awaited<ReturnType<typeof signIn>>;
let token: string;
/** Installation with the embedded database. */
let embedded: Installation;
let own: ServiceProcess;
let ownKey: string;

beforeAll(async () => {
  server = await startPostgresServer();
  installation = await createInstallation({ DATABASE_URL: await createDatabase(server.url) });
  service = await installation.spawn();
  const { live } = await plant(installation);
  const [made] = await plantTokens(installation, { scopes: ['accounts:read', 'accounts:write'] });
  token = made?.text as string;
  planted = await plantPerson(installation, 'operator');
  client = createClient(service.url, live);
  await until(async () => (await client.assess({ email: 'jo@example.com' })).status === 200);
  person = await signIn(service, planted);
  embedded = await createInstallation();
  ({ live: ownKey } = await plant(embedded));
  own = await embedded.spawn();
}, 4 * HANG_MS);
afterAll(async () => {
  client?.close();
  await installation?.remove();
  await embedded?.remove();
  await server?.close();
});

interface Line {
  readonly level: number | string;
  readonly msg: string;
  readonly reason?: string;
  readonly failed_requests?: number;
  readonly err?: { readonly stack?: string };
}

/** Lines that a person has to look at: warnings and errors. */
function complaintsOf(service: ServiceProcess, from: number): Line[] {
  const lines = service.output().slice(from).trimEnd().split('\n');
  return lines
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
    .filter(({ level }) => (typeof level === 'number' ? level >= 40 : /warn|error|fatal/.test(level)));
}

const ready = async ({ url }: ServiceProcess) => (await fetch(`${url}/readyz`)).status;
const readyz = () => ready(service);

const ENDS = [
  ['stopped', () => server.stop('fast'), () => server.start()],
  ['killed', () => server.stop('immediate'), () => server.start()],
  ['hung', async () => server.pause(), async () => server.resume()],
] as const;

/** Everything that needs the database. */
function calls(): Record<string, () => Promise<{ status: number; headers: unknown }>> {
  let count = 0;
  const manage = async () => {
    const answer = await fetch(`${service.url}/v1/manage/accounts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `account ${count++}`, plan: 'free' }),
    });
    return { status: answer.status, headers: Object.fromEntries(answer.headers) };
  };
  return {
    assess: () => client.assess({ email: `jo${count++}@example.com` }),
    get: () => client.get('req_01jzzzzzzzzzzzzzzzzzzzzzzz'),
    usage: () => client.usage(),
    dashboard: () => person.get('/accounts'),
    signIn: () => trySignIn(service, planted),
    manage,
  };
}

describe.each(ENDS)('a database that is %s', (_how, go, comeBack) => {
  it(
    'is one line when it begins and one when it ends, and makes the service not ready at once',
    async () => {
      const from = service.output().length;
      await go();
      const statuses = new Map<string, Set<number>>();
      const withoutRetry: string[] = [];
      let readyAfterFailure = 0;
      let failures = 0;
      const pending: Promise<void>[] = [];
      const endAt = performance.now() + AWAY_MS;
      while (performance.now() < endAt) {
        for (const [name, call] of Object.entries(calls()))
          pending.push(
            call().then(async ({ status, headers }) => {
              statuses.set(name, (statuses.get(name) ?? new Set()).add(status));
              if (status < 500) return;
              failures += 1;
              if ((headers as Record<string, string>)['retry-after'] === undefined)
                withoutRetry.push(`${name} ${status}`);
              if (
                name === 'assess' &&
                status === 500 &&
                (await readyz()) === 200 &&
                performance.now() < endAt
              )
                readyAfterFailure += 1;
            }),
          );
        await sleep(EVERY_MS);
      }
      await comeBack();
      await Promise.all(pending);
      await until(async () => (await readyz()) === 200);
      await until(async () => (await client.assess({ email: 'back@example.com' })).status === 200);
      // Tasks of the background have had their turns.
      await sleep(2_000);

      const lines = complaintsOf(service, from);
      expect({ lines, withoutRetry, readyAfterFailure }).toEqual({
        lines: [
          expect.objectContaining({ msg: expect.stringMatching(/^the database fails/) }),
          expect.objectContaining({ msg: 'the database works again' }),
        ],
        withoutRetry: [],
        readyAfterFailure: 0,
      });
      expect(lines[0]?.reason).not.toMatch(/ECONN|ETIMEDOUT|Connection terminated|timeout|57P0/);
      expect(lines[1]?.failed_requests).toBeGreaterThan(0);
      expect(failures).toBeGreaterThan(0);
      expect([...(statuses.get('signIn') ?? [])].filter((status) => status >= 500)).toEqual([503]);
      expect([...(statuses.get('assess') ?? [])].filter((status) => status >= 500)).toContain(500);
    },
    4 * HANG_MS,
  );
});

describe.each([
  ['locked by another program', 'another program has locked it', (file: string) => lockDatabase(file)],
  [
    'without room on its disk',
    'its disk fails',
    () => {
      limitFiles(own.pid, 0);
      return () => limitFiles(own.pid);
    },
  ],
] as const)('an embedded database %s', (_how, reason, fail) => {
  it.skipIf(isSkipped(noFileLimits()))(
    'is one line when it begins and one when it ends',
    { timeout: 4 * HANG_MS },
    async () => {
      const from = own.output().length;
      const asking = createClient(own.url, ownKey);
      onTestFinished(asking.close);
      const end = fail(databaseFile(embedded));
      onTestFinished(end);
      const answers: Answer<unknown>[] = [];
      await until(async () => {
        answers.push(
          ...(await Promise.all([1, 2, 3].map((at) => asking.assess({ email: `jo${at}@example.com` })))),
        );
        return answers.some(({ status }) => status >= 500) && (await ready(own)) === 503;
      });
      for (let at = 0; at < 5; at += 1) answers.push(await asking.assess({ email: 'again@example.com' }));
      const failed = answers.filter(({ status }) => status >= 500);
      end();
      await until(async () => (await ready(own)) === 200);
      await until(async () => (await asking.assess({ email: 'back@example.com' })).status === 200);
      expect(failed.filter(({ headers }) => headers['retry-after'] === undefined)).toEqual([]);
      await until(async () => complaintsOf(own, from).length > 1);
      expect(complaintsOf(own, from)).toMatchObject([
        { msg: expect.stringMatching(/^the database fails/), reason },
        { msg: 'the database works again' },
      ]);
    },
  );
});
