/** The embedded store on the newest Node.js, which includes SQLite: all its tests once more, with those of backups and upgrades. They take about 30 seconds of a core. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT } from '../support/command.ts';
import { isSkipped } from '../support/missing-programs.ts';
import { findNode } from '../support/node-binary.ts';

const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.newest.config.ts'];
const PATIENCE_MS = 500_000;

it(
  'the embedded store, backups and upgrades pass their tests on the newest Node.js, on the SQLite inside it',
  async ({ skip }) => {
    const node = await findNode('latest');
    if ('missing' in node) {
      isSkipped(`the newest Node.js: ${node.missing}`);
      return skip(node.missing);
    }
    const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' };
    const run = promisify(execFile)(node.path, [...VITEST, '--reporter=dot'], { cwd: ROOT, env });
    const { stdout } = await run.catch((error: { stdout: string; stderr: string }) => {
      throw new Error(`${error.stdout}\n${error.stderr}`);
    });
    expect(stdout).toMatch(/Tests +\d{3} passed/);
  },
  PATIENCE_MS,
);
