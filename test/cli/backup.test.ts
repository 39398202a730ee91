/** A backup is one complete file from one moment, and a restored folder is the same installation; other files are refused before anything is written. */
import { execFile, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { footerOf } from '../../src/operate/backup/backup-file.ts';
import { newestSchema } from '../../src/store/sqlite/migrate.ts';
import { BIN, failureOf, gatehouse } from '../support/command.ts';
import { rounds } from '../support/long-version.ts';
import { isSkipped } from '../support/missing-programs.ts';
import { createInstallation, type Environment, type Installation, type Service } from '../support/service.ts';
import { inTerminal, NO_TERMINAL } from '../support/terminal.ts';

/** Files that a data folder has and a backup omits: created again, or useless elsewhere. */
const LEFT_OUT = [
  'gatehouse.db-wal',
  'gatehouse.db-shm',
  'history',
  'service.lock',
  'service.lock-journal',
  'service.json',
  'backup.lock',
  'backup.lock-journal',
  'first-keys.txt',
  'setup-link.txt',
  // Part of feeds: snapshots are compiled again.
  'snapshots',
  'current.json',
  'feeds.lock',
];
const FEED = { state: '{"versions":[]}', version: 'a version', departed: 'gone' };

let installation: Installation;
let service: Service;
let key: string;
let data: string;
let good: string;
/** Answers from before the backup, by their ids. */
const answers = new Map<string, string>();
let usedBefore: number;

const assess = async (at: Service, email: string) => {
  const response = await fetch(`${at.url}/v1/assess`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email, ip: '203.0.113.7' }),
  });
  expect(response.status).toBe(200);
  const body = await response.text();
  return { id: (JSON.parse(body) as { request_id: string }).request_id, body };
};
const get = async (at: Service, path: string) =>
  (await fetch(`${at.url}${path}`, { headers: { authorization: `Bearer ${key}` } })).text();
const inFolder = (name: string): Environment => ({
  ...installation.environment,
  GATEHOUSE_DATA_DIR: join(installation.directory, name),
});
const place = (name: string) => join(installation.directory, name);

beforeAll(async () => {
  installation = await createInstallation();
  data = installation.environment.GATEHOUSE_DATA_DIR as string;
  ({ live: key } = await installation.account('business'));
  const feed = join(data, 'intel', 'feeds', 'tor-exits');
  mkdirSync(feed, { recursive: true });
  writeFileSync(join(feed, 'state.json'), FEED.state);
  writeFileSync(join(feed, '0123456789abcdef.gz'), FEED.version);
  writeFileSync(join(feed, 'departed.gz'), FEED.departed);
  writeFileSync(place('feeds-file.json'), '{}');
  installation.environment.GATEHOUSE_FEEDS_FILE = place('feeds-file.json');
  service = await installation.start();
  for (let n = 0; n < 20; n += 1) {
    const { id, body } = await assess(service, `before${n}@example.com`);
    answers.set(id, body);
  }
  usedBefore = answers.size;
  good = place('good.backup');
  // Under load: of each signup during the backup, the copy has both the record and its credit, or neither.
  let done = false;
  const traffic = (async () => {
    for (let n = 0; !done; n += 1) await assess(service, `during${n}@example.com`);
  })();
  const written = await gatehouse(['backup', good], installation.environment);
  done = true;
  await traffic;
  expect(written).toMatchObject({ status: 0 });
  const row = JSON.parse(written.stdout) as { assessments: number; bytes: number };
  expect(row.assessments).toBeGreaterThanOrEqual(usedBefore);
  expect(row.bytes).toBe(statSync(good).size);
});
afterAll(() => installation.remove());

