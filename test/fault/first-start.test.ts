/** A first start beside a program that holds the database, and one that is killed: at each stage it hands over keys that work, or the next start does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../support/client.ts';
import { ROOT } from '../support/command.ts';
import { launch } from '../support/crash-process.ts';
import { HANG_MS, IS_LONG, rounds } from '../support/long-version.ts';
import { isSkipped } from '../support/missing-programs.ts';
import { createInstallation, type Environment, type Installation } from '../support/service.ts';
import { newDatabase } from '../support/shared-servers.ts';
import { inTerminal, NO_TERMINAL } from '../support/terminal.ts';

const STAGES = ['before', 'schema', 'account', 'link'] as const;
type Stage = (typeof STAGES)[number];
/** Longer than a write of a service that runs may take. */
const HELD_MS = rounds(1_500, 5_000);
const LISTENING = '"msg":"listening"';

async function install(kind: 'SQLite' | 'PostgreSQL'): Promise<Installation> {
  const settings: Environment = kind === 'SQLite' ? {} : { DATABASE_URL: await newDatabase() };
  const installation = await createInstallation(settings);
  onTestFinished(installation.remove);
  return installation;
}

/** Resolves once the other program has begun, if that is before the start. */
async function beside({ environment }: Installation, stage: Stage, act: string) {
  const folder = environment.GATEHOUSE_DATA_DIR as string;
  if (stage === 'before') mkdirSync(folder, { recursive: true });
  const args = [folder, environment.DATABASE_URL ?? '-', stage, act];
  const child = spawn(process.execPath, [resolve(ROOT, 'test/support/at-stage.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (stage === 'before') await once(child.stdout, 'data');
  return { ended: once(child, 'exit') };
}

const keyIn = (text: string) => /sk_live_\w{27,}/.exec(text)?.[0] as string;
const keysFile = ({ environment }: Installation) =>
  join(environment.GATEHOUSE_DATA_DIR as string, 'first-keys.txt');

async function expectValid(installation: Installation, key: string): Promise<void> {
  const service = await installation.spawn();
  const client = createClient(service.url, key);
  expect((await client.usage()).status).toBe(200);
  client.close();
  expect(await service.stop()).toBe(0);
  const names = readdirSync(installation.environment.GATEHOUSE_DATA_DIR as string);
  expect(names.filter((name) => name.includes('kept'))).toEqual([]);
  const keys = await installation.json<{ name: string }[]>('account', 'list');
  expect(keys).toHaveLength(1);
}

const KINDS = ['SQLite', 'PostgreSQL'] as const;
const CASES = KINDS.flatMap((kind) => STAGES.map((stage) => [kind, stage] as const)).filter(
  ([kind, stage]) => IS_LONG || kind === 'SQLite' || stage === 'account',
);
/** Cases right after the account was stored is where keys were lost. */
const AFTER_COMMIT = CASES.filter(([, stage]) => stage === 'account' || (IS_LONG && stage !== 'before'));

describe('a first start', { timeout: 4 * HANG_MS }, () => {
  it.each(CASES)(
    '%s held by another program, stage %s: it waits, and hands over keys that work',
    async (kind, stage) => {
      const installation = await install(kind);
      const { ended } = await beside(installation, stage, String(HELD_MS));
      const { environment } = installation;
      const { stdout, stderr } = await launch({ environment, killAt: LISTENING });
      expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining(LISTENING), stderr: '' });
      await ended;
      await expectValid(installation, keyIn(readFileSync(keysFile(installation), 'utf8')));
    },
  );

  it.each(AFTER_COMMIT)(
    '%s killed at stage %s: the next start hands over keys that work',
    async (kind, stage) => {
      const installation = await install(kind);
      await beside(installation, stage, 'kill');
      const { environment } = installation;
      // It may be quicker than the kill.
      await launch({ environment });
      if (!existsSync(keysFile(installation))) await launch({ environment, killAt: LISTENING });
      await expectValid(installation, keyIn(readFileSync(keysFile(installation), 'utf8')));
    },
  );

  it.skipIf(isSkipped(NO_TERMINAL)).each(AFTER_COMMIT)(
    '%s on a terminal, killed at stage %s: keys that were not shown are shown by the next start',
    async (kind, stage) => {
      const installation = await install(kind);
      await beside(installation, stage, 'kill');
      const shown = await inTerminal(['start'], installation.environment);
      const again = await inTerminal(['start'], installation.environment, /listening/);
      const key = keyIn(again) ?? keyIn(shown);
      await expectValid(installation, key);
      expect(existsSync(keysFile(installation))).toBe(false);
    },
  );
});
