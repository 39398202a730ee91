import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type StartThread, startThread } from './thread.ts';

/** The report when a thread that runs `code` ends for the first time. */
function faultOf(code: string, limits: Pick<StartThread, 'youngMegabytes'> = {}): Promise<string> {
  return new Promise((resolve) => {
    const thread = startThread({
      name: 'history',
      module: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
      workerData: {},
      ...limits,
      onFault(error) {
        void thread.close();
        resolve(error.message);
      },
      onDeath() {},
    });
  });
}
const report = (why: string) => `the history thread stopped (${why}); another one starts in 250 ms`;
const fromDatabase = (code: string) =>
  `import { createRequire } from 'node:module';
   const { SqliteError } = createRequire(${JSON.stringify(import.meta.url)})('libsql');
   throw new SqliteError('the message', '${code}', 0);`;

describe('a thread that stops', () => {
  it('is reported with its reason', async () => {
    expect(await faultOf('throw new Error("no reason to go on")')).toBe(report('no reason to go on'));
    expect(await faultOf('throw "enough"')).toBe(report('enough'));
  });

  it('has the given memory limit for young objects', async () => {
    const code = `import { resourceLimits } from 'node:worker_threads';
      throw String(resourceLimits.maxYoungGenerationSizeMb);`;
    expect(await faultOf(code, { youngMegabytes: 6 })).toBe(report('6'));
    expect(await faultOf(code)).not.toBe(report('6'));
  });

  it('is reported with the error of the database', async () => {
    expect(await faultOf(fromDatabase('SQLITE_FULL'))).toBe(report('disk full'));
    expect(await faultOf(fromDatabase('SQLITE_IOERR'))).toBe(report('SQLITE_IOERR'));
  });
});

describe('a thread that is ended by force', () => {
  const built = (name: string) =>
    JSON.stringify(new URL(`../../dist/platform/${name}.js`, import.meta.url).href);
  /** Calls the database all the time, so that it never gets a message. */
  const busy = `import { parentPort } from 'node:worker_threads';
    import { openSqlite } from ${built('sqlite-driver')};
    const database = openSqlite(':memory:');
    database.exec('CREATE TABLE t (x)');
    parentPort.postMessage('busy');
    for (;;) {
      database.exec('BEGIN');
      database.prepare('INSERT INTO t VALUES (?)').run('a text');
      database.prepare('SELECT x FROM t LIMIT 3').all();
      database.exec('ROLLBACK');
    }`;

  // Without a look at its calls, libsql panicked in one of ten rounds, which aborted the process.
  it.each([
    ['because it does not close', { closeMs: 5 }, 40],
    ['because it is stuck', { stuckMs: 600 }, 6],
  ])('%s, within calls of the database, does not end the process', async (_, limits, rounds) => {
    const program = `import { startThread } from ${built('thread')};
      const module = new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(busy)}));
      const limits = ${JSON.stringify(limits)};
      for (let round = 0; round < ${rounds}; round += 1) await new Promise((resolve) => {
        const thread = startThread({
          ...{ name: 'history', module, workerData: {}, ...limits },
          onMessage: () => limits.closeMs && void thread.close(),
          onExit: resolve,
          onFault: () => void thread.close(),
          onDeath() {},
        });
      });
      console.log('alive');`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    expect(stdout).toBe('alive\n');
  });
});
