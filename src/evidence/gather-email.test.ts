import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDnsServer, type TestDnsServer } from '../../test/support/dns-server.ts';
import { parseEmail } from '../address/email.ts';
import { BASELINE_FILE } from '../intel/bundled-snapshot.ts';
import type { Intel } from '../intel/intel.ts';
import { openSnapshot } from '../intel/snapshot.ts';
import { createTypingMistakes } from '../intel/typing-mistake.ts';
import type { EmailEvidence } from '../model/evidence.ts';
import { NO_NAME } from '../model/name-facts.ts';
import { expandGroups, readLines } from '../platform/text-lines.ts';
import { createGatherEmail, type EmailGatherers } from './gather-email.ts';
import { createMailHosts, type MailHosts } from './mail-hosts.ts';
import { createMemoryTexts } from './memory-texts.ts';
import { createDnsClient, type DnsClient } from './sources/dns-client.ts';

const NOW = Date.UTC(2026, 5, 1);
/** A domain on one collection of lists only. */
const LISTED_ONCE = 'zapzapcloud.com';
const LISTED_OFTEN = 'yopmail.com';
const PROVIDER_FILES = ['consumer', 'consumer-access', 'consumer-families', 'relays'];
const OFFICE = 'mx.office-park.com';

let intel: Intel;
let mailHosts: MailHosts;
let dns: TestDnsServer;
let client: DnsClient;
/** The account that reported every domain as good. */
let reporter = '';

beforeAll(async () => {
  intel = await openSnapshot(BASELINE_FILE);
});

beforeEach(async () => {
  dns = await startDnsServer();
  dns.fallback = {};
  client = createDnsClient({ servers: [dns.address], deadlineMs: 150 });
  mailHosts = createMailHosts({
    minListed: 2,
    client,
    texts: createMemoryTexts(),
    clock: () => NOW,
  });
});

afterEach(async () => {
  reporter = '';
  mailHosts.close();
  client.close();
  await dns.close();
});

async function gathered(domain: string, ageDays: number, host = OFFICE): Promise<EmailEvidence> {
  const gatherers: EmailGatherers = {
    mailExchange: { lookup: async () => ({ status: 'valid', hosts: [host] }) },
    domainAge: { lookup: async () => ({ days: ageDays, status: ageDays < 0 ? 'unlisted' : 'known' }) },
    mailHosts,
    typingMistakes: createTypingMistakes(),
    goodReports: { isGood: (account, name) => account === reporter && name === domain },
    domainReputation: undefined,
  };
  const email = parseEmail(`jo@${domain}`);
  if (email === undefined) throw new Error(`not an address at ${domain}`);
  return createGatherEmail(gatherers)(email, intel, {
    account: 'acme',
    at: NOW,
    name: NO_NAME,
    spelling: 'canonical',
  });
}

describe('a listing', () => {
  it('is disputed by reports of the same account, but not of other accounts', async () => {
    reporter = 'acme';
    const evidence = await gathered(LISTED_OFTEN, -1);
    expect(evidence).toMatchObject({ disposable: false, disposableDisputed: true });
    expect(evidence.hits.at(-1)).toEqual({ fact: 'labelled_good', source: 'feedback', entry: LISTED_OFTEN });
    reporter = 'somebody-else';
    expect(await gathered(LISTED_OFTEN, -1)).toMatchObject({ disposable: true, disposableDisputed: false });
  });
});

