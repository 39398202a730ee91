/** One account sends domains whose name servers are silent, while another assesses signups from domains that do not exist. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startDnsServer, type TestDnsServer } from '../../test/support/dns-server.ts';
import { gatherByMail } from '../../test/support/gather-by-mail.ts';
import { pass, stopTimers } from '../../test/support/stopped-timers.ts';
import { BASELINE_FILE } from '../intel/bundled-snapshot.ts';
import type { Intel } from '../intel/intel.ts';
import { openSnapshot } from '../intel/snapshot.ts';
import type { EmailEvidence } from '../model/evidence.ts';
import { createMailHosts, type MailHosts } from './mail-hosts.ts';
import { createMemoryTexts } from './memory-texts.ts';
import { createDnsClient, type DnsClient } from './sources/dns-client.ts';
import { createMailExchange, type MailExchangeLookup } from './sources/mail-exchange.ts';

const DEADLINE_MS = 1_500;
/** The longest stop of time for each signup. A signup that is `unknown` found no place, or DNS counted as dead. */
const PATIENCE_MS = 100;
const SIGNUPS = 120;
/** A plan of 600 signups a second, in the time that the signups of the other account take. */
const SPACING_MS = 15;
const FLOOD_PER_SIGNUP = 9;
const missing = (at: number) => `missing-harbour-${at % SIGNUPS}.com`;

let intel: Intel;
let dns: TestDnsServer;
let client: DnsClient;
let mailHosts: MailHosts;
let exchange: MailExchangeLookup;
let outcomes: string[];
let refused: string[];

beforeAll(async () => {
  intel = await openSnapshot(BASELINE_FILE);
});

beforeEach(async () => {
  dns = await startDnsServer();
  dns.fallback = { drop: true };
  outcomes = [];
  refused = [];
  client = createDnsClient({ servers: [dns.address], deadlineMs: 150 });
  mailHosts = createMailHosts({
    minListed: 2,
    client,
    texts: createMemoryTexts(),
    clock: () => 0,
  });
  exchange = createMailExchange({
    servers: [dns.address],
    deadlineMs: DEADLINE_MS,
    clock: () => performance.now(),
    onOutcome: (outcome) => outcomes.push(outcome),
    onRefused: (account) => refused.push(account),
  });
});

afterEach(async () => {
  vi.useRealTimers();
  exchange.close();
  mailHosts.close();
  client.close();
  await dns.close();
});

function gather(account: string, domain: string): Promise<EmailEvidence> {
  return gatherByMail(domain, { intel, mailExchange: exchange, mailHosts }, { account, at: 0 });
}

/** Own domains, names below one domain, and domains that the other account will ask for soon. */
function silentName(at: number): string {
  if (at % 4 === 1) return `n${at}.silent-wildcard.com`;
  return at % 8 === 2 ? missing(at >> 3) : `silent-harbour-${at}.com`;
}

it('does not reduce the mail evidence of the other account', async () => {
  for (let at = 0; at < SIGNUPS; at += 1) dns.set(missing(at), { rcode: 'NXDOMAIN', ttl: 0 });
  const flood: Promise<EmailEvidence>[] = [];
  const send = (count: number) => {
    for (let at = 0; at < count; at += 1) flood.push(gather('mallory', silentName(flood.length)));
  };
  stopTimers();
  send(600);
  const signups: Promise<EmailEvidence>[] = [];
  for (let at = 0; at < SIGNUPS; at += 1) {
    send(FLOOD_PER_SIGNUP);
    const signup = gather('acme', missing(at));
    signups.push(signup);
    await Promise.race([signup, sleep(PATIENCE_MS)]);
    await pass(SPACING_MS);
  }
  const found = (await Promise.all(signups)).map(({ mx }) => mx.status);
  expect(found.filter((status) => status !== 'no_domain')).toEqual([]);
  expect(refused).not.toContain('acme');
  expect(refused).toContain('mallory');
  expect(outcomes).not.toContain('breaker');
  // A few names below the domain were asked for, and the rest are known to be silent.
  expect(outcomes).toContain('silent');
  exchange.close();
  await Promise.all(flood);
}, 240_000);
