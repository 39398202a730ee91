/** A backup that cannot be completed fails in one line and leaves no file, and the service beside it continues; a flipped bit is found. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN, type CommandResult, failureOf, gatehouse } from '../support/command.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';

/** The block size of `ulimit -f` in a POSIX shell. */
const BLOCK_BYTES = 512;
/** How many places of a backup are damaged, one after the other. */
const FLIPS = 24;

let installation: Installation;
let service: Service;
let key: string;
/** Bytes of the database in a backup, which come first. */
let databaseBytes: number;
const place = (name: string) => join(installation.directory, name);

beforeAll(async () => {
  installation = await createInstallation();
  ({ live: key } = await installation.account('business'));
  service = await installation.start();
  expect(await assess('before@example.com')).toBe(200);
  expect(await gatehouse(['backup', place('whole.backup')], installation.environment)).toMatchObject({
    status: 0,
  });
  const bytes = readFileSync(place('whole.backup'));
  const length = Number(bytes.subarray(bytes.length - 78, bytes.length - 66).toString());
  const start = bytes.length - 100 - length;
  const { parts } = JSON.parse(bytes.subarray(start, start + length).toString());
  databaseBytes = parts[0].bytes;
});
afterAll(() => installation?.remove());

async function assess(email: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const options = { method: 'POST', headers, body: JSON.stringify({ email }) };
  return (await fetch(`${service.url}/v1/assess`, options)).status;
}

/** In a process whose files may not grow: every further write fails as on a disk with a quota. */
function backUpWithin(bytes: number, file: string): Promise<CommandResult> {
  const script = 'ulimit -f "$0" && exec "$@"';
  const blocks = String(Math.floor(bytes / BLOCK_BYTES));
  const args = ['-c', script, blocks, process.execPath, BIN, 'backup', file];
  return new Promise((done) => {
    execFile('sh', args, { env: installation.environment }, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      done({ status, stdout, stderr });
    });
  });
}

describe('a backup that cannot be completed', () => {
  it.each([
    ['while the database is copied', () => databaseBytes / 2],
    ['behind the database', () => databaseBytes],
  ])('%s leaves no file, and the service continues', async (name, bytes) => {
    const file = place(`${name.replaceAll(' ', '-')}.backup`);
    const line = failureOf(await backUpWithin(bytes(), file), 1);
    expect(line).toMatch(/ulimit -f.*no backup was written$/);
    expect(line).toContain(file);
    const left = readdirSync(installation.directory).filter((entry) => file.endsWith(entry.slice(0, 20)));
    expect(left).toEqual([]);
    expect(existsSync(`${file}.partial`)).toBe(false);
    expect(await assess('beside@example.com')).toBe(200);
    expect(await gatehouse(['backup', file], installation.environment)).toMatchObject({ status: 0 });
  });
});

describe('a backup that was written', () => {
  it('is refused by `restore --check` after any bit is flipped', async () => {
    const bytes = readFileSync(place('whole.backup'));
    const check = () => gatehouse(['restore', '--check', place('flipped.backup')], installation.environment);
    writeFileSync(place('flipped.backup'), bytes);
    expect(await check()).toMatchObject({ status: 0 });
    for (let n = 0; n < FLIPS; n += 1) {
      const at = n === FLIPS - 1 ? bytes.length - 2 : Math.floor((n / FLIPS) * bytes.length);
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (n % 8)), at);
      writeFileSync(place('flipped.backup'), flipped);
      expect([at, failureOf(await check(), 1)]).toEqual([
        at,
        expect.stringMatching(/is damaged \(.*use another one$|is not a whole Gatehouse backup/),
      ]);
    }
    expect(statSync(place('flipped.backup')).size).toBe(bytes.length);
  });
});
