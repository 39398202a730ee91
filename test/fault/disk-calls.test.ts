/** Failing system calls under a running service: a disk that turns read-only, is slow to sync, or falsely reports a sync; and no descriptors left. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { databaseFile, viewDatabase } from '../support/crash-database.ts';
import { call } from '../support/crash-load.ts';
import { problemOf, until } from '../support/expectations.ts';
import { IS_LONG } from '../support/long-version.ts';
import { isSkipped } from '../support/missing-programs.ts';
import { type PlantedPerson, plantPerson, trySignIn } from '../support/person.ts';
import { type Planted, plant } from '../support/plant.ts';
import { createInstallation, type Installation, type ServiceProcess } from '../support/service.ts';
import { findTracer } from '../support/system-calls.ts';

const found = findTracer();
/** In addition to the open ones. */
const SPARE_DESCRIPTORS = 20;
const CROWD = 60;

let installation: Installation;
let service: ServiceProcess;
let keys: Planted;
let person: PlantedPerson;
let signups = 0;
beforeAll(async () => {
  installation = await createInstallation();
  keys = await plant(installation, { requestsPerSecond: 100_000 });
  person = await plantPerson(installation, 'operator');
  service = await installation.spawn();
});
afterAll(() => installation?.remove());

const assess = () => {
  signups += 1;
  return call(service, keys.live, '/v1/assess', { email: `jo${signups}@example.com` });
};
const untilStored = () => until(async () => (await assess()).status === 200);

/** Credits equal the stored signups, once late ones are undone. */
async function expectTruth(): Promise<void> {
  const truth = async () => {
    const { text } = await call(service, keys.live, '/v1/usage');
    const view = viewDatabase(databaseFile(installation));
    try {
      return (JSON.parse(text) as { assessments_used: number }).assessments_used - view.liveCount();
    } finally {
      view.close();
    }
  };
  await expect.poll(truth).toBe(0);
}

/** Makes the kernel answer calls of the service as `inject` says, until the returned function is called. */
async function tamper(inject: string): Promise<() => Promise<void>> {
  const { program } = found as { program: string };
  const calls = inject.split(':')[0] as string;
  const args = ['-f', '-q', '-p', String(service.pid), '-e', `trace=${calls}`, '-e', `inject=${inject}`];
  const tracer: ChildProcess = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const end = async () => {
    if (tracer.exitCode !== null || tracer.signalCode !== null) return;
    const ended = once(tracer, 'exit');
    tracer.kill('SIGTERM');
    await ended;
  };
  onTestFinished(end);
  tracer.stderr?.resume();
  return end;
}

describe.skipIf(isSkipped('reason' in found ? found.reason : undefined))(
  'a disk',
  { timeout: 120_000 },
  () => {
    it.each([
      ['turns read-only', 'pwrite64,ftruncate,fdatasync:error=EROFS'],
      ['fails to sync', 'fdatasync,fsync:error=EIO'],
    ])('that %s causes errors but no wrong data, until it works again', async (_what, inject) => {
      await untilStored();
      const heal = await tamper(inject);
      const refused: number[] = [];
      await until(async () => {
        const { status, text } = await assess();
        if (status !== 200) {
          expect(text).toMatch(/"(?:internal_error|unavailable|storage_full)"/);
          refused.push(status);
        }
        return refused.length >= 5;
      });
      expect((await call(service, keys.live, '/v1/usage')).status).toBe(200);
      const signIn = await trySignIn(service, person);
      expect(problemOf(signIn)).toMatchObject({ status: 503, code: 'unavailable' });
      expect(signIn.text).toContain('You cannot sign in now: the database of this service fails.');
      if (IS_LONG) await until(async () => (await fetch(`${service.url}/readyz`)).status === 503);
      await heal();
      await untilStored();
      await until(async () => (await fetch(`${service.url}/readyz`)).status === 200);
      await expectTruth();
    });

    it('that syncs slowly causes errors, and signups stored too late are undone', async () => {
      await untilStored();
      const heal = await tamper('fdatasync,fsync:delay_exit=1500000');
      let late = 0;
      await until(async () => {
        if ((await assess()).status >= 500) late += 1;
        return late >= 3;
      });
      await heal();
      await untilStored();
      await expectTruth();
    });

    it('that reports a sync without doing it loses nothing when only the process is killed', async () => {
      await untilStored();
      const heal = await tamper('fdatasync,fsync:retval=0');
      const stored: string[] = [];
      for (let at = 0; at < 20; at += 1) {
        const { status, text } = await assess();
        if (status === 200) stored.push((JSON.parse(text) as { request_id: string }).request_id);
      }
      expect(stored.length).toBeGreaterThan(0);
      await heal();
      await service.kill();
      service = await installation.spawn();
      for (const id of stored) expect((await call(service, keys.live, `/v1/assess/${id}`)).status).toBe(200);
      await expectTruth();
    });
  },
);

describe.runIf(process.platform === 'linux')('file descriptors', { timeout: 120_000 }, () => {
  const limit = (soft: string | number) =>
    execFileSync('prlimit', [`--pid=${service.pid}`, `--nofile=${soft}:`]);

  /** On a connection that is already open. */
  function askOn(agent: Agent, path: string, body?: object): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${keys.live}`, 'Content-Type': 'application/json' };
      const method = body === undefined ? 'GET' : 'POST';
      const outgoing = request(`${service.url}${path}`, { agent, method, headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode as number));
      });
      outgoing.once('error', reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  it('that run out block new connections, but not open ones, and nothing afterwards', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await askOn(agent, '/v1/usage')).toBe(200);
    const soft = /Max open files\s+(\d+)/.exec(
      execFileSync('cat', [`/proc/${service.pid}/limits`], { encoding: 'utf8' }),
    )?.[1] as string;
    const open = readdirSync(`/proc/${service.pid}/fd`).length;
    onTestFinished(() => void limit(soft));
    limit(open + SPARE_DESCRIPTORS);
    const crowd: Socket[] = [];
    for (let at = 0; at < CROWD; at += 1) {
      const socket = connect(service.port, '127.0.0.1');
      socket.on('error', () => {});
      crowd.push(socket.resume());
    }
    onTestFinished(() => {
      for (const socket of crowd) socket.destroy();
      agent.destroy();
    });
    await until(() => readdirSync(`/proc/${service.pid}/fd`).length >= open + SPARE_DESCRIPTORS - 1);
    for (let at = 0; at < 5; at += 1) {
      expect(await askOn(agent, '/v1/usage')).toBe(200);
      const signup = { email: `crowd${at}@example.com`, ip: '79.192.0.9' };
      expect(await askOn(agent, '/v1/assess', signup)).toBe(200);
    }
    for (const socket of crowd) socket.destroy();
    limit(soft);
    await untilStored();
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    await expectTruth();
  });
});
