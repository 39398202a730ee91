import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { handOverFirstSecrets } from './first-secrets.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const URL = 'http://127.0.0.1:1';
const LINK = `${URL}/setup#x`;
const KEYS = { account: { id: 'acc_1', name: 'default', plan: 'business' }, live: 'live', sandbox: 'test' };

async function handOver(makeLink: () => Promise<string | undefined>, keys?: object) {
  const logged: { level: string; members: unknown; message: string | undefined }[] = [];
  const note = (level: string) => (members: unknown, message?: string) =>
    logged.push({ level, members, message });
  const log = { info: note('info'), error: note('error') };
  const options = { dataDir, terminal: false, json: false, log } as never;
  const failure = await handOverFirstSecrets({ url: URL, keys: keys as never }, makeLink, options).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { logged, failure };
}

const makeLink = async () => LINK;

it('removes the file with the link when there is an operator', async () => {
  const file = join(dataDir, 'setup-link.txt');
  expect((await handOver(makeLink)).logged).toMatchObject([{ level: 'info', members: { file } }]);
  expect(readFileSync(file, 'utf8')).toContain(`${LINK}\n`);
  expect(await handOver(async () => undefined)).toEqual({ logged: [], failure: undefined });
  expect(existsSync(file)).toBe(false);
});

it('hands the keys over although the link cannot be made', async () => {
  const file = join(dataDir, 'first-keys.txt');
  const { logged, failure } = await handOver(() => Promise.reject(new Error('locked')), KEYS);
  expect(failure).toBe('locked');
  expect(logged).toMatchObject([{ level: 'info', members: { file } }]);
  expect(readFileSync(file, 'utf8')).toContain('Live key     live\n');
});

it('replaces a symbolic link instead of writing to the file behind it', async () => {
  const elsewhere = join(dataDir, 'elsewhere');
  writeFileSync(elsewhere, 'as it was');
  symlinkSync(elsewhere, join(dataDir, 'setup-link.txt'));
  await handOver(makeLink);
  expect(readFileSync(elsewhere, 'utf8')).toBe('as it was');
});

it('logs how to create others when the files cannot be written, and goes on', async () => {
  rmSync(dataDir, { recursive: true });
  expect((await handOver(makeLink)).logged).toMatchObject([
    { level: 'error', message: expect.stringContaining('`gatehouse key create` and `gatehouse user link`') },
  ]);
});