describe('a likely typing mistake', () => {
  it('is ignored if the account reported good customers of the domain, but not for reports of others', async () => {
    expect(await gathered('gmial.com', -1)).toMatchObject({ providerMeant: 'gmail.com' });
    reporter = 'somebody-else';
    expect(await gathered('gmial.com', -1)).toMatchObject({ providerMeant: 'gmail.com' });
    reporter = 'acme';
    expect(await gathered('gmial.com', -1)).toMatchObject({ providerMeant: '' });
  });

  it('is suspected where something is stuck to a provider, also below it', async () => {
    for (const domain of ['gmail.com.com', '10gmail.com', 'gmail.comcom', 'www.gmail.com', 'gmail.co.com'])
      expect(await gathered(domain, -1), domain).toMatchObject({ providerMeant: 'gmail.com' });
    // A throw-away service has hundreds of such names: one that is listed stays what the list says.
    expect(await gathered('810gmail.com', -1)).toMatchObject({ providerMeant: '', disposable: true });
  });

  it('is suspected of no provider that Gatehouse knows, in any country', async () => {
    const isWrong = async (domain: string) => (await gathered(domain, -1)).providerMeant !== '';
    const providers = PROVIDER_FILES.flatMap((file) =>
      [...readLines(readFileSync(new URL(`../intel/data/${file}.txt`, import.meta.url), 'utf8'))].flatMap(
        expandGroups,
      ),
    );
    expect(providers.length).toBeGreaterThan(1_400);
    const wrong = await Promise.all(providers.map(async (domain) => ((await isWrong(domain)) ? domain : '')));
    expect(wrong.filter((domain) => domain !== '')).toEqual([]);
  });

  it('is not suspected of a known provider, relay or business', async () => {
    for (const domain of ['ymail.com', 'hotmail.be', 'passmail.net', 'yandex.net'])
      expect(await gathered(domain, -1), domain).toMatchObject({ providerMeant: '' });
  });
});

describe('a listing by one list', () => {
  it('is disputed for an old domain whose host serves ordinary domains and no other listed one', async () => {
    await gathered('ordinary-harbour.com', 4_000);
    expect((await gathered(LISTED_ONCE, 4_000)).disposable).toBe(true);
    await gathered('second-harbour.com', 4_000);
    const evidence = await gathered(LISTED_ONCE, 4_000);
    expect(evidence).toMatchObject({ disposable: false, disposableDisputed: true });
    expect(evidence.hits).toEqual([
      expect.objectContaining({ fact: 'disposable', entry: LISTED_ONCE }),
      { fact: 'established', source: 'mail-host', entry: OFFICE },
    ]);
  });

  it('counts for a young domain, and for one of unknown age', async () => {
    for (const name of ['one', 'two']) await gathered(`${name}-harbour.com`, 4_000);
    for (const days of [-1, 0, 800]) {
      expect(await gathered(LISTED_ONCE, days)).toMatchObject({
        disposable: true,
        disposableDisputed: false,
      });
    }
  });

  it('counts if the mail host serves no ordinary domain, or another listed one', async () => {
    expect((await gathered(LISTED_ONCE, 4_000)).disposable).toBe(true);
    for (const name of ['one', 'two']) await gathered(`${name}-harbour.com`, 4_000, 'mx.mixed.com');
    await gathered('trashmail.com', 4_000, 'mx.mixed.com');
    expect((await gathered(LISTED_ONCE, 4_000, 'mx.mixed.com')).disposable).toBe(true);
  });

  it('counts if strangers share the mail host for little or nothing, or if several lists agree', async () => {
    for (const name of ['one', 'two']) await gathered(`${name}-harbour.com`, 4_000);
    for (const host of [
      'mx1.hostinger.com',
      'gmail-smtp-in.l.google.com',
      'outlook-com.olc.protection.outlook.com',
    ])
      expect((await gathered(LISTED_ONCE, 9_000, host)).disposable, host).toBe(true);
    for (const host of [OFFICE, 'aspmx.l.google.com', `mail.${LISTED_OFTEN}`])
      expect((await gathered(LISTED_OFTEN, 9_000, host)).disposable, host).toBe(true);
  });

  it.each([
    'aspmx.l.google.com',
    'alt4.aspmx.l.google.com',
    'aspmx5.googlemail.com',
    'smtp.google.com',
    'acme-com.mail.protection.outlook.com',
    'acme-com.x-v1.mx.microsoft',
    'in1-smtp.messagingengine.com',
    'mx.zoho.eu',
    'mail.protonmail.ch',
    'mx1-us1.ppe-hosted.com',
    'eu-smtp-inbound-1.mimecast.com',
  ])('is disputed for an old domain whose mailboxes cost money, at %s', async (host) => {
    const evidence = await gathered(LISTED_ONCE, 5 * 365, host);
    expect(evidence).toMatchObject({ disposable: false, disposableDisputed: true });
    expect(evidence.hits.at(-1)).toEqual({ fact: 'established', source: 'paid-mail-host', entry: host });
    for (const days of [-1, 0, 5 * 365 - 1])
      expect(await gathered(LISTED_ONCE, days, host), `${days}`).toMatchObject({
        disposable: true,
        disposableDisputed: false,
      });
  });

  it('is disputed even if nothing is learned about mail hosts', async () => {
    await mailHosts.close();
    mailHosts = createMailHosts({
      minListed: null,
      client,
      texts: createMemoryTexts(),
      clock: () => NOW,
    });
    expect((await gathered(LISTED_ONCE, 4_000, 'smtp.google.com')).disposableDisputed).toBe(true);
  });

  it('is disputed for an old domain with a mail host of its own, until that serves another listed one', async () => {
    const own = `mail.${LISTED_ONCE}`;
    const evidence = await gathered(LISTED_ONCE, 4_000, own);
    expect(evidence).toMatchObject({ disposable: false, disposableDisputed: true });
    expect(evidence.hits.at(-1)).toEqual({ fact: 'established', source: 'own-mail-host', entry: own });
    expect((await gathered(LISTED_ONCE, 800, own)).disposable).toBe(true);
    await gathered('trashmail.com', 4_000, own);
    expect((await gathered(LISTED_ONCE, 4_000, own)).disposable).toBe(true);
  });
});

