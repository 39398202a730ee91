import { expect, it } from 'vitest';
import { createMetrics } from '../http/metrics.ts';
import { createSourceTrust, describeDistrust } from './source-trust.ts';
import { type CanaryRound, createCanary } from './sources/canary.ts';

const NEVER_MS = 3_600_000;
const INTERVALS = { everyMs: NEVER_MS, freshMs: NEVER_MS, burstMs: NEVER_MS, retryMs: NEVER_MS };

it('reports to log, metrics and callers when a source becomes wrong and when it is right again', async () => {
  const lines: string[] = [];
  const log = {
    warn: (...words: unknown[]) => lines.push(`warn ${String(words.at(-1))}`),
    info: (...words: unknown[]) => lines.push(`info ${String(words.at(-1))}`),
  };
  const metrics = createMetrics({ version: '1.0.0' });
  const gauge = async () =>
    /gatehouse_source_distrusted\{source="dns"\} (\d)/.exec((await metrics.expose(true)).text)?.[1];
  let round: CanaryRound = { outcome: 'undecided', wrong: [], right: 0 };
  const trust = createSourceTrust({ metrics, log });
  const canary = createCanary({
    source: 'dns',
    ask: async () => round,
    intervals: INTERVALS,
    clock: () => Date.UTC(2026, 4, 10),
    onChange: trust.onChange,
  });
  trust.watch(canary);
  expect([await gauge(), trust.distrusted()]).toEqual(['0', []]);
  trust.start();
  await expect.poll(() => lines).toEqual([expect.stringMatching(/^warn DNS gave no clear answer/)]);

  round = { outcome: 'wrong', wrong: ['gmail.com'], right: 0 };
  await canary.start();
  expect(await gauge()).toBe('1');
  expect(trust.distrusted()).toEqual([
    { source: 'dns', since: '2026-05-10T00:00:00Z', ...describeDistrust('dns', ['gmail.com']) },
  ]);
  expect(lines.at(-1)).toMatch(/^warn DNS says that gmail\.com does not exist .*GATEHOUSE_DNS_SERVERS/);

  round = { outcome: 'right', wrong: [], right: 5 };
  await canary.start();
  expect([await gauge(), trust.distrusted()]).toEqual(['0', []]);
  expect(lines.at(-1)).toMatch(/^info .*correctly again/);
  canary.close();
});

it.each([
  [
    'dns',
    ['a.com', 'b.com', 'c.com'],
    /^DNS says that a\.com, b\.com and 1 more do not exist, take no mail or share one mail host\./,
  ],
  ['rdap', ['a.com', 'b.com'], /^Domain registries say that a\.com and b\.com are new or not registered\./],
  ['abuseipdb', ['8.8.8.8'], /^AbuseIPDB reports abuse from 8\.8\.8\.8, which everybody uses\./],
  ['dnsbl:bl.example.org', ['127.0.0.1'], /^The blocklist bl\.example\.org lists 127\.0\.0\.1,/],
])('says in plain words what %s gets wrong, and what to do', (source, wrong, expected) => {
  const { message, resolution } = describeDistrust(source, wrong);
  expect(message).toMatch(expected);
  expect(message).toMatch(/ Until it is fixed, /);
  expect(resolution).toMatch(/\bGATEHOUSE_[A-Z_]+/);
});
