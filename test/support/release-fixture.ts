/** The installation of an earlier release, stored in the repository for upgrade tests: a data folder and its backup, a dump of PostgreSQL, and the answers of each. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import pg from 'pg';
import type { ReleaseAccess } from './fill-release.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FIXTURES = join(ROOT, 'test/fixtures/releases');
const MAX_BYTES = 2 ** 28;

export const STORES = ['sqlite', 'postgres'] as const;
export type FixtureStore = (typeof STORES)[number];

/** The contents of `fixture.json`; the release script reads it, too. */
export interface ReleaseFixture {
  readonly version: string;
  /** The names of each store's migrations, each with its digest: 64 hexadecimal digits. */
  readonly migrations: Readonly<Record<FixtureStore, Readonly<Record<string, string>>>>;
}

/** A question and its answer. */
export interface FixtureAnswer {
  /** The name that `askRelease` gives it. */
  readonly question: string;
  readonly status: number;
  readonly body: string;
}

/** How a store is used, and what it answered. */
export interface FixtureRecord {
  /** Time of the questions, milliseconds since the epoch; the clock is set to it for the comparison. */
  readonly at: number;
  readonly access: ReleaseAccess;
  readonly answers: readonly FixtureAnswer[];
}

/** The fixtures of all releases, oldest first. */
export function releaseFixtures(): ReleaseFixture[] {
  const numbers = ({ version }: ReleaseFixture) => version.split('.').map(Number);
  return readdirSync(FIXTURES)
    .map((version) => JSON.parse(readFileSync(join(FIXTURES, version, 'fixture.json'), 'utf8')))
    .sort((a, b) => {
      const [first, second] = [numbers(a), numbers(b)];
      const at = first.findIndex((number, place) => number !== second[place]);
      return (first[at] ?? 0) - (second[at] ?? 0);
    });
}

/** The migrations of the code, as a fixture names them. */
export function migrationsOf(store: FixtureStore): Record<string, string> {
  const folder = join(ROOT, 'src/store', store, 'migrations');
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return Object.fromEntries(
    names.toSorted().map((name) => {
      const hash = createHash('sha256').update(readFileSync(join(folder, name)));
      return [name, hash.digest('hex')];
    }),
  );
}

export function writeFixture(version: string): void {
  const migrations = { sqlite: migrationsOf('sqlite'), postgres: migrationsOf('postgres') };
  const fixture: ReleaseFixture = { version, migrations };
  writeFileSync(fileOf(version, 'fixture.json'), `${JSON.stringify(fixture, null, 2)}\n`);
}

export function writeRecord(version: string, store: FixtureStore, record: FixtureRecord): void {
  writeFileSync(fileOf(version, `${store}-answers.json.br`), pack(JSON.stringify(record)));
}

export function readRecord(version: string, store: FixtureStore): FixtureRecord {
  return JSON.parse(
    brotliDecompressSync(readFileSync(fileOf(version, `${store}-answers.json.br`))).toString(),
  );
}

/** The name in the archive, beside the data folder. */
const BACKUP = 'of-release.backup';

/** @param folder data folder of a stopped installation. @param backup its backup */
export function writeDataFolder(version: string, folder: string, backup: string): void {
  const excluded = ['service.lock', 'service.json', 'backup.lock', 'first-keys.txt', 'setup-link.txt'];
  const names = readdirSync(folder).filter((name) => !excluded.some((start) => name.startsWith(start)));
  copyFileSync(backup, join(folder, BACKUP));
  const args = ['-cf', '-', '--owner=0', '--group=0', '-C', folder, ...names.toSorted(), BACKUP];
  writeFileSync(fileOf(version, 'data.tar.br'), pack(execFileSync('tar', args, { maxBuffer: MAX_BYTES })));
}

/** @param folder an empty folder. @param backup where to write the installation's backup */
export function readDataFolder(version: string, folder: string, backup: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const input = brotliDecompressSync(readFileSync(fileOf(version, 'data.tar.br')));
  execFileSync('tar', ['-xf', '-', '--no-same-owner', '-C', folder], { input });
  renameSync(join(folder, BACKUP), backup);
}

/** @throws if there is no `pg_dump` at least as new as the server */
export function writeDump(version: string, url: string): void {
  const args = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges', url];
  const sql = execFileSync('pg_dump', args, { encoding: 'utf8', maxBuffer: MAX_BYTES });
  writeFileSync(fileOf(version, 'postgres.sql.br'), pack(toStatements(sql)));
}

/** @param url of an empty database */
export async function readDump(version: string, url: string): Promise<void> {
  const sql = brotliDecompressSync(readFileSync(fileOf(version, 'postgres.sql.br'))).toString();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** Without commands of psql, and without a setting that PostgreSQL before 17 does not know. */
function toStatements(sql: string): string {
  return sql.replace(/^(?:\\(?:un)?restrict .*|SET transaction_timeout = 0;)\n/gm, '');
}

/** Writes what the backup and the folder have in common only once. */
function pack(content: string | Buffer): Buffer {
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
}

function fileOf(version: string, name: string): string {
  const folder = join(FIXTURES, version);
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  return join(folder, name);
}
