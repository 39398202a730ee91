/** A trace of the system calls of a real service: each assessment is synced to the disk before its answer is sent. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from '../support/client.ts';
import { BIN } from '../support/command.ts';
import { rounds } from '../support/long-version.ts';
import { isSkipped } from '../support/missing-programs.ts';
import { createInstallation, type Environment, type Installation } from '../support/service.ts';
import { findTracer, readAnswers, type TracedAnswer, traced } from '../support/system-calls.ts';

const REQUESTS = rounds(3, 5);
const found = findTracer();
/** Turns off the sync in both libraries: the trace must notice this. */
const WITHOUT_SYNC = `
  import { createRequire } from 'node:module';
  const require = createRequire(${JSON.stringify(import.meta.url)});
  const off = (text) => text.replace('synchronous = FULL', 'synchronous = OFF');
  const change = (of, name) => {
    const call = of[name];
    of[name] = function (text, ...more) { return call.call(this, off(text), ...more); };
  };
  change(require('libsql').prototype, 'pragma');
  const sqlite = process.getBuiltinModule('node:sqlite');
  if (sqlite !== undefined) change(sqlite.DatabaseSync.prototype, 'prepare');`;

let installation: Installation | undefined;
let folder = '';
afterEach(async () => {
  await installation?.remove();
  await rm(folder, { recursive: true, force: true });
});

/** Some requests, one after the other, to a traced service. */
async function traceAnswers(program: string, environment: Environment = {}): Promise<TracedAnswer[]> {
  installation = await createInstallation();
  const { live } = await installation.account('business');
  const file = join(folder, 'trace');
  const service = await installation.spawn(environment, [...traced(program, file), process.execPath, BIN]);
  const client = createClient(service.url, live);
  for (let at = 0; at < REQUESTS; at += 1) {
    const { status } = await client.assess({ email: `j${at}@example.com`, ip: '203.0.113.7' });
    expect(status).toBe(200);
  }
  expect(await service.stop()).toBe(0);
  // The tracer ends a moment after the traced process.
  await expect.poll(async () => (await readFile(file, 'utf8')).includes('exited with 0')).toBe(true);
  return readAnswers(await readFile(file, 'utf8'));
}

describe.skipIf(isSkipped('reason' in found ? found.reason : undefined))('an assessment', () => {
  const { program } = found as { program: string };

  it('is on the disk before it is answered', async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-trace-'));
    expect(await traceAnswers(program)).toEqual(Array(REQUESTS).fill({ isSynced: true }));
  });

  it('would be noticed if it were not', async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-trace-'));
    const preload = join(folder, 'without-sync.mjs');
    await writeFile(preload, WITHOUT_SYNC);
    const answers = await traceAnswers(program, { NODE_OPTIONS: `--import=${preload}` });
    expect(answers).toEqual(Array(REQUESTS).fill({ isSynced: false }));
  });
});
