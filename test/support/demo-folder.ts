/** Fills one folder with a small month of the demo, once for all tests that use it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { createInstallation, type Installation } from './service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    demoFolder: string;
  }
}

const ROOT = resolve(import.meta.dirname, '../..');
const ASSESSMENTS = 1_500;
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
  execFileSync(process.execPath, [join(ROOT, 'demo/run.mjs'), ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  project.provide('demoFolder', join(folder, 'demo', 'data'));
  return () => rm(folder, { recursive: true, force: true });
}

/** A separate installation that starts with the demo's month. */
export async function createDemo(): Promise<Installation> {
  const installation = await createInstallation();
  await cp(inject('demoFolder'), join(installation.directory, 'data'), { recursive: true });
  return installation;
}
