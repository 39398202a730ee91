/** Domains that look like a provider's: whether a live answer makes them the provider's own, a typing mistake, or what a list says. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDnsServer, type TestDnsServer, type ZoneEntry } from '../../test/support/dns-server.ts';
import { parseEmail } from '../address/email.ts';
import { BASELINE_FILE } from '../intel/bundled-snapshot.ts';
import type { Intel } from '../intel/intel.ts';
import { openSnapshot } from '../intel/snapshot.ts';
import { createTypingMistakes } from '../intel/typing-mistake.ts';
import type { EmailEvidence } from '../model/evidence.ts';
import { NO_NAME } from '../model/name-facts.ts';
import type { EmailAddress } from '../model/signup-attempt.ts';
import { createGatherEmail, type EmailGatherers } from './gather-email.ts';
import { createMailHosts, type MailHosts } from './mail-hosts.ts';
import { createMemoryTexts } from './memory-texts.ts';
import { createDnsClient, type DnsClient } from './sources/dns-client.ts';
import { createMailExchange, type MailExchangeLookup } from './sources/mail-exchange.ts';

const NOW = Date.UTC(2026, 5, 1);
const NO_MAIL: readonly ZoneEntry[] = [{}, { mx: ['0 .'] }, { rcode: 'NXDOMAIN' }];
const SQUATTER = 'mx.parked-harbour.com';
/** Each is on one list of disposable domains. */
const LISTED = ['gmail.net', '1gmail.com', 'gmail.con.com', '810gmail.com'];

let intel: Intel;
let dns: TestDnsServer;
let client: DnsClient;
let mailExchange: MailExchangeLookup;
let mailHosts: MailHosts;

beforeAll(async () => {
  intel = await openSnapshot(BASELINE_FILE);
  dns = await startDnsServer();
  client = createDnsClient({ servers: [dns.address], deadlineMs: 300 });
});
beforeEach(() => {
  mailExchange?.close();
  mailHosts?.close();
  mailExchange = createMailExchange({
    servers: [dns.address],
    deadlineMs: 300,
    canaryDomains: [],
    clock: () => NOW,
  });
  mailHosts = createMailHosts({ minListed: 2, client, texts: createMemoryTexts(), clock: () => NOW });
});
afterAll(async () => {
  mailExchange.close();
  mailHosts.close();
  client.close();
  await dns.close();
});

async function gathered(domain: string, entry: ZoneEntry, days = -1): Promise<EmailEvidence> {
  dns.set(domain, entry);
  const gatherers: EmailGatherers = {
    mailExchange,
    domainAge: { lookup: () => ({ days, status: days < 0 ? 'unlisted' : 'known' }) },
    mailHosts,
    typingMistakes: createTypingMistakes(),
    goodReports: { isGood: () => false },
    domainReputation: undefined,
  };
  const email = parseEmail(`jo@${domain}`) as EmailAddress;
  return createGatherEmail(gatherers)(email, intel, {
    account: 'acme',
    at: NOW,
    name: NO_NAME,
    spelling: 'canonical',
  });
}
const meant = async (domain: string, entry: ZoneEntry) => (await gathered(domain, entry)).providerMeant;
const at = (...hosts: string[]): ZoneEntry => ({ mx: hosts.map((host, index) => `${index} ${host}`) });

describe('a country’s domain of a provider', () => {
  const OUTLOOK = 'hotmail-com.olc.protection.outlook.com';
  const TENANT = 'hotmail-com-pe.mail.protection.outlook.com';
  const YAHOO = ['mta5.am0.yahoodns.net', 'mta6.am0.yahoodns.net'];

  it.each([
    ...['pe', 'co', 'my', 'ph', 'sg'].map((country) => [`hotmail.com.${country}`, [OUTLOOK]] as const),
    ['hotmail.com.pe', [TENANT]],
    ['outlook.com.mx', [OUTLOOK]],
    ...['pk', 'ng', 'eg'].map((country) => [`yahoo.com.${country}`, YAHOO] as const),
    ['yahoo.co.uk.pk', YAHOO],
    ['gmail.com.br', ['gmail-smtp-in.l.google.com', 'alt1.gmail-smtp-in.l.google.com']],
    ['icloud.com.cn', ['mx01.mail.icloud.com']],
    ['t-online.de.at', ['mx00.t-online.de']],
  ] as const)('%s is no mistake at the provider’s own hosts', async (domain, hosts) => {
    expect(await meant(domain, at(...hosts))).toBe('');
  });

  it.each([
    ['hotmail.com.pe', 'hotmail.com'],
    ['yahoo.com.pk', 'yahoo.com'],
    ['gmail.com.br', 'gmail.com'],
  ])('%s is one where it takes no mail, or takes it elsewhere', async (domain, provider) => {
    for (const entry of NO_MAIL) {
      mailExchange.close();
      mailExchange = createMailExchange({
        servers: [dns.address],
        deadlineMs: 300,
        canaryDomains: [],
        clock: () => NOW,
      });
      expect(await meant(domain, entry)).toBe(provider);
    }
  });

  it.each([
    ['hotmail.com.co', at(SQUATTER), 'hotmail.com'],
    ['gmail.com.ar', at('aspmx.l.google.com'), 'gmail.com'],
    ['yahoo.com.ng', at(YAHOO[0] as string, SQUATTER), 'yahoo.com'],
    ['yahoo.com.eg', at('gmail-smtp-in.l.google.com'), 'yahoo.com'],
    ['outlook.com.mx', at('olc.protection.outlook.com.example.net'), 'outlook.com'],
  ])('%s is one where its mail is at anybody else’s: %j', async (domain, entry, provider) => {
    expect(await meant(domain, entry)).toBe(provider);
  });

  it('is not accused without an answer', async () => {
    expect(await meant('hotmail.com.my', { rcode: 'SERVFAIL' })).toBe('');
  });
});

