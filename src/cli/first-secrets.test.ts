import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FirstSecrets, handOverFirstSecrets } from './first-secrets.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const SECRETS: FirstSecrets = {
  url: 'http://127.0.0.1:1',
  keys: undefined,
  link: 'http://127.0.0.1:1/setup#x',
};

function handOver(secrets: FirstSecrets) {
  const logged: { level: string; members: unknown; message: string | undefined }[] = [];
  const note = (level: string) => (members: unknown, message?: string) =>
    logged.push({ level, members, message });
  const log = { info: note('info'), error: note('error') };
  handOverFirstSecrets(secrets, { dataDir, terminal: false, json: false, log } as never);
  return logged;
}

it('removes the file with the link when there is an operator', () => {
  const file = join(dataDir, 'setup-link.txt');
  expect(handOver(SECRETS)).toMatchObject([{ level: 'info', members: { file } }]);
  expect(readFileSync(file, 'utf8')).toContain('http://127.0.0.1:1/setup#x\n');
  expect(handOver({ ...SECRETS, link: undefined })).toEqual([]);
  expect(existsSync(file)).toBe(false);
});

it('replaces a symbolic link instead of writing to the file behind it', () => {
  const elsewhere = join(dataDir, 'elsewhere');
  writeFileSync(elsewhere, 'as it was');
  symlinkSync(elsewhere, join(dataDir, 'setup-link.txt'));
  handOver(SECRETS);
  expect(readFileSync(elsewhere, 'utf8')).toBe('as it was');
});

it('logs how to create others when the files cannot be written, and goes on', () => {
  rmSync(dataDir, { recursive: true });
  expect(handOver(SECRETS)).toMatchObject([
    { level: 'error', message: expect.stringContaining('`gatehouse key create` and `gatehouse user link`') },
  ]);
});
