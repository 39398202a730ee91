/**
 * Writes dist/operate/policy-test/month.br: a small month of the generator in bench/wave-parts, with which `gatehouse policy test` tries policies without the packages that names are made from.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { filesBelow, inputLines, missingPackages, requireBuilt, versionOf } from './build-inputs.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'dist', 'operate', 'policy-test');
const OUT = join(FOLDER, 'month.br');
const KEY = `${OUT}.key`;
const GENERATOR = join(ROOT, 'bench', 'wave-parts');
const PACKAGES = ['@faker-js/faker', '@ip-location-db/asn'];
/** Everyday signups: enough for a service to learn what is usual, a tenth of the month that docs/waves.md is measured with. */
const SIZE = 8_000;
const SEED = 1;

/** Needs the compiled code and the intelligence snapshot. @param {(text: string) => void} say */
export async function buildMonth(say) {
  const record = existsSync(KEY) ? readFileSync(KEY, 'utf8') : '';
  // A copy of the build has it without the generator.
  const inputs = existsSync(GENERATOR) ? inputLines(ROOT, sources()) : undefined;
  const missing = missingPackages(ROOT, PACKAGES);
  if (inputs === undefined || missing.length > 0) {
    const output = { output: OUT, outputName: 'the month of signups', built: record };
    // The first line has the packages.
    const unchanged = record.split('\n').slice(1, -1);
    requireBuilt({ ...output, inputs: inputs ?? unchanged, missing });
    return;
  }
  const versions = PACKAGES.map((name) => `${name} ${versionOf(ROOT, name)}`).join('; ');
  // The generator leaves out domains that lists name.
  const [snapshot] = readFileSync(join(ROOT, 'dist/intel/baseline.snapshot.key'), 'utf8').split('\n', 1);
  const key = [`packages\t${versions}; ${snapshot}; ${SIZE} of seed ${SEED}`, ...inputs, ''].join('\n');
  if (existsSync(OUT) && key === record) return;
  rmSync(KEY, { force: true });
  const file = await makeMonth();
  writeFileSync(OUT, file);
  writeFileSync(KEY, key);
  say(`made a month of signups for tests of policies (${Math.round(file.length / 1000)} kB)`);
}

function sources() {
  return [
    ...filesBelow(GENERATOR, (name) => /\.(mjs|json)$/.test(name)),
    join(ROOT, 'demo', 'seeded.mjs'),
    join(ROOT, 'scripts', 'names', 'learned-half.mjs'),
    join(ROOT, 'src', 'intel', 'data', 'hosting-asns.txt'),
    join(ROOT, 'src', 'operate', 'policy-test', 'month-file.ts'),
  ];
}

async function makeMonth() {
  const part = (name) => import(pathToFileURL(join(GENERATOR, name)).href);
  const [{ generateMonth }, { CROWDS }, { WAVES }, { WAVE_FLOORS }, sums] = await Promise.all(
    ['month.mjs', 'all-crowds.mjs', 'all-waves.mjs', 'floors.mjs', 'sum-up.mjs'].map(part),
  );
  const { writeMonth } = await import(pathToFileURL(join(FOLDER, 'month-file.js')).href);
  const { rows } = generateMonth({ seed: SEED, size: SIZE });
  const groups = [...toGroups(rows, WAVES, CROWDS, { ...sums, WAVE_FLOORS })];
  const places = new Map(groups.map(({ kind, name }, at) => [`${kind}/${name}`, at]));
  const signups = rows.map(({ email, ip, at, kind, name }) => ({
    email,
    ip,
    at,
    group: places.get(`${kind}/${name}`),
  }));
  return writeMonth({ groups, signups });
}

function* toGroups(rows, waves, crowds, { floorOf, knownFromOf, WAVE_FLOORS }) {
  const plain = { knownFrom: 1, floor: null, mayBeChallenged: false };
  for (const wave of waves) {
    const floor = WAVE_FLOORS[floorOf(wave)]?.floor ?? null;
    yield { ...plain, kind: 'wave', name: wave.name, knownFrom: knownFromOf(wave), floor };
  }
  for (const { name, mayBeChallenged = false } of crowds)
    yield { ...plain, kind: 'crowd', name, mayBeChallenged };
  const everyday = rows.filter(({ kind }) => kind === 'everyday').map(({ name }) => name);
  for (const name of new Set(everyday)) yield { ...plain, kind: 'everyday', name };
}