describe('another spelling', () => {
  it('is a mistake wherever its mail is, but not at hosts that only the provider’s own domains use', async () => {
    for (const entry of [at(SQUATTER), at('protonmial-com.mail.protection.outlook.com')])
      expect(await meant('hotmial.com', entry)).toBe('hotmail.com');
    expect(await meant('outlok.com', at('outlok-com.mail.protection.outlook.com'))).toBe('outlook.com');
    expect(await meant('protonmial.com', at('mail.protonmail.ch'))).toBe('protonmail.com');
    expect(await meant('gmial.com', at('gmail-smtp-in.l.google.com'))).toBe('');
    expect(await meant('10hotmail.com', at('x.olc.protection.outlook.com'))).toBe('');
  });

  it('with another ending that exists is one only where it takes no mail', async () => {
    for (const [index, entry] of NO_MAIL.entries())
      expect(await meant(['gmail.org', 'gmail.co.uk', 'yahoo.net'][index] as string, entry)).not.toBe('');
    expect(await meant('gmail.de', at(SQUATTER))).toBe('');
    expect(await meant('hotmail.net', { rcode: 'SERVFAIL' })).toBe('');
  });
});

describe('a look-alike that one list calls disposable', () => {
  const isListed = { disposable: true, disposableDisputed: false, providerMeant: '' };
  const isMistake = { disposable: false, disposableDisputed: true, providerMeant: 'gmail.com' };

  it.each(LISTED)('%s is a mistake where it takes no mail', async (domain) => {
    for (const entry of NO_MAIL) {
      mailExchange.close();
      mailExchange = createMailExchange({
        servers: [dns.address],
        deadlineMs: 300,
        canaryDomains: [],
        clock: () => NOW,
      });
      const evidence = await gathered(domain, entry);
      expect(evidence).toMatchObject(isMistake);
      expect(evidence.hits.at(-1)).toEqual({ fact: 'mistyped', source: 'typing-targets', entry: domain });
    }
  });

  it('is a mistake where mailboxes cost money, or it is old and has its mail where ordinary domains have theirs', async () => {
    expect(await gathered('gmail.net', at('smtp.google.com'))).toMatchObject(isMistake);
    for (const name of ['one', 'two']) await gathered(`${name}-harbour.com`, at(SQUATTER), 4_000);
    expect(await gathered('1gmail.com', at(SQUATTER), 4_000)).toMatchObject(isMistake);
    expect(await gathered('810gmail.com', at(SQUATTER))).toMatchObject(isListed);
  });

  it('is what the list says where throw-away domains have their mail, at hosts of its own, and without an answer', async () => {
    for (const name of ['one', 'two']) await gathered(`${name}-harbour.com`, at(SQUATTER), 4_000);
    await gathered('yopmail.com', at(SQUATTER));
    expect(await gathered('1gmail.com', at(SQUATTER), 4_000)).toMatchObject(isListed);
    expect(await gathered('810gmail.com', at('mx.810gmail.com'))).toMatchObject(isListed);
    expect(await gathered('gmail.net', at('mx.never-seen.com'))).toMatchObject(isListed);
    expect(await gathered('gmail.con.com', { rcode: 'SERVFAIL' })).toMatchObject(isListed);
  });

  it('is the provider’s at its hosts', async () => {
    const evidence = await gathered('gmail.net', at('gmail-smtp-in.l.google.com'));
    expect(evidence).toMatchObject({ disposable: false, disposableDisputed: true, providerMeant: '' });
    expect(evidence.hits.at(-1)).toMatchObject({ fact: 'provider', entry: 'gmail-smtp-in.l.google.com' });
  });
});
