import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDnsServer, type TestDnsServer } from '../../test/support/dns-server.ts';
import { parseEmail } from '../address/email.ts';
import { BASELINE_FILE } from '../intel/bundled-snapshot.ts';
import type { Intel } from '../intel/intel.ts';
import { openSnapshot } from '../intel/snapshot.ts';
import { createTypingMistakes } from '../intel/typing-mistake.ts';
import type { EmailEvidence } from '../model/evidence.ts';
import { createDnsClient, type DnsClient } from './dns-client.ts';
import { createGatherEmail, type EmailGatherers } from './email.ts';
import { createMailHosts, type MailHosts } from './mail-hosts.ts';
import { createMemoryTexts } from './memory-texts.ts';

const NOW = Date.UTC(2026, 5, 1);
/** A domain on one collection of lists only. */
const LISTED_ONCE = 'zapzapcloud.com';
const LISTED_OFTEN = 'yopmail.com';
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
  return createGatherEmail(gatherers)(email, intel, { account: 'acme', at: NOW });
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

  it('counts if strangers share the mail host, or if several lists agree', async () => {
    for (const name of ['one', 'two']) await gathered(`${name}-harbour.com`, 4_000);
    expect((await gathered(LISTED_ONCE, 4_000, 'aspmx.l.google.com')).disposable).toBe(true);
    expect((await gathered(LISTED_OFTEN, 9_000)).disposable).toBe(true);
  });
});
