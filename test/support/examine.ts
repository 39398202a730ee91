/** Runs `gatehouse doctor`, checks what all its reports have in common, and finds single checks. */
import { expect } from 'vitest';
import type { DoctorCheck } from '../../src/model/doctor-check.ts';
import { gatehouse } from './command.ts';
import type { Environment } from './service.ts';

export async function examine(environment: Environment) {
  const { status, stdout, stderr } = await gatehouse(['doctor', '--json'], environment);
  const checks = JSON.parse(stdout) as DoctorCheck[];
  for (const { state, advice } of checks) expect(advice === null).toBe(state === 'ok');
  const failed = checks.filter(({ state }) => state === 'failed');
  expect(status).toBe(failed.length === 0 ? 0 : 1);
  if (failed.length > 0) expect(stderr).toMatch(/gatehouse: \d+ of \d+ checks failed: [^\n]+\n$/);
  const find = (name: string) => checks.find((check) => check.name === name);
  return { checks, find };
}
