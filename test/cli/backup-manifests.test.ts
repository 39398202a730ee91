/** Backups that somebody has made up: each is refused in one line, and nothing of it is restored. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { digestOf, footerOf } from '../../src/operate/backup/backup-file.ts';
import { parseManifest } from '../../src/operate/backup/backup-manifest.ts';
import { gatehouse } from '../support/command.ts';
import { rounds } from '../support/long-version.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation } from '../support/service.ts';

type Manifest = Record<string, unknown> & { readonly parts: readonly Record<string, unknown>[] };

let installation: Installation;
/** Bytes before the manifest of a good backup. */
let content: Buffer;
let good: Manifest;
let file: string;

beforeAll(async () => {
  installation = await createInstallation();
  await plant(installation);
  await (await installation.start()).stop();
  file = join(installation.directory, 'good.backup');
  expect((await installation.run('backup', file)).status).toBe(0);
  const bytes = readFileSync(file);
  const length = Number(bytes.subarray(bytes.length - 78, bytes.length - 66).toString());
  content = bytes.subarray(0, bytes.length - 100 - length);
  good = JSON.parse(bytes.subarray(content.length, -100).toString()) as Manifest;
});
afterAll(() => installation?.remove());

/** Everything but the manifest is right: its digest, too. */
async function restore(manifest: string | Buffer, before = content, footer?: string) {
  const text = Buffer.from(manifest);
  const crafted = join(installation.directory, 'crafted.backup');
  writeFileSync(crafted, Buffer.concat([before, text, Buffer.from(footer ?? footerOf(text))]));
  const folder = join(installation.directory, 'restored');
  const environment = { ...installation.environment, GATEHOUSE_DATA_DIR: folder };
  for (const args of [
    ['restore', '--check', crafted],
    ['restore', crafted],
  ]) {
    const { status, stdout, stderr } = await gatehouse(args, environment);
    expect({ args: args.length, status, stdout }).toEqual({ args: args.length, status: 1, stdout: '' });
    expect(stderr).toMatch(/^gatehouse: [^\n]{10,400}\n$/);
    expect(stderr).not.toMatch(
      /Cannot read prop|undefined|is not a function|\bat .*:\d+|TypeError|RangeError/,
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what may not be left
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  }
  expect(existsSync(folder)).toBe(false);
}

it('has a good one that is restored', async () => {
  const folder = join(installation.directory, 'whole');
  const environment = { ...installation.environment, GATEHOUSE_DATA_DIR: folder };
  expect((await gatehouse(['restore', file], environment)).status).toBe(0);
  expect(parseManifest(JSON.stringify(good))).toEqual(good);
});

const part = (changes: object) => ({ ...good, parts: [good.parts[0], { ...good.parts[1], ...changes }] });
const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
const ODD: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e300,
  2 ** 53,
  '',
  '1',
  'x'.repeat(100_000),
  '\u001b]0;owned\u0007\u202e',
  [],
  {},
  [[]],
  [null],
  ['gatehouse.db'],
  { length: 1 },
  { toString: 1, valueOf: 2 },
];

it.each([
  'null',
  '1',
  '"text"',
  '[]',
  '{}',
  '',
  '{',
  'undefined',
  '[[[[',
  '\u0000',
  '{"parts":{"reduce":1}}',
])('is refused with the manifest %j', (text) => restore(text));

it.each(['version', 'schema', 'at', 'assessments', 'settings', 'parts'])(
  'is refused without %s, or with a wrong type of it',
  async (name) => {
    await restore(JSON.stringify(without(name)));
    for (const value of ODD) {
      // No setting at all, and a version of one digit, are good.
      const isGood =
        (name === 'settings' && JSON.stringify(value) === '{}') || (name === 'version' && value === '1');
      if (isGood) continue;
      const text = JSON.stringify({ ...good, [name]: value });
      expect(typeof parseManifest(text), text.slice(0, 200)).toBe('string');
    }
    await restore(JSON.stringify({ ...good, [name]: ODD[9] }));
    await restore(JSON.stringify({ ...good, [name]: null }));
  },
);

