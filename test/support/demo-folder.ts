/** Fills one folder with a small month of the demo, once for all tests that use it, while others run. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, inject, vi } from 'vitest';
import type { TestProject } from 'vitest/node';
import { createInstallation, type Installation } from './service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    demoFolder: string;
  }
}

const ROOT = resolve(import.meta.dirname, '../..');
const ASSESSMENTS = 1_500;
/** A file beside the folder: if it exists, the folder could not be filled. */
const FAILED = 'failed';
/** Only ends a process that hangs. */
const FILL_MS = 120_000;
const STAFF = JSON.parse(readFileSync(join(ROOT, 'demo/staff.json'), 'utf8')) as Record<
  'operator' | 'owner' | 'member',
  { readonly email: string }
> & { readonly password: string };

export const PASSWORD = STAFF.password;
export const PEOPLE = {
  operator: STAFF.operator.email,
  owner: STAFF.owner.email,
  member: STAFF.member.email,
};

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-demo-'));
  const args = [
    '--data',
    join(folder, 'demo'),
    '--assessments',
    String(ASSESSMENTS),
    '--bundled',
    '--fill-only',
  ];
  const filling = spawn(process.execPath, [join(ROOT, 'demo/run.mjs'), ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => {
    filling.once('exit', (status) => {
      if (status !== 0) writeFileSync(join(folder, FAILED), '');
      resolve();
    });
  });
  project.provide('demoFolder', folder);
  return async () => {
    filling.kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
}

/** A separate installation that starts with the demo's month. */
export async function createDemo(): Promise<Installation> {
  const folder = inject('demoFolder');
  const data = join(folder, 'demo/data');
  const isOver = () => expect([data, join(folder, FAILED)].some(existsSync)).toBe(true);
  await vi.waitFor(isOver, { timeout: FILL_MS, interval: 50 });
  const installation = await createInstallation();
  await cp(data, join(installation.directory, 'data'), { recursive: true });
  return installation;
}
