import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

it('look-ups without a place are told by account, of fifty accounts at most', async () => {
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

it('names no account where anybody may see the metrics', async () => {
  const metrics = createMetrics({ version: '0.0.0' });
  for (let at = 0; at < 3; at += 1) metrics.dnsRefused(`acc_${at}`);
  const { text } = await metrics.expose(true);
  expect(text).toContain('\ngatehouse_dns_refused_total 3\n');
  expect(text).not.toContain('acc_');
});
