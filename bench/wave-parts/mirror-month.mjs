// Replays a month with `gatehouse mirror`, as a user would, and reads what was decided of every row and what it cost.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDirectory, ownChild, removeDirectory } from '../clean-up.mjs';
import { BIN } from '../process.mjs';
import { lookUpCost } from './look-up-cost.mjs';
import { shareOfWaves } from './share-of-waves.mjs';

/** Between two samples of the CPU, microseconds. */
const SAMPLE = 500;
const NOTE_COST = fileURLToPath(new URL('./note-cost.cjs', import.meta.url));

/**
 * `decisions`: of each row, in its place: `{ verdict, score, detectors }`. `cost`: CPU of the whole process, all threads, and
 * that of waves on the path of a signup and behind it, in microseconds; its largest resident memory in KiB.
 */
export async function mirrorMonth(rows, args = []) {
  const folder = makeDirectory('waves');
  const [signups, decisions, cost] = ['signups.csv', 'decisions.csv', 'cost.json'].map((name) =>
    join(folder, name),
  );
  const lines = rows.map(({ email, ip, at }) => `${email},${ip},${new Date(at).toISOString()},allow`);
  writeFileSync(signups, `email,ip,time,verdict\n${lines.join('\n')}\n`);
  const report = await mirror([signups, '--json', '--decisions', decisions, ...args], { folder, cost });
  if (report.compared !== rows.length)
    throw new Error(
      `${report.compared} of ${rows.length} rows were judged: ${JSON.stringify(report.unused)}`,
    );
  const used = JSON.parse(readFileSync(cost, 'utf8'));
  const waves = {
    onPath: lookUpCost(rows) * rows.length,
    behind: shareOfWaves(folder) * used.cpuMicroseconds,
  };
  const read = { decisions: readDecisions(decisions, rows.length), cost: { ...used, waves } };
  removeDirectory(folder);
  return read;
}

async function mirror(args, { folder, cost }) {
  const profiler = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${SAMPLE}`];
  const child = ownChild(
    spawn(process.execPath, [...profiler, '--require', NOTE_COST, BIN, 'mirror', ...args], {
      env: { ...process.env, GATEHOUSE_DATA_DIR: folder, WAVES_COST: cost },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (text) => {
      said[name] += text;
    });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`gatehouse mirror ended with ${status}: ${said.stderr}`);
  return JSON.parse(said.stdout);
}

/** The first line of the file of signups names its columns: row 0 is line 2. */
function readDecisions(file, count) {
  const decisions = new Array(count);
  for (const row of readFileSync(file, 'utf8').split('\r\n').slice(1, -1)) {
    const [line, , , , , verdict, score, , detectors] = row.split(',');
    decisions[Number(line) - 2] = { verdict, score: Number(score), detectors };
  }
  return decisions;
}
