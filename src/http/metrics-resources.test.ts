import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

const figures = async (metrics: ReturnType<typeof createMetrics>) =>
  (await metrics.expose(true)).text.split('\n').filter((line) => line.startsWith('gatehouse_database_'));

it('database connections are counted at each request, and are absent without a server', async () => {
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

it('look-ups without a free place are counted by account, for fifty accounts at most', async () => {
  const metrics = createMetrics({ version: '0.0.0', namesAccounts: true });
  for (let at = 0; at < 60; at += 1) metrics.dnsRefused(`acc_${at}`);
  metrics.dnsRefused('acc_7');
  metrics.dnsRefused('acc_57');
  const { text } = await metrics.expose(true);
  const lines = text.split('\n').filter((line) => line.startsWith('gatehouse_dns_refused_total{'));
  expect(lines).toHaveLength(51);
  expect(lines).toContain('gatehouse_dns_refused_total{account="acc_7"} 2');
  expect(lines).toContain('gatehouse_dns_refused_total{account="other"} 11');
});

it('contains no account names if anybody can see the metrics', async () => {
  const metrics = createMetrics({ version: '0.0.0' });
  for (let at = 0; at < 3; at += 1) metrics.dnsRefused(`acc_${at}`);
  const { text } = await metrics.expose(true);
  expect(text).toContain('\ngatehouse_dns_refused_total 3\n');
  expect(text).not.toContain('acc_');
});

it('shows how much memory velocity uses, may use, and how much it forgot', async () => {
  const metrics = createMetrics({ version: '1' });
  const use = { velocityBytes: 10, maxVelocityBytes: 20, forgotten: 3 };
  metrics.velocityMemory(() => use);
  await metrics.expose(true);
  use.forgotten = 5;
  const { text } = await metrics.expose(true);
  expect(text).toContain('gatehouse_velocity_bytes 10\n');
  expect(text).toContain('gatehouse_velocity_max_bytes 20\n');
  expect(text).toContain('gatehouse_velocity_forgotten_total 5\n');
});
