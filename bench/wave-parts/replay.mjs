// Replays a month with `gatehouse mirror`, as a user would, and reads what was decided of every row.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BIN } from '../process.mjs';

/** `decisions`: of each row, in its place: `{ verdict, score, detectors }`. `cost`: of the whole process. */
export async function replay(rows, args = []) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-waves-'));
  try {
    const [signups, decisions] = ['signups.csv', 'decisions.csv'].map((name) => join(folder, name));
    const lines = rows.map(({ email, ip, at }) => `${email},${ip},${new Date(at).toISOString()},allow`);
    writeFileSync(signups, `email,ip,time,verdict\n${lines.join('\n')}\n`);
    const report = await mirror([signups, '--json', '--decisions', decisions, ...args], folder);
    if (report.compared !== rows.length)
      throw new Error(
        `${report.compared} of ${rows.length} rows were judged: ${JSON.stringify(report.unused)}`,
      );
    return {
      decisions: readDecisions(decisions, rows.length),
      cost: { rowsPerSecond: report.rows_per_second },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function mirror(args, folder) {
  const child = spawn(process.execPath, [BIN, 'mirror', ...args], {
    env: { ...process.env, GATEHOUSE_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`gatehouse mirror ended with ${status}`);
  return JSON.parse(output);
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
