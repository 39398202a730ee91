// npm run bench -- names: what the shape of a local part costs, for people's names of npm and for the longest and oddest ones.
import { foldName } from '../dist/address/fold-name.js';
import { nameShapeOf } from '../dist/address/name-shape.js';
import { readCorpora } from '../scripts/names/corpora.mjs';
import { readOptions } from '../scripts/read-options.mjs';

readOptions(
  `npm run bench -- names
Prints the nanoseconds that the shape of a local part takes, the best of 30 rounds.`,
  { options: {} },
);
const users = readCorpora({ fold: foldName }).users.slice(0, 20_000);
const CASES = [
  ['user names of npm', users],
  ['first.last1987', ['emma.jones1987']],
  ['letters and digits', ['x7f9q2k1zp']],
  ['64 letters', ['abcdefghijklmnopqrstuvwxyz'.repeat(3).slice(0, 64)]],
  ['64 letters and digits in turn', ['a1b2c3d4'.repeat(8)]],
  ['64 accented letters', ['äöüßéèáç'.repeat(8)]],
  ['64 letters and dots', ['a.b.c.d.'.repeat(8)]],
];
for (const [what, names] of CASES) {
  const rounds = Math.max(1, Math.floor(20_000 / names.length));
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 30; i++) {
    const start = process.hrtime.bigint();
    for (let round = 0; round < rounds; round++) for (const name of names) nameShapeOf(name);
    best = Math.min(best, Number(process.hrtime.bigint() - start) / (rounds * names.length));
  }
  process.stdout.write(`${what.padEnd(32)}${best.toFixed(0).padStart(6)} ns\n`);
}