describe('a backup of a running service', () => {
  it('is readable by its owner only, and there are no other files beside it', () => {
    expect(statSync(good).mode & 0o777).toBe(0o600);
    expect(readdirSync(installation.directory).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('omits only files that can be created again', async () => {
    const manifest = JSON.parse((await gatehouse(['restore', '--check', good], inFolder('none'))).stdout);
    expect(manifest).toMatchObject({ folder: null, GATEHOUSE_FEEDS: 'off' });
    expect(existsSync(place('none'))).toBe(false);
    const target = inFolder('census');
    expect(await gatehouse(['restore', good], target)).toMatchObject({ status: 0 });
    const restored = readdirSync(target.GATEHOUSE_DATA_DIR as string, { recursive: true, encoding: 'utf8' });
    const own = readdirSync(data, { recursive: true, encoding: 'utf8' });
    const forgotten = own.filter(
      (path) =>
        !restored.includes(path) &&
        !LEFT_OUT.some(
          (name) => path === name || path.startsWith(`${name}/`) || path.includes(`intel/${name}`),
        ),
    );
    expect(forgotten).toEqual([]);
    for (const path of restored.filter((path) => path.endsWith('gz') || path.endsWith('key')))
      expect(readFileSync(join(target.GATEHOUSE_DATA_DIR as string, path))).toEqual(
        readFileSync(join(data, path)),
      );
    expect(readFileSync(join(target.GATEHOUSE_DATA_DIR as string, 'feeds.json'), 'utf8')).toBe('{}');
    for (const path of restored) {
      const { mode } = statSync(join(target.GATEHOUSE_DATA_DIR as string, path));
      expect(mode & 0o077).toBe(0);
    }
  });

  it('restored into an empty folder is the same installation, byte for byte', async () => {
    const target = inFolder('restored');
    mkdirSync(target.GATEHOUSE_DATA_DIR as string);
    const printed = await gatehouse(['restore', good], target);
    expect(printed.status).toBe(0);
    const { assessments } = JSON.parse(printed.stdout) as { assessments: number };
    const restored = await installation.start(target);
    for (const [id, body] of answers) expect(await get(restored, `/v1/assess/${id}`)).toBe(body);
    // As many credits as assessments: the copy is from one moment.
    expect(JSON.parse(await get(restored, '/v1/usage'))).toMatchObject({ assessments_used: assessments });
    await assess(restored, 'after@example.com');
    await restored.stop();
  });

  describe('to the standard output', () => {
    const shell = (command: string) =>
      new Promise<{ status: unknown; stdout: string; stderr: string }>((done) => {
        const options = { env: installation.environment, cwd: installation.directory };
        execFile('bash', ['-c', `set -o pipefail; ${command}`], options, (error, stdout, stderr) =>
          done({ status: error?.code ?? 0, stdout, stderr }),
        );
      });
    const backup = `'${process.execPath}' '${BIN}' backup -`;
    const left = () =>
      readdirSync(data).filter((name) => name.endsWith('.stream') || name.endsWith('.partial'));

    it('is a whole backup, with the result on the standard error', async () => {
      const { status, stderr } = await shell(`${backup} --json > streamed.backup`);
      expect({ status, left: left() }).toEqual({ status: 0, left: [] });
      const row = JSON.parse(stderr.trimEnd().split('\n').at(-1) as string) as { bytes: number };
      expect(row.bytes).toBe(statSync(place('streamed.backup')).size);
      const check = await gatehouse(['restore', '--check', place('streamed.backup')], inFolder('nowhere'));
      expect(check).toMatchObject({ status: 0 });
    });

    it('fails if its reader ends early, and leaves nothing behind', async () => {
      const { status, stderr } = await shell(`${backup} | head -c 100 > /dev/null`);
      expect({ status, left: left() }).toEqual({ status: 1, left: [] });
      expect(stderr).toMatch(
        /gatehouse: the backup could not be written to the standard output: its reader ended/,
      );
    });

    it.skipIf(isSkipped(NO_TERMINAL))('is not written to a terminal', async () => {
      expect(await inTerminal(['backup', '-'], installation.environment)).toContain('a backup is binary');
    });

    it('cannot be restored from the standard input, which says why', async () => {
      expect(failureOf(await gatehouse(['restore', '-'], inFolder('nowhere')), 1)).toContain('checked whole');
    });
  });

  it('does not overwrite another file, and needs an installation and a folder', async () => {
    const before = readFileSync(good);
    expect(failureOf(await gatehouse(['backup', good], installation.environment), 1)).toMatch(
      /exists already: .*no backup is overwritten$/,
    );
    expect(readFileSync(good).equals(before)).toBe(true);
    const line = failureOf(await gatehouse(['backup', place('x.backup')], inFolder('none')), 1);
    expect(line).toContain('there is no installation in');
    expect(failureOf(await gatehouse(['backup', place('no/x')], installation.environment), 1)).toContain(
      'cannot write',
    );
    const shared = { ...installation.environment, DATABASE_URL: 'postgres://127.0.0.1:9/x' };
    expect(failureOf(await gatehouse(['backup', place('x.backup')], shared), 1)).toContain('pg_dump');
    expect(
      failureOf(await gatehouse(['restore', good], { ...shared, GATEHOUSE_DATA_DIR: place('y') }), 1),
    ).toContain('pg_restore');
  });

  it('is refused with another secret, because that secret could not read it', async () => {
    const file = join(data, 'secret.key');
    const secret = readFileSync(file);
    writeFileSync(file, `${'ab'.repeat(32)}\n`);
    const refused = await gatehouse(['backup', place('other.backup')], installation.environment);
    writeFileSync(file, secret);
    expect(failureOf(refused, 1)).toContain('is not the secret that this database is used with');
    expect(readdirSync(installation.directory).filter((name) => name.startsWith('other'))).toEqual([]);
  });

  it('that is killed leaves no backup, and the next one is complete', async () => {
    const file = place('killed.backup');
    for (let round = 0; round < rounds(2, 20); round += 1) {
      await killWhen(['backup', file], installation.environment, () => existsSync(`${file}.partial`));
      if (!existsSync(file)) expect((await installation.run('backup', file)).status).toBe(0);
      expect(await gatehouse(['restore', '--check', file], inFolder('none'))).toMatchObject({ status: 0 });
      renameSync(file, place(`killed${round}.backup`));
      expect(existsSync(`${file}.partial`)).toBe(false);
    }
  });
});

describe('a restore', () => {
  it('is refused if the folder is not empty, and changes nothing', async () => {
    const target = inFolder('used');
    const folder = target.GATEHOUSE_DATA_DIR as string;
    mkdirSync(folder);
    writeFileSync(join(folder, 'mine'), 'x');
    expect(failureOf(await gatehouse(['restore', good], target), 1)).toMatch(/is not empty \(mine\)/);
    expect(readdirSync(folder)).toEqual(['mine']);
    expect(failureOf(await gatehouse(['restore', good], installation.environment), 1)).toMatch(
      /^a service .* uses the data folder .*: stop it/,
    );
    // Where no service runs, it names the database, not a lock beside it.
    writeFileSync(join(folder, 'gatehouse.db'), 'x');
    writeFileSync(join(folder, 'backup.lock'), '');
    expect(failureOf(await gatehouse(['restore', good], target), 1)).toMatch(
      /is not empty \(gatehouse\.db\)/,
    );
  });

  it('of a damaged, incomplete or other file is refused before anything is written', async () => {
    const bytes = readFileSync(good);
    const damages = [...Array(8).keys()].map((n) => {
      const damaged = Buffer.from(bytes);
      const at = Math.floor(((n + 0.5) / 8) * bytes.length);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
      return damaged;
    });
    const cases: [Buffer, RegExp][] = [
      ...damages.map((damaged): [Buffer, RegExp] => [damaged, /is damaged \(.*use another one$/]),
      [bytes.subarray(0, bytes.length - 1), /is not a whole Gatehouse backup/],
      [bytes.subarray(1), /is damaged/],
      [Buffer.alloc(0), /is not a whole Gatehouse backup/],
      [readFileSync(join(data, 'gatehouse.db')), /is not a whole Gatehouse backup/],
    ];
    for (const [content, message] of cases) {
      writeFileSync(place('bad.backup'), content);
      const refused = await gatehouse(['restore', place('bad.backup')], inFolder('never'));
      expect(failureOf(refused, 1)).toMatch(message);
      expect(existsSync(place('never'))).toBe(false);
    }
  });

  it('of a newer Gatehouse is refused, and so is a file with a path outside the folder', async () => {
    const newer = newestSchema() + 1;
    change('newer.backup', (manifest) => ({ ...manifest, schema: newer, version: '9.0.0' }));
    expect(failureOf(await gatehouse(['restore', place('newer.backup')], inFolder('never')), 1)).toBe(
      `the backup is from Gatehouse 9.0.0 and has schema ${newer}, newer than this one knows (${newer - 1}): install that version or a newer one`,
    );
    change('form.backup', (manifest) => manifest, 2);
    expect(failureOf(await gatehouse(['restore', place('form.backup')], inFolder('never')), 1)).toMatch(
      /was written by a newer Gatehouse/,
    );
    change('outside.backup', (manifest) => ({
      ...manifest,
      parts: manifest.parts.map((part, at) => (at === 1 ? { ...part, path: '../secret.key' } : part)),
    }));
    expect(failureOf(await gatehouse(['restore', place('outside.backup')], inFolder('never')), 1)).toMatch(
      /it contains the unknown file/,
    );
    expect(existsSync(place('never'))).toBe(false);
  });

  it('that is killed leaves a folder in which nothing starts, until the restore is run again', async () => {
    for (let round = 0; round < rounds(2, 20); round += 1) {
      const target = inFolder(`interrupted${round}`);
      const folder = target.GATEHOUSE_DATA_DIR as string;
      await killWhen(['restore', good], target, () => existsSync(join(folder, 'restoring')));
      if (existsSync(join(folder, 'restoring')))
        expect(failureOf(await gatehouse(['account', 'list'], target), 1)).toMatch(
          /run `gatehouse restore` again$/,
        );
      else continue;
      expect((await gatehouse(['restore', good], target)).status).toBe(0);
      expect((await gatehouse(['account', 'list'], target)).status).toBe(0);
    }
  });

  it('that stopped between two files also prevents a start, and the next restore completes it', async () => {
    const target = inFolder('between');
    const folder = target.GATEHOUSE_DATA_DIR as string;
    expect((await gatehouse(['restore', good], target)).status).toBe(0);
    mkdirSync(join(folder, 'restoring'));
    renameSync(join(folder, 'gatehouse.db'), join(folder, 'restoring', 'gatehouse.db'));
    truncateSync(join(folder, 'restoring', 'gatehouse.db'), 4096);
    await expect(installation.start(target)).rejects.toThrow(
      /a restore into the data folder .* has not ended/,
    );
    for (const name of ['service.lock', 'service.json']) expect(existsSync(join(folder, name))).toBe(false);
    expect((await gatehouse(['restore', good], target)).status).toBe(0);
    expect(readdirSync(folder).toSorted()).toEqual(['feeds.json', 'gatehouse.db', 'intel', 'secret.key']);
    expect((await gatehouse(['account', 'list'], target)).status).toBe(0);
  });
});

interface Manifest {
  readonly parts: readonly { readonly path: string; readonly bytes: number }[];
}

/** Writes the good backup with another manifest. */
function change(name: string, edit: (manifest: Manifest) => object, form = 1): void {
  const bytes = readFileSync(good);
  const length = Number(bytes.subarray(bytes.length - 78, bytes.length - 66).toString());
  const start = bytes.length - 100 - length;
  const manifest = JSON.parse(bytes.subarray(start, start + length).toString()) as Manifest;
  const text = Buffer.from(JSON.stringify(edit(manifest)));
  const footer = footerOf(text).replace('backup 0001', `backup ${String(form).padStart(4, '0')}`);
  copyFileSync(good, place(name));
  truncateSync(place(name), start);
  writeFileSync(place(name), Buffer.concat([bytes.subarray(0, start), text, Buffer.from(footer)]));
}

/** Kills a command as soon as a path exists, unless it ends before. */
async function killWhen(args: readonly string[], env: Environment, isThere: () => boolean): Promise<void> {
  const child = spawn(process.execPath, [BIN, ...args], { env, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const poll = setInterval(() => isThere() && child.kill('SIGKILL'), 1);
  await ended;
  clearInterval(poll);
}
