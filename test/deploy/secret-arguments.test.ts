/** No script, unit or manifest passes a secret to a program in its arguments, which every user of the machine can read. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../support/command.ts';
import { secretArguments } from '../support/secret-arguments.ts';

const SCRIPTS = ['deploy/kubernetes/backup/backup.sh', 'deploy/helm/gatehouse/backup.sh'];
/** Folder whose files are secrets themselves. */
const VALUES = /deploy\/compose$/;
const FOLDERS = ['deploy', '.github/workflows', '.ci'];

/** Lines below a heading of the file beside this one. */
function examples(heading: string): string[] {
  const [, lines = ''] = readFileSync(join(import.meta.dirname, 'secret-arguments.txt'), 'utf8').split(
    `${heading}\n`,
  );
  return (
    lines
      .split(/\n(?! )/)[0]
      ?.split('\n')
      .map((line) => line.trim()) ?? []
  );
}

describe('what is deployed', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter(
        (entry) => entry.isFile() && !/\.(?:md|json)$/.test(entry.name) && !VALUES.test(entry.parentPath),
      )
      .map((entry) => join(entry.parentPath, entry.name)),
  );

  it('passes no secret in an argument', () => {
    expect(files.length).toBeGreaterThan(40);
    const found = [...files, join(ROOT, 'compose.yaml'), join(ROOT, 'Dockerfile')].flatMap((file) =>
      secretArguments(readFileSync(file, 'utf8')).map((line) => `${file.slice(ROOT.length + 1)}: ${line}`),
    );
    expect(found).toEqual([]);
  });

  it.each(examples('Lines that pass a secret'))('finds it in %s', (line) => {
    expect(secretArguments(`# secret\n  ${line}\n`)).toEqual([line]);
  });

  it.each(examples('Lines that pass none'))('lets %s pass', (line) => {
    expect(secretArguments(line)).toEqual([]);
  });
});

describe.each(SCRIPTS)('%s', (script) => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-backup-'));
    for (const name of ['bin', 'backups']) mkdirSync(join(folder, name));
    const dump =
      'printf "%s\\n" "$@" > ../arguments; printf %s "$(printenv PGPASSWORD || echo none)" > ../password; touch "$(echo "$2" | cut -c8-)"';
    for (const [name, text] of [
      ['pg_dump', dump],
      ['pg_restore', ':'],
    ] as const) {
      writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(folder, 'bin', name), 0o755);
    }
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function backUp(url: string) {
    writeFileSync(join(folder, 'url'), `${url}\n`);
    const PATH = `${join(folder, 'bin')}:${process.env.PATH}`;
    const env = { PATH, BACKUPS: join(folder, 'backups'), KEEP: '2', DATABASE_URL_FILE: join(folder, 'url') };
    const { status, stderr } = spawnSync('sh', [join(ROOT, script)], { env, encoding: 'utf8' });
    const read = (name: string) =>
      existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : undefined;
    return { status, stderr, url: read('arguments')?.split('\n')[2], password: read('password') };
  }

  it.each([
    [
      'postgres://me:s3cret@db:5432/gatehouse?sslmode=require',
      'postgres://me@db:5432/gatehouse?sslmode=require',
      's3cret',
    ],
    ['postgresql://me:p%40%3A%2F%25%C3%A4x@db/gatehouse', 'postgresql://me@db/gatehouse', 'p@:/%äx'],
    ['postgres://me:a%5Cb$`"\'*@h1:1,h2:2/gatehouse', 'postgres://me@h1:1,h2:2/gatehouse', 'a\\b$`"\'*'],
    ['postgres://me:@db/gatehouse', 'postgres://me@db/gatehouse', ''],
    ['postgres://me@db/gatehouse', 'postgres://me@db/gatehouse', 'none'],
    [
      'postgres://db/gatehouse?application_name=a:b@c',
      'postgres://db/gatehouse?application_name=a:b@c',
      'none',
    ],
  ])('passes the password of %s through the environment alone', (whole, url, password) => {
    expect(backUp(whole)).toEqual({ status: 0, stderr: '', url, password });
  });

  it.each([
    [
      'postgres:///gatehouse?host=db&password=s3cret',
      'has its password behind the question mark: write it before the host',
    ],
    ['host=db user=me password=s3cret', 'does not begin with postgres://'],
    ['postgres://me:s3%zzcret@db/gatehouse', 'has a password with a percent sign that is not written as %25'],
    ['postgres://me:s3cret%@db/gatehouse', 'has a password with a percent sign that is not written as %25'],
    ['postgres://me:s3cret%0A@db/gatehouse', 'has a password with a line break or a zero byte'],
  ])('refuses %s, and shows nothing of it', (whole, reason) => {
    const { status, stderr, url } = backUp(whole);
    expect([status, url, stderr]).toEqual([1, undefined, `the URL of the database ${reason}\n`]);
  });
});
