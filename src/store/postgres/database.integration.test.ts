import { describe, expect, it, onTestFinished } from 'vitest';
import { newDatabase } from '../../../test/support/shared-servers.ts';
import { startTcpProxy } from '../../../test/support/tcp-proxy.ts';
import { openDatabase } from './database.ts';

/** Far longer than a close takes. */
const DEADLINE_MS = 60_000;
const SLOW = 'SELECT pg_sleep(0.01)';
const CALLS = 6;

describe('a pool that is closed', () => {
  it('still answers the calls that wait for one of its connections', async () => {
    const database = openDatabase({ url: await newDatabase(), connections: 1, deadlineMs: DEADLINE_MS });
    const calls = Array.from({ length: CALLS }, () => database.query(SLOW));
    await database.close();
    expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(
      calls.map(() => 'fulfilled'),
    );
  });

  it.each([1, 2 * CALLS])(
    'fails calls that get none of its connections, of which there may be %i',
    async (connections) => {
      const url = new URL(await newDatabase());
      const proxy = await startTcpProxy(url.host, () => true);
      onTestFinished(proxy.close);
      url.host = `127.0.0.1:${proxy.port}`;
      const database = openDatabase({ url: url.href, connections, deadlineMs: DEADLINE_MS });
      const calls = Promise.allSettled(Array.from({ length: CALLS }, () => database.query(SLOW)));
      const started = performance.now();
      await database.close();
      expect((await calls).map(({ status }) => status)).toEqual(Array(CALLS).fill('rejected'));
      expect(performance.now() - started).toBeLessThan(DEADLINE_MS / 2);
    },
  );

  it('takes no further calls', async () => {
    const database = openDatabase({ url: await newDatabase(), connections: 1, deadlineMs: DEADLINE_MS });
    await database.query(SLOW);
    await database.close();
    await expect(database.query(SLOW)).rejects.toThrow();
  });
});
