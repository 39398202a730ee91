import { describe, expect, it } from 'vitest';
import { startThread } from './thread.ts';

/** What is told of a thread that runs `code`, the first time that it ends. */
function faultOf(code: string): Promise<string> {
  return new Promise((resolve) => {
    const thread = startThread({
      name: 'log',
      module: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
      workerData: {},
      onFault(error) {
        void thread.close();
        resolve(error.message);
      },
      onDeath() {},
    });
  });
}
const told = (why: string) => `the log thread stopped (${why}); another one starts in 250 ms`;
const fromDatabase = (code: string) =>
  `import { createRequire } from 'node:module';
   const { SqliteError } = createRequire(${JSON.stringify(import.meta.url)})('libsql');
   throw new SqliteError('the message', '${code}', 0);`;

describe('a thread that stops', () => {
  it('is told of with its reason', async () => {
    expect(await faultOf('throw new Error("no reason to go on")')).toBe(told('no reason to go on'));
    expect(await faultOf('throw "enough"')).toBe(told('enough'));
  });

  it('is told of with what the database said', async () => {
    expect(await faultOf(fromDatabase('SQLITE_FULL'))).toBe(told('disk full'));
    expect(await faultOf(fromDatabase('SQLITE_IOERR'))).toBe(told('SQLITE_IOERR'));
  });
});
