/** Signups with made-up names below one domain: how many DNS questions and rows each costs. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDnsServer, type TestDnsServer } from '../../test/support/dns-server.ts';
import { gatherByMail } from '../../test/support/gather-by-mail.ts';
import { BASELINE_FILE } from '../intel/bundled-snapshot.ts';
import type { Intel } from '../intel/intel.ts';
import { openSnapshot } from '../intel/snapshot.ts';
import type { EmailEvidence } from '../model/evidence.ts';
import type { StoredText } from '../model/text-cache.ts';
import { createMailHosts, type MailHosts } from './mail-hosts.ts';
import { createMemoryTexts } from './memory-texts.ts';
import { createDnsClient, type DnsClient } from './sources/dns-client.ts';
import { createMailExchange, type MailExchangeLookup } from './sources/mail-exchange.ts';

const SIGNUPS = 300;
const NOW = Date.UTC(2026, 4, 10);

let intel: Intel;
let dns: TestDnsServer;
let client: DnsClient;
let mailHosts: MailHosts;
let exchange: MailExchangeLookup;
let rows: Map<string, StoredText>;

beforeAll(async () => {
  intel = await openSnapshot(BASELINE_FILE);
});

beforeEach(async () => {
  dns = await startDnsServer();
  rows = new Map();
  client = createDnsClient({ servers: [dns.address], deadlineMs: 150 });
  const texts = createMemoryTexts(rows);
  mailHosts = createMailHosts({ minListed: 2, client, texts, clock: () => NOW });
  exchange = createMailExchange({ servers: [dns.address], clock: () => NOW });
});

afterEach(async () => {
  exchange.close();
  mailHosts.close();
  client.close();
  await dns.close();
});

function gather(domain: string): Promise<EmailEvidence> {
  return gatherByMail(domain, { intel, mailExchange: exchange, mailHosts }, { account: 'acme', at: NOW });
}

/** Each name has four mail hosts of its own, each with addresses of its own. */
function plant(domain: string, at: number, hostOf: (host: number) => string): void {
  const hosts = [0, 1, 2, 3].map(hostOf);
  dns.set(domain, { mx: hosts.map((host, preference) => `${preference} ${host}`) });
  for (const [host, name] of hosts.entries()) {
    dns.set(name, {
      a: [`11.${host}.${at >> 8}.${at & 255}`],
      aaaa: [`2a00:${host + 1}::${at.toString(16)}`],
    });
  }
}

async function signUp(hostOf: (at: number, host: number) => string): Promise<EmailEvidence[]> {
  const found: EmailEvidence[] = [];
  for (let at = 0; at < SIGNUPS; at += 1) {
    const domain = `made-up-${at}.evil-harbour.com`;
    plant(domain, at, (host) => hostOf(at, host));
    found.push(await gather(domain));
  }
  // The addresses of the last hosts are looked up a moment later.
  await new Promise((resolve) => setTimeout(resolve, 100));
  return found;
}

describe('a zone that answers for every name', () => {
  it('causes no questions and no rows once a made-up name was answered', async () => {
    dns.fallback = { mx: ['0 mx.evil-harbour.com'] };
    const found = await signUp((at, host) => `mx${host}.made-up-${at}.evil-harbour.com`);
    expect(found.every(({ mx }) => mx.status === 'valid')).toBe(true);
    expect(dns.queries()).toBeLessThan(100);
    expect(rows.size).toBeLessThan(100);
  });

  it('with names that nobody can guess causes one question a signup, and few rows in total', async () => {
    const found = await signUp((at, host) => `mx${host}.host-${at}.evil-harbour.com`);
    expect(found.every(({ mx }) => mx.status === 'valid')).toBe(true);
    expect(dns.queries()).toBeLessThan(SIGNUPS + 100);
    expect(rows.size).toBeLessThan(100);
  });

  it('with mail hosts of others costs no more', async () => {
    await signUp((at, host) => `mx.harbour-${at}-${host}.com`);
    expect(dns.queries()).toBeLessThan(SIGNUPS + 100);
    expect(rows.size).toBeLessThan(100);
  });
});

it('asks for every name of an organisation that does not answer for made-up names', async () => {
  for (let at = 0; at < 40; at += 1)
    dns.set(`unit-${at}.large-harbour.com`, { mx: [`0 mx-${at % 2}.large-harbour.com`] });
  const found = [];
  for (let at = 0; at < 45; at += 1) found.push((await gather(`unit-${at}.large-harbour.com`)).mx.status);
  expect(found.filter((status) => status === 'valid')).toHaveLength(40);
  expect(found.slice(40)).toEqual(Array(5).fill('no_domain'));
});
