import { expect, it, onTestFinished } from 'vitest';
import { newDatabase } from '../../../test/support/shared-servers.ts';
import { startTcpProxy } from '../../../test/support/tcp-proxy.ts';
import { migrate } from './migrate.ts';
import { openPostgresStore } from './postgres.ts';

/** Connections to check the server, to migrate and to make the partitions: these are not retried. */
const BEFORE_SERVING = 4;
/** Each of these connections is given up after the deadline of a running node. */
const SILENT = 2;

it('a start retries while the server is slow to answer new connections', async () => {
  const url = new URL(await newDatabase());
  await migrate(url.href);
  let unanswered = 0;
  const proxy = await startTcpProxy(url.host, (connection) => {
    const silent = connection > BEFORE_SERVING && unanswered < SILENT;
    if (silent) unanswered += 1;
    return silent;
  });
  onTestFinished(proxy.close);
  url.host = `127.0.0.1:${proxy.port}`;
  const store = await openPostgresStore({ url: url.href, warm: true });
  onTestFinished(() => store.close());
  expect(unanswered).toBe(SILENT);
  expect(store.canCommit()).toBe(true);
});
