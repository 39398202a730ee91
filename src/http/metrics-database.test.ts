import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

const figures = async (metrics: ReturnType<typeof createMetrics>) =>
  (await metrics.expose(true)).text.split('\n').filter((line) => line.startsWith('gatehouse_database_'));

it('connections to a database are counted at each request, and there are none without a server', async () => {
  const metrics = createMetrics({ version: '0.0.0' });
  expect(await figures(metrics)).toEqual([]);
  const pools = new Map([['commits', { open: 3, idle: 1, waiting: 2 }]]);
  metrics.databasePools(() => pools);
  expect(await figures(metrics)).toEqual([
    'gatehouse_database_connections{pool="commits"} 3',
    'gatehouse_database_connections_idle{pool="commits"} 1',
    'gatehouse_database_waiting{pool="commits"} 2',
  ]);
  pools.clear();
  expect(await figures(metrics)).toEqual([]);
});
