/** Domains without an answer: each counts a little while other domains are answered, and not at all while none is. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startDnsServer, type TestDnsServer, type ZoneEntry } from '../../test/support/dns-server.ts';
import { eventually, pass, stopTimers } from '../../test/support/stopped-timers.ts';
import type { MailExchange } from '../model/evidence.ts';
import { createMailExchange, type MailExchangeLookup } from './sources/mail-exchange.ts';

const UNKNOWN: MailExchange = { status: 'unknown', hosts: [] };
const UNANSWERED: MailExchange = { ...UNKNOWN, unanswered: true };
const DEADLINE_MS = 300;
const CONTROLS = ['first-mail.com', 'second-mail.com', 'third-mail.com', 'fourth-mail.com', 'fifth-mail.com'];
const BROKEN: [string, ZoneEntry][] = [
  ['malformed', { malformed: true }],
  ['failing', { rcode: 'SERVFAIL' }],
  ['silent', { drop: true }],
];

let server: TestDnsServer;
let exchange: MailExchangeLookup;
let outcomes: string[];

beforeEach(async () => {
  server = await startDnsServer();
  for (const control of CONTROLS) server.set(control, { mx: [`0 mx.${control}`] });
  outcomes = [];
  exchange = create(CONTROLS);
});

afterEach(async () => {
  vi.useRealTimers();
  exchange.close();
  await server.close();
});

function create(canaryDomains: readonly string[], deadlineMs = DEADLINE_MS): MailExchangeLookup {
  return createMailExchange({
    servers: [server.address],
    deadlineMs,
    canaryDomains,
    clock: () => performance.now(),
    onOutcome: (outcome) => outcomes.push(outcome),
  });
}

const lookUp = async (domain: string, account = 'acme') =>
  exchange.lookup(domain, { account, provider: false });

/** Two thirds of the deadline: enough to ask again, over TCP, and for the control questions. */
async function passMost(...domains: string[]): Promise<void> {
  await eventually(() => domains.every((domain) => server.queries(domain) > 0));
  await pass((DEADLINE_MS * 2) / 3);
}

async function passRest(): Promise<void> {
  await eventually(() => CONTROLS.every((control) => server.queries(control) > 0));
  // Waits for the answers to the control questions in progress.
  await exchange.canary.believes(true);
  await pass(DEADLINE_MS / 3);
}

it.each(BROKEN)(
  '%s name servers count if other domains are answered, now and from memory',
  async (_, entry) => {
    stopTimers();
    server.set('hidden-harbour.com', entry);
    const found = lookUp('hidden-harbour.com');
    if (entry.drop === true) {
      await passMost('hidden-harbour.com');
      await eventually(() => server.tcpQueries === 1);
      await passRest();
    }
    expect(await found).toEqual(UNANSWERED);
    expect(server.tcpQueries).toBe(1);
    expect(await lookUp('hidden-harbour.com')).toEqual(UNANSWERED);
    expect(outcomes.at(-1)).toBe('cache');
  },
);

it.each(BROKEN)('%s name servers over UDP do not count if TCP has the answer', async (_, entry) => {
  stopTimers();
  server.set('large-harbour.com', { ...entry, overTcp: { mx: ['0 mx.large-harbour.com'] } });
  const found = lookUp('large-harbour.com');
  if (entry.drop === true) await passMost('large-harbour.com');
  expect(await found).toMatchObject({ status: 'valid' });
});

it.each(BROKEN)('a resolver that is %s for every domain accuses nobody', async (_, entry) => {
  server.fallback = entry;
  for (const control of CONTROLS) server.set(control, entry);
  const domains = Array.from({ length: 20 }, (_, at) => `some-harbour-${at}.com`);
  const found = await Promise.all(domains.map((domain) => lookUp(domain)));
  expect(found).toEqual(domains.map(() => UNKNOWN));
});

it.each(BROKEN)(
  'a resolver that is %s for most domains, but knows well-known ones, accuses nobody',
  async (_, entry) => {
    server.fallback = entry;
    const domains = Array.from({ length: 8 }, (_, at) => `some-harbour-${at}.com`);
    const found = [];
    for (const domain of domains)
      found.push((await Promise.all([lookUp(domain), lookUp(`other-${domain}`)]))[0]);
    expect(found.filter((mx) => mx?.unanswered === true).length).toBeLessThanOrEqual(2);
  },
  30_000,
);

it('accuses nobody without proof that others are answered', async () => {
  exchange.close();
  exchange = create([]);
  server.set('hidden-harbour.com', { rcode: 'SERVFAIL' });
  expect(await lookUp('hidden-harbour.com')).toEqual(UNKNOWN);
});

it('also counts names below a domain that is known to be silent', async () => {
  stopTimers();
  server.fallback = { drop: true };
  const names = [1, 2, 3, 4, 5].map((at) => `n${at}.hidden-harbour.com`);
  const found = Promise.all(names.map((name) => lookUp(name)));
  await passMost(...names);
  await passRest();
  expect(await found).toContainEqual(UNANSWERED);
  expect(await lookUp('n6.hidden-harbour.com')).toEqual(UNANSWERED);
  expect(outcomes.at(-1)).toBe('silent');
});

it('never counts a question that found no place', async () => {
  exchange.close();
  // With a short deadline on a busy machine, the first of so many would release their places before the last have come.
  exchange = create(CONTROLS, 10 * DEADLINE_MS);
  server.fallback = { drop: true };
  const flood = Array.from({ length: 700 }, (_, at) => lookUp(`flood-harbour-${at}.com`, 'mallory'));
  const found = await Promise.all(flood);
  const busy = outcomes.filter((outcome) => outcome === 'busy').length;
  expect(busy).toBeGreaterThan(100);
  expect(found.filter((mx) => mx.unanswered === true).length).toBeLessThanOrEqual(700 - busy);
});