it.each(['path', 'bytes', 'sha256'])('is refused with a wrong %s of a file', async (name) => {
  for (const value of ODD)
    expect(
      typeof parseManifest(JSON.stringify(part({ [name]: value }))),
      JSON.stringify(value).slice(0, 99),
    ).toBe('string');
  await restore(JSON.stringify(part({ [name]: ODD[9] })));
  await restore(JSON.stringify(part({ [name]: undefined })));
});

it.each([
  ['../secret.key'],
  ['/etc/passwd'],
  ['secret.key/../x'],
  ['intel/feeds/../../x/state.json'],
  ['gatehouse.db'],
  ['GATEHOUSE.DB'],
  ['secret.key\u0000'],
  ['__proto__'],
  ['intel/feeds/a/\u001b[2J'],
])('is refused with a file at %j', (path) => restore(JSON.stringify(part({ path }))));

it('is refused with names of prototypes and of settings that are none', async () => {
  const text = JSON.stringify(good);
  await restore(
    text.replace('{', '{"__proto__":{"parts":[]},').replace('"parts":[{"path"', '"parts_":[{"path"'),
  );
  for (const name of ['__proto__', 'constructor', 'folder', 'PATH', 'GATEHOUSE_\u001b[2J'])
    await restore(text.replace('"settings":{', `"settings":{${JSON.stringify(name)}:"x",`));
});

it('is refused with another length, another form, or without a database', async () => {
  const text = JSON.stringify(good);
  await restore(text, content.subarray(1));
  await restore(text, Buffer.concat([Buffer.alloc(1), content.subarray(1)]));
  const footer = footerOf(Buffer.from(text));
  await restore(text, content, footer.replace('backup 0001', 'backup 0000'));
  await restore(text, content, footer.replace(/ \d{12} /, ' 999999999999 '));
  await restore(text, content, footer.replace(/ \d{12} /, ' 000000000000 '));
  const noise = Buffer.alloc(4_096, 'no database ');
  const only = [{ path: 'gatehouse.db', bytes: noise.length, sha256: digestOf(noise) }];
  await restore(JSON.stringify({ ...good, parts: only }), noise);
  await restore(JSON.stringify({ ...good, parts: [] }), Buffer.alloc(0));
});

it('is never anything but a manifest or a reason', () => {
  const json = fc.oneof(
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify({ ...good, parts: value })),
  );
  const edited = fc
    .tuple(fc.constantFrom(...Object.keys(good)), fc.jsonValue())
    .map(([name, value]) => JSON.stringify({ ...good, [name]: value }));
  fc.assert(
    fc.property(fc.oneof(json, edited, fc.string()), (text) => {
      const read = parseManifest(text);
      if (typeof read === 'string') expect(read).toMatch(/^(?:a|its|it|the) [^\n]+$/);
      else expect(read.parts[0]?.path).toBe('gatehouse.db');
    }),
    { numRuns: rounds(500, 20_000) },
  );
});

it('is refused in one line for a folder and for a file that is too short', async () => {
  const folder = join(installation.directory, 'a-folder');
  mkdirSync(folder);
  const short = join(installation.directory, 'short');
  writeFileSync(short, 'gatehouse-backup');
  for (const [path, why] of [
    [folder, 'it is not a file'],
    [short, 'is not a whole Gatehouse backup'],
  ] as const) {
    const { status, stderr } = await installation.run('restore', '--check', path);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(`^gatehouse: .*${why}[^\n]*\n$`),
    });
  }
});

it('is not restored into a used folder, and the reason is its database', async () => {
  const { status, stderr } = await installation.run('restore', file);
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^gatehouse: the data folder \S+ is not empty \(gatehouse\.db\): nothing was changed; [^\n]+\n$/,
  );
});