describe('a listing for spam', () => {
  const spam = (...sources: string[]) => {
    const bundled = intel;
    const hits = sources.map((source) => ({ fact: 'spam', source, entry: 'quiet-harbour.com' }));
    const domain = (name: string) => {
      const known = bundled.domain(name);
      return { ...known, listed: { ...known.listed, spam: true }, hits };
    };
    return { ...bundled, domain };
  };

  it.each([
    [['referrer-spam'], 4_000, 'paid-mail-host'],
    [['referrer-spam'], 800, undefined],
    [['referrer-spam', 'spam-domains'], 4_000, undefined],
  ])('by %j is contested or not at %i days', async (sources, days, source) => {
    const bundled = intel;
    intel = spam(...sources);
    const evidence = await gathered('quiet-harbour.com', days, 'smtp.google.com');
    intel = bundled;
    expect(evidence).toMatchObject({ spam: true, disposableDisputed: false });
    expect(evidence.hits.find(({ fact }) => fact === 'established')?.source).toBe(source);
  });
});

describe('what is known in favour of a domain', () => {
  it.each([
    ['mit.edu', -1, 'institution'],
    ['students.ox.ac.uk', 20, 'institution'],
    ['old-harbour.com', 5 * 365, 'old'],
    ['old-harbour.com', 5 * 365 - 1, ''],
    ['old-harbour.com', -1, ''],
    ['gmail.com', 9_000, ''],
    ['duck.com', 9_000, ''],
    ['users.noreply.github.com', 6_000, ''],
    // The age is that of the suffix.
    ['somebody.github.io', 6_000, ''],
    ['somebody.pp.ua', 6_000, ''],
    ['yopmail.com', 9_000, ''],
    [LISTED_ONCE, 9_000, ''],
  ])('%s of %i days: %j', async (domain, days, standing) => {
    expect((await gathered(domain, days)).standing).toBe(standing);
  });

  it('strangers share a gateway to text messages, which has no standing and is no typing mistake', async () => {
    for (const gateway of ['vtext.com', 'txt.att.net', 'sms.rogers.com'])
      expect(await gathered(gateway, 8_000), gateway).toMatchObject({
        strangers: true,
        standing: '',
        victim: 'gateway',
        providerMeant: '',
        consumer: false,
      });
    expect(await gathered('att.net', 8_000)).toMatchObject({ strangers: false, victim: '', consumer: true });
  });

  it('strangers share the no-reply domain of a code host', async () => {
    expect(await gathered('users.noreply.github.com', -1)).toMatchObject({
      strangers: true,
      consumer: false,
    });
    expect(await gathered('github.com', -1)).toMatchObject({ strangers: false });
  });
});
