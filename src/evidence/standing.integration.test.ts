/** Standing by feeds: what they say for a domain, and for a place that many share. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FEEDS_BASELINE } from '../../test/support/small-build.ts';
import { parseEmail } from '../address/email.ts';
import { parseIp } from '../address/ip.ts';
import { compileWithFeeds } from '../intel/compile-feeds.ts';
import type { AppliedFeed } from '../intel/feed.ts';
import { FEEDS } from '../intel/feeds.ts';
import type { Intel } from '../intel/intel.ts';
import { readSnapshot } from '../intel/snapshot.ts';
import { createTypingMistakes } from '../intel/typing-mistake.ts';
import type { EmailEvidence } from '../model/evidence.ts';
import { NO_NAME } from '../model/name-facts.ts';
import type { EmailAddress, IpAddress } from '../model/signup-attempt.ts';
import { createGatherEmail } from './gather-email.ts';
import { VOUCHED } from './mail-host-facts.ts';

function compiled(feeds: Readonly<Record<string, readonly string[]>>): Intel {
  const applied = Object.entries(feeds).map(([id, entries]): AppliedFeed => {
    const feed = FEEDS.find((row) => row.id === id);
    if (feed === undefined) throw new Error(`no feed ${id}`);
    const parsed = { entries, rows: entries.length, errors: 0 };
    return { feed, version: 'test', fetchedAt: 0, parsed, departed: [] };
  });
  return readSnapshot(compileWithFeeds(readFileSync(FEEDS_BASELINE), applied, 0).bytes);
}

/** Evidence at a mail host where mailboxes cost money. */
function gathered(domain: string, ageDays: number, intel: Intel): EmailEvidence {
  const gather = createGatherEmail({
    mailExchange: { lookup: () => ({ status: 'valid', hosts: ['smtp.google.com'] }) },
    domainAge: { lookup: () => ({ days: ageDays, status: ageDays < 0 ? 'unlisted' : 'known' }) },
    mailHosts: { load: () => undefined, associate: () => VOUCHED.paid },
    typingMistakes: createTypingMistakes(),
    goodReports: { isGood: () => false },
    domainReputation: undefined,
  });
  return gather(parseEmail(`jo@${domain}`) as EmailAddress, intel, {
    account: 'acme',
    at: 0,
    name: NO_NAME,
    spelling: 'canonical',
  }) as EmailEvidence;
}

it('counts as popular exactly what a ranking names, unless it is disposable or shared', () => {
  const ranked = compiled({ 'popular-domains': ['harbour.com', 'yopmail.com', 'pp.ua', 'gmail.com'] });
  const standing = (domain: string) => gathered(domain, -1, ranked).standing;
  expect(['harbour.com', 'mail.harbour.com', 'yopmail.com', 'me.pp.ua', 'gmail.com'].map(standing)).toEqual([
    'popular',
    '',
    '',
    '',
    '',
  ]);
});

it('counts as an institution a university that a list names, and its departments', () => {
  const intel = compiled({ universities: ['harbour-university.ch'] });
  const standing = (domain: string) => gathered(domain, -1, intel).standing;
  expect(['harbour-university.ch', 'cs.harbour-university.ch', 'harbour.ch'].map(standing)).toEqual([
    'institution',
    'institution',
    '',
  ]);
});

it('does not take the age of a suffix for that of a name below it', () => {
  const intel = compiled({ 'disposable-curated': ['tenant.pp.ua', 'old-harbour.com'] });
  const facts = (domain: string) => {
    const { disposable, disposableDisputed, standing } = gathered(domain, 9_000, intel);
    return [disposable, disposableDisputed, standing];
  };
  expect(facts('old-harbour.com')).toEqual([false, true, '']);
  expect(facts('tenant.pp.ua')).toEqual([true, false, '']);
});

it('knows a company’s proxies that a list names, whatever other lists call them', () => {
  const intel = compiled({
    'corporate-zscaler': ['165.225.0.0/17', '2a03:eec0::/32'],
    'datacenter-ipv4': ['165.225.0.0/16'],
    'vpn-ipv4': ['165.225.1.0/24'],
  });
  expect(intel.network(parseIp('165.225.1.1') as IpAddress).listed).toMatchObject({
    corporate: true,
    datacenter: false,
    vpn: false,
  });
  expect(intel.network(parseIp('165.225.200.1') as IpAddress).listed.datacenter).toBe(true);
});
