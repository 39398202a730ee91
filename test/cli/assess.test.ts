/** gatehouse assess: one assessment at the terminal, with real evidence and without a server. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CommandResult, failureOf, gatehouse } from '../support/command.ts';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.ts';
import { startRdapServer, type TestRdapServer } from '../support/rdap-server.ts';
import { createInstallation, type Installation } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

let dns: TestDnsServer;
let rdap: TestRdapServer;
let installation: Installation;
beforeAll(async () => {
  [dns, rdap] = await Promise.all([startDnsServer(), startRdapServer()]);
  installation = await createInstallation({
    GATEHOUSE_DNS_SERVERS: dns.address,
    GATEHOUSE_RDAP_BOOTSTRAP_URL: rdap.bootstrapUrl,
  });
  await withStored(installation, async () => {});
});
afterAll(async () => {
  await installation?.remove();
  await Promise.all([dns?.close(), rdap?.close()]);
});

const run = (...args: string[]): Promise<CommandResult> =>
  gatehouse(['assess', ...args], installation.environment);

it('prints verdict, score, reasons and signals as JSON, from real DNS and RDAP', async () => {
  dns.set('terminal-harbour.com', { mx: ['10 mx.terminal-harbour.com'] });
  rdap.set('terminal-harbour.com', { registered: '2020-01-01T00:00:00Z' });
  const { status, stdout, stderr } = await run('jo@terminal-harbour.com', '--ip', '79.192.0.1');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const answer = JSON.parse(stdout);
  expect(answer).toMatchObject({
    verdict: 'allow',
    score: 0,
    reasons: [],
    ip_provided: true,
    ip_status: 'ok',
  });
  expect(answer.signals.email).toMatchObject({ domain: 'terminal-harbour.com', mx_status: 'valid' });
  expect(answer.signals.email.domain_age_days).toBeGreaterThan(2_000);
  expect(answer.signals.ip).toMatchObject({ address: '79.192.0.1', country_code: 'DE' });
  expect(answer).not.toHaveProperty('findings');
  expect(dns.queries('terminal-harbour.com')).toBeGreaterThan(0);
  expect(rdap.requests('terminal-harbour.com')).toBe(1);
});

it('explains each finding with its weight and detail, heaviest first', async () => {
  dns.set('young-harbour.com', { mx: ['10 mx.young-harbour.com'] });
  rdap.set('young-harbour.com', { registered: new Date(Date.now() - 5.5 * 86_400_000).toISOString() });
  const [young, worst] = await Promise.all([
    run('admin+x@young-harbour.com', '--explain', '--json'),
    run('jo@mailinator.com', '--ip', '52.95.110.1', '--explain'),
  ]);
  const findings = JSON.parse(young.stdout).findings as {
    detector: string;
    weight: number;
    detail: string;
  }[];
  expect(findings.map(({ detector }) => detector)).toEqual(['new_domain', 'role_account', 'plus_alias']);
  expect(findings[0]?.detail).toBe('domain registered 5 days ago');
  const weights = findings.map(({ weight }) => weight);
  expect(weights.every((weight) => weight > 0)).toBe(true);
  expect(weights.toSorted((a, b) => b - a)).toEqual(weights);
  const answer = JSON.parse(worst.stdout);
  expect(answer.verdict).toBe('block');
  expect(answer.findings[0]).toMatchObject({ detector: 'disposable_domain', code: 'email_disposable' });
  expect(JSON.stringify(answer.findings)).toContain('AS16509');
});

it('assesses the email alone without a usable IP', async () => {
  const [without, local] = await Promise.all([
    run('jo@your-team.test'),
    run('jo@your-team.test', '--ip', 'localhost'),
  ]);
  expect(JSON.parse(without.stdout)).toMatchObject({
    verdict: 'block',
    ip_provided: false,
    ip_status: 'missing',
  });
  expect(JSON.parse(local.stdout)).toMatchObject({ ip_status: 'ignored_localhost' });
  expect(JSON.parse(local.stdout).signals).not.toHaveProperty('ip');
});

it('fails with status 1 and one line for an address or an IP that cannot be assessed', async () => {
  expect(failureOf(await run('nobody'), 1)).toContain('email');
  expect(failureOf(await run('jo@example.com', '--ip', '10.1'), 1)).toContain('IP');
  failureOf(await run(' '), 1);
});
