/** The commands of docs/install.md create the secret files that compose mounts, and the settings can be read from them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { fileOf } from '../support/deployment.ts';

it('the commands of docs/install.md create files that every secret setting can be read from', () => {
  const block = /^mkdir -m 700 secrets\n[\s\S]*?(?=^```)/m.exec(fileOf('docs/install.md'))?.[0] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'));
  execFileSync('sh', ['-ec', block], { cwd: folder });
  const secrets = join(folder, 'secrets');
  expect(statSync(secrets).mode & 0o777).toBe(0o700);
  const { databaseUrl, secret, bootstrapKey } = readConfig({
    DATABASE_URL_FILE: join(secrets, 'database-url'),
    GATEHOUSE_SECRET_FILE: join(secrets, 'gatehouse-secret'),
    GATEHOUSE_BOOTSTRAP_KEY_FILE: join(secrets, 'bootstrap-key'),
  });
  const password = readFileSync(join(secrets, 'postgres-password'), 'utf8').trim();
  expect(databaseUrl).toBe(`postgres://gatehouse:${password}@postgres:5432/gatehouse`);
  expect([password.length, secret?.length, bootstrapKey?.slice(0, 8)]).toEqual([64, 32, 'sk_live_']);
  rmSync(folder, { recursive: true });
});
