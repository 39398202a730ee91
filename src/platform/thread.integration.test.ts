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
