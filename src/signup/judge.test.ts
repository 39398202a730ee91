import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aMatch } from '../../test/support/a-campaign.ts';
import {
  anyEvidence as anyFullEvidence,
  type Changes,
  ordinaryEvidence,
} from '../../test/support/any-evidence.ts';
import { PROPERTY_RUNS } from '../../test/support/property-runs.ts';
import { REASON_CODES } from '../contract/reasons.ts';
import type { CampaignMatch } from '../model/campaign.ts';
import type { Evidence } from '../model/evidence.ts';
import { NO_NAME } from '../model/name-facts.ts';
import { DEFAULT_THRESHOLDS, type Policy, type Thresholds, type Weights } from '../model/policy.ts';
import { overlay } from './account-policy.ts';
import { describeFindings } from './describe-finding.ts';
import { type Judgement, judge, scoreOf, scorePartsFor, verdictOf } from './judge.ts';
import { scoreUnder } from './limits.ts';
import { DEFAULT_POLICY, RULES } from './policy.ts';

const POLICY: Policy = { ...DEFAULT_POLICY, thresholds: DEFAULT_THRESHOLDS };

const evaluate = (changes: Changes = {}) => judge(ordinaryEvidence(changes), POLICY);
const codes = ({ reasons }: Judgement) => reasons;
/** The result for each finding. */
function wordsFor(changes: Changes): string[] {
  const { findings } = evaluate(changes);
  return describeFindings(findings, ordinaryEvidence(changes)).map(({ detail }) => detail);
}
const mx = (status: Evidence['email']['mx']['status']) => ({ email: { mx: { status, hosts: [] } } });
const NO_AGE = { days: -1, status: 'unlisted' as const };
/** A domain of which nothing is known. */
const STRANGE = { email: { age: NO_AGE } };
const BOTH = ['velocity_ip', 'velocity_domain'];
const RELAYED = ['velocity_ip', 'email_relay', 'ip_anonymizer', 'velocity_domain'];
const people = (count: number, velocity: Changes['velocity'] = {}): Changes => ({
  velocity: { ip1h: count, ipMailboxes1h: count, ...velocity },
});
const voices = (count: number, named = 0): Changes => ({
  ...STRANGE,
  velocity: { domain1h: count, domainVoices1h: count, domainNamed1h: named },
});
/** People of one domain from one address, with names. */
const colleagues = (count: number): Changes['velocity'] => ({
  domain1h: count,
  domainVoices1h: 1,
  ipOwnDomain1h: count,
  ipNamed1h: count,
});
const mailbox = (count: number): Changes => ({
  velocity: { mailbox24h: count, mailboxVoices24h: count },
});
const relayed = (count: number): Changes => ({
  email: { relay: true },
  ip: { relay: true },
  ...people(count, { domain1h: count }),
});
const wave = (fields: Partial<CampaignMatch> = {}): Changes => ({ campaign: aMatch(fields) });
const age = (days: number) => ({ email: { age: { days, status: 'known' as const } } });

describe('a finding below five points', () => {
  const tuned = (weights: Weights): Policy => ({ ...POLICY, weights: overlay(POLICY.weights, weights) });
  /** A VPN of an account that gives it 26, and small findings. */
  const vpn = (weights: Weights, changes: Changes = { email: { consumer: true, alias: true } }) =>
    judge(ordinaryEvidence({ ip: { vpn: true }, ...changes }), tuned({ vpn: 26, ...weights }));

  it('crosses no threshold, alone or with others of its kind, and shows as next to nothing there', () => {
    const tipped = vpn({ consumer_provider: 4, plus_alias: 4.9 });
    expect(tipped).toMatchObject({ verdict: 'allow', score: 26 });
    expect(tipped.findings.map(({ detector }) => detector)).toEqual([
      'vpn',
      'plus_alias',
      'consumer_provider',
    ]);
    expect(tipped.findings.slice(1).every(({ weight }) => weight > 0 && weight < 0.01)).toBe(true);
  });

  it('counts where a verdict does not depend on it', () => {
    expect(vpn({ consumer_provider: 3, plus_alias: 0 })).toMatchObject({ verdict: 'allow', score: 28 });
    const beyond = judge(
      ordinaryEvidence({ ip: { tor: true }, email: { consumer: true } }),
      tuned({ consumer_provider: 4 }),
    );
    expect(beyond).toMatchObject({ verdict: 'challenge', score: 50 });
  });

  it('does not turn a challenge into a block either', () => {
    const almost = judge(
      ordinaryEvidence({ email: { disposable: true, alias: true } }),
      tuned({ disposable_domain: 58, plus_alias: 4.9 }),
    );
    expect(almost).toMatchObject({ verdict: 'challenge', score: 58 });
  });

  it('is tipped over by one of five points', () => {
    expect(vpn({ plus_alias: 5, consumer_provider: 0 })).toMatchObject({ verdict: 'challenge', score: 30 });
  });

  it('never decides, whatever is found and whatever an account sets', () => {
    const anyWeights = fc
      .array(fc.tuple(fc.constantFrom(...RULES), fc.constantFrom(1, 3, 4.9, 5, 25, 29, 58)))
      .map((pairs) => Object.fromEntries(pairs.map(([{ detector }, weight]) => [detector, weight])));
    fc.assert(
      fc.property(anyFullEvidence, anyWeights, (evidence, weights) => {
        const { verdict, findings } = judge(evidence, tuned(weights));
        const large = findings.filter(({ weight }) => weight >= 5);
        const order = ['allow', 'challenge', 'block'];
        const score = scoreOf(large);
        const without = order.indexOf(verdictOf(score, DEFAULT_THRESHOLDS));
        expect(order.indexOf(verdict)).toBeLessThanOrEqual(without);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});

describe('anchor cases', () => {
  it.each<[string, Changes, number, number, string[]]>([
    ['a corporate address from a residential IP', {}, 0, 0, []],
    ['disposable domain alone blocks', { email: { disposable: true } }, 60, 100, ['email_disposable']],
    [
      'a disputed listing alone is challenged',
      { email: { disposableDisputed: true } },
      30,
      59,
      ['email_reputation'],
    ],
    [
      'disposable by its mail host alone is challenged',
      { email: { disposableHost: { name: 'mx.a.example', matched: 'mx.a.example', serves: 2 } } },
      30,
      59,
      ['email_disposable'],
    ],
    ['no such domain alone blocks', mx('no_domain'), 60, 100, ['email_deliverability']],
    [
      'disposable and Tor',
      { email: { disposable: true }, ip: { tor: true } },
      90,
      100,
      ['email_disposable', 'ip_anonymizer'],
    ],
    [
      'a typing mistake of a provider alone is challenged',
      { email: { providerMeant: 'gmail.com' } },
      30,
      59,
      ['email_deliverability'],
    ],
    [
      'a typing mistake is challenged whatever is wrong with the domain as typed',
      {
        email: {
          providerMeant: 'gmail.com',
          disposable: true,
          spam: true,
          mx: { status: 'no_domain', hosts: [] },
          age: { days: 2, status: 'known' },
          disposableHost: { name: 'mx.a.example', matched: 'mx.a.example', serves: 2 },
        },
      },
      30,
      59,
      ['email_deliverability'],
    ],
    ['a wave alone is challenged', wave(), 30, 59, ['velocity_domain']],
    ['a wave that is sure alone blocks', wave({ sure: true }), 60, 89, ['velocity_domain']],
    [
      'a wave that a person confirmed blocks',
      wave({ sure: true, confirmed: true, members: 4, decades: 1 }),
      60,
      89,
      ['velocity_domain'],
    ],
    ['a wave at a provider', wave({ scope: 'provider', mark: 'mask' }), 30, 59, ['email_reputation']],
    ['a wave at new domains', wave({ scope: 'fresh_domains' }), 30, 59, ['email_reputation']],
    ['a wave of one mail host', wave({ scope: 'mail_host', mark: 'any' }), 30, 59, ['email_reputation']],
    ['a wave of victims', wave({ scope: 'account', mark: 'victims' }), 30, 59, ['email_reputation']],
    ['generated names from hosting', wave({ scope: 'hosting' }), 30, 59, ['email_reputation']],
    ['a wave from hosting', wave({ scope: 'hosting', mark: 'rate' }), 30, 59, ['ip_reputation']],
    ['a wave of a mailbox', wave({ scope: 'mailbox', mark: 'any' }), 30, 59, ['velocity_domain']],
    ['a wave from a range', wave({ scope: 'range', mark: 'any' }), 30, 59, ['ip_reputation']],
    ['a wave of a network operator', wave({ scope: 'asn' }), 30, 59, ['ip_reputation']],
    ['a wave from one address', wave({ scope: 'address' }), 30, 59, ['velocity_ip']],
    [
      'a wave and the burst that it makes',
      { ...STRANGE, ...wave(), velocity: { domain1h: 40, domainVoices1h: 40 } },
      60,
      100,
      ['velocity_domain'],
    ],
    [
      'a wave, and an own entry that allows',
      {
        ...wave({ sure: true }),
        list: { id: 'lst_1', action: 'allow', kind: 'domain', value: 'acme.example', reason: null },
      },
      0,
      0,
      [],
    ],
    [
      'a gateway to text messages alone is allowed',
      { email: { victim: 'gateway' } },
      8,
      8,
      ['email_reputation'],
    ],
    ['a desk for complaints is nothing of its own', { email: { victim: 'desk' } }, 0, 0, []],
    ['dots in a Gmail address are nothing of their own', { email: { victim: 'dots' } }, 0, 0, []],
    ['spam domain alone is challenged', { email: { spam: true } }, 30, 59, ['email_reputation']],
    ['no MX alone is challenged', mx('none'), 30, 59, ['email_deliverability']],
    ['null MX alone is challenged', mx('null_mx'), 30, 59, ['email_deliverability']],
    ['Tor exit alone is challenged', { ip: { tor: true } }, 30, 59, ['ip_anonymizer']],
    ['several blocklists alone are challenged', { ip: { abuseScore: 75 } }, 30, 59, ['ip_reputation']],
    [
      'the worst blocklist record alone is challenged',
      { ip: { abuseScore: 100 } },
      30,
      59,
      ['ip_reputation'],
    ],
    ['VPN alone', { ip: { vpn: true } }, 25, 35, ['ip_anonymizer']],
    ['proxy alone', { ip: { proxy: true } }, 25, 35, ['ip_anonymizer']],
    ['hosting alone', { ip: { datacenter: true } }, 25, 35, ['ip_hosting']],
    ['domain of 29 days alone', age(29), 25, 35, ['email_domain_new']],
    ['domain of 0 days alone', age(0), 25, 35, ['email_domain_new']],
    ['domain of 30 days is not new', age(30), 0, 0, []],
    ['relay domain alone is allowed', { email: { relay: true } }, 1, 29, ['email_relay']],
    ['privacy relay alone is allowed', { ip: { relay: true } }, 1, 29, ['ip_anonymizer']],
    ['role account alone is allowed', { email: { role: true } }, 1, 29, ['email_role_account']],
    ['plus alias alone is allowed', { email: { alias: true } }, 1, 29, ['email_alias']],
    ['consumer provider alone is allowed', { email: { consumer: true } }, 1, 29, ['email_consumer_provider']],
    [
      'a name that looks generated alone is allowed',
      { email: { name: { ...NO_NAME, odds: 20 } } },
      12,
      12,
      ['email_reputation'],
    ],
    [
      'a name that hardly looks generated is allowed',
      { email: { name: { ...NO_NAME, odds: 7.6 } } },
      8,
      8,
      ['email_reputation'],
    ],
    [
      'a name that looks generated says nothing where the domain makes up names',
      { email: { name: { ...NO_NAME, odds: 20 }, strangers: true } },
      0,
      0,
      [],
    ],
    ['a name of doubtful shape is nothing', { email: { name: { ...NO_NAME, odds: 7.5 } } }, 0, 0, []],
    [
      'a name that looks generated at a free mail provider is allowed',
      { email: { name: { ...NO_NAME, odds: 20 }, consumer: true } },
      12,
      14,
      ['email_reputation', 'email_consumer_provider'],
    ],
    [
      'a generated name, role, alias and privacy relay change no verdict together',
      { email: { name: { ...NO_NAME, odds: 20 }, role: true, alias: true }, ip: { relay: true } },
      20,
      29,
      ['email_role_account', 'ip_anonymizer', 'email_alias', 'email_reputation'],
    ],
    [
      'a generated name tips no burst of honest people',
      { email: { name: { ...NO_NAME, odds: 20 } }, ...people(18.9) },
      29,
      29,
      ['velocity_ip', 'email_reputation'],
    ],
    [
      'a generated name from a hosting network is challenged',
      { email: { name: { ...NO_NAME, odds: 20 } }, ip: { datacenter: true } },
      30,
      40,
      ['ip_hosting', 'email_reputation'],
    ],
    [
      'role, alias and consumer together are allowed',
      { email: { role: true, alias: true, consumer: true } },
      1,
      29,
      ['email_role_account', 'email_alias', 'email_consumer_provider'],
    ],
    ['DNS that could not be asked', mx('unknown'), 0, 0, []],
    ['4 attempts from an IP', { velocity: { ip1h: 4, ip24h: 4 } }, 0, 0, []],
    ['5 people from an IP are allowed', people(5), 5, 15, ['velocity_ip']],
    [
      '16 colleagues from their office are allowed',
      people(16, { domain1h: 16, domainVoices1h: 1 }),
      20,
      29,
      BOTH,
    ],
    ['about 20 people from an IP are challenged', people(20), 30, 30, ['velocity_ip']],
    [
      'what says almost nothing tips no verdict',
      { email: { consumer: true }, ...people(18.9, { domain1h: 19 }) },
      29,
      29,
      ['velocity_ip', 'email_consumer_provider', 'velocity_domain'],
    ],
    ['80 people from an IP are challenged', people(80), 31, 59, ['velocity_ip']],
    [
      '80 colleagues with names from their office are allowed',
      { ...STRANGE, ...people(80, { ...colleagues(80), ipOwnDomain1h: 66, ipNamed1h: 50 }) },
      1,
      29,
      BOTH,
    ],
    [
      '80 people of one domain of whom few have names are challenged',
      { ...STRANGE, ...people(80, { ...colleagues(80), ipNamed1h: 40 }) },
      31,
      59,
      BOTH,
    ],
    [
      '80 people with names of whom too many have another domain are challenged',
      { ...STRANGE, ...people(80, { ...colleagues(60), ipNamed1h: 80 }) },
      31,
      59,
      BOTH,
    ],
    [
      '300 student numbers from the campus of an institution are allowed',
      { email: { standing: 'institution' }, ...people(300, { ...colleagues(300), ipNamed1h: 0 }) },
      1,
      29,
      BOTH,
    ],
    [
      '80 names at one free mail provider from one IP are challenged',
      { email: { consumer: true, standing: 'popular' }, ...people(80, colleagues(80)) },
      31,
      59,
      ['velocity_ip', 'email_consumer_provider', 'velocity_domain'],
    ],
    [
      '80 names below a suffix that strangers share are challenged',
      { email: { age: NO_AGE, sharedSuffix: 'ddns.example' }, ...people(80, colleagues(80)) },
      31,
      59,
      BOTH,
    ],
    [
      '80 colleagues with names at a hosting address are blocked',
      { ...STRANGE, ip: { datacenter: true }, ...people(80, colleagues(80)) },
      60,
      100,
      ['velocity_ip', 'ip_hosting', 'velocity_domain'],
    ],
    [
      'colleagues from an office where many were blocked are allowed',
      { ...STRANGE, ...people(90, { ...colleagues(50), ipBlocked1h: 40 }) },
      1,
      29,
      BOTH,
    ],
    ['1,000 people from an IP are challenged', people(1_000), 31, 59, ['velocity_ip']],
    [
      '1,000 people of one domain from 1,000 networks',
      { ...people(1_000, { domain1h: 1_000, domainVoices1h: 1_000 }), ...STRANGE },
      31,
      59,
      BOTH,
    ],
    [
      'a network of which nobody but blocked people came is allowed',
      people(1_000, { ipBlocked1h: 999 }),
      8,
      8,
      ['velocity_ip'],
    ],
    [
      'blocked people beside 15 others: they add three',
      people(1_015, { ipBlocked1h: 1_000 }),
      20,
      29,
      ['velocity_ip'],
    ],
    [
      'a domain that 1,000 blocked networks wrote is allowed',
      { ...STRANGE, velocity: { domain1h: 1_001, domainVoices1h: 1_001, domainBlocked1h: 1_000 } },
      8,
      8,
      ['velocity_domain'],
    ],
    [
      'a mailbox that 40 blocked networks wrote is allowed',
      { velocity: { mailbox24h: 41, mailboxVoices24h: 41, mailboxBlocked24h: 40 } },
      13,
      13,
      ['velocity_domain'],
    ],
    [
      'blocked people count in full against one with an accusation',
      { ip: { datacenter: true }, ...people(50, { ipBlocked1h: 45 }) },
      60,
      90,
      ['velocity_ip', 'ip_hosting'],
    ],
    [
      'one person who tries 20 times is allowed',
      { velocity: { ip1h: 20, ipMailboxes1h: 1 } },
      1,
      5,
      ['velocity_ip'],
    ],
    [
      'one person who tries 100 times is allowed',
      { velocity: { ip1h: 100, ipMailboxes1h: 1 } },
      1,
      5,
      ['velocity_ip'],
    ],
    [
      '60 people behind a carrier are allowed',
      { ip: { sharedPlace: 'carrier' }, ...people(60) },
      20,
      29,
      ['velocity_ip'],
    ],
    [
      '80 people behind a corporate proxy are challenged',
      { ip: { sharedPlace: 'proxy' }, ...people(80) },
      30,
      30,
      ['velocity_ip'],
    ],
    [
      '1,000 people behind a corporate proxy in a hosting network',
      { ip: { sharedPlace: 'proxy', datacenter: true }, ...people(1_000) },
      31,
      59,
      ['velocity_ip', 'ip_hosting'],
    ],
    [
      '40 people at a relay exit are allowed',
      { ip: { relay: true }, ...people(40) },
      20,
      29,
      ['velocity_ip', 'ip_anonymizer'],
    ],
    ['100 people with relay addresses at a relay exit', relayed(100), 30, 59, RELAYED],
    ['1,000 people with relay addresses at a relay exit', relayed(1_000), 30, 59, RELAYED],
    [
      'a class of 30 at a campus is allowed',
      { email: { standing: 'institution' }, ...people(30, { domain1h: 30, domainVoices1h: 1 }) },
      10,
      29,
      BOTH,
    ],
    ['5 of a private domain', { velocity: { domain1h: 5 } }, 0, 0, []],
    [
      '6 addresses of a private domain from one network',
      { ...STRANGE, velocity: { domain1h: 6, domainVoices1h: 1 } },
      1,
      3,
      ['velocity_domain'],
    ],
    [
      '40 made-up addresses from one network do not speak against the staff',
      { ...STRANGE, velocity: { domain1h: 45, domainVoices1h: 2 } },
      1,
      9,
      ['velocity_domain'],
    ],
    ['14 voices at a domain without standing are allowed', voices(14), 20, 29, ['velocity_domain']],
    ['15 voices at a domain without standing are challenged', voices(15), 30, 31, ['velocity_domain']],
    ['1,000 voices at a domain without standing', voices(1_000), 31, 59, ['velocity_domain']],
    ['200 voices of whom most have names are allowed', voices(200, 120), 1, 9, ['velocity_domain']],
    ['200 voices of whom too few have names are challenged', voices(200, 119), 31, 59, ['velocity_domain']],
    ['301 voices with names are challenged', voices(301, 301), 31, 59, ['velocity_domain']],
    [
      '20 voices with names at a domain of a week are more than challenged',
      { ...age(7), velocity: { domain1h: 20, domainVoices1h: 20, domainNamed1h: 20 } },
      60,
      100,
      ['velocity_domain', 'email_domain_new'],
    ],
    [
      '1,000 voices at an institution',
      { ...voices(1_000), email: { standing: 'institution' } },
      1,
      9,
      ['velocity_domain'],
    ],
    [
      '1,000 voices at a popular domain',
      { ...voices(1_000), email: { standing: 'popular', age: NO_AGE } },
      1,
      9,
      ['velocity_domain'],
    ],
    [
      '1,000 voices at a domain of four years',
      { ...voices(1_000), email: { age: { days: 1_461, status: 'known' } } },
      1,
      9,
      ['velocity_domain'],
    ],
    [
      '1,000 voices at a domain that the account knows',
      { ...voices(1_000), email: { standing: 'known', age: NO_AGE } },
      1,
      9,
      ['velocity_domain'],
    ],
    [
      '1,000 voices at a domain whose people have come for weeks',
      { ...voices(1_000), email: { standing: 'usual', age: NO_AGE } },
      1,
      9,
      ['velocity_domain'],
    ],
    [
      'a class of 30 at such a domain, from the address of the school',
      { email: { standing: 'usual', age: NO_AGE }, ...people(30, { ...colleagues(30), ipNamed1h: 0 }) },
      1,
      14,
      BOTH,
    ],
    [
      '50 people at a hosting address are blocked, also where people of their domain came before',
      { email: { standing: 'usual', age: NO_AGE }, ip: { datacenter: true }, ...people(50) },
      60,
      100,
      ['velocity_ip', 'ip_hosting'],
    ],
    [
      '50 people at a hosting address are blocked',
      { ip: { datacenter: true }, ...people(50) },
      60,
      100,
      ['velocity_ip', 'ip_hosting'],
    ],
    [
      '50 people of a new domain are blocked',
      { email: { age: { days: 3, status: 'known' } }, ...people(50, { domain1h: 50, domainVoices1h: 50 }) },
      60,
      100,
      ['velocity_ip', 'email_domain_new', 'velocity_domain'],
    ],
    [
      '50 people who all mistype are challenged',
      { email: { providerMeant: 'gmail.com' }, ...people(50) },
      30,
      59,
      ['email_deliverability', 'velocity_ip'],
    ],
    [
      'thousands of a consumer provider',
      { email: { consumer: true }, velocity: { domain1h: 5_000 } },
      1,
      1,
      ['email_consumer_provider', 'velocity_domain'],
    ],
    [
      'thousands of a no-reply domain of a code host',
      { email: { strangers: true }, velocity: { domain1h: 5_000 } },
      1,
      1,
      ['velocity_domain'],
    ],
    [
      '60 people with free mail from one address are challenged',
      { email: { consumer: true }, ...people(60, { domain1h: 60 }) },
      31,
      59,
      ['velocity_ip', 'email_consumer_provider', 'velocity_domain'],
    ],
    ['two addresses of one mailbox', { velocity: { mailbox24h: 2 } }, 0, 0, []],
    ['a third address of one mailbox', mailbox(3), 20, 30, ['velocity_domain']],
    [
      'the owner after nine spellings from elsewhere',
      { velocity: { mailbox24h: 10, mailboxVoices24h: 1 } },
      0,
      0,
      [],
    ],
    ['a dozen addresses of one mailbox are challenged', mailbox(12), 50, 59, ['velocity_domain']],
    ['a thousand addresses of one mailbox are challenged', mailbox(1_000), 50, 59, ['velocity_domain']],
    [
      'a dozen addresses of one mailbox by a VPN are blocked',
      { ip: { vpn: true }, ...mailbox(12) },
      60,
      100,
      ['velocity_domain', 'ip_anonymizer'],
    ],
    [
      'every burst at once',
      {
        ...STRANGE,
        ...people(500, { domain1h: 500, domainVoices1h: 500, mailbox24h: 500, mailboxVoices24h: 500 }),
      },
      50,
      59,
      ['velocity_domain', 'velocity_ip'],
    ],
    [
      'a person whom a member brings',
      { ...people(50, { broughtBy: 'member', domain1h: 50, mailbox24h: 50 }) },
      0,
      0,
      [],
    ],
    ['an address that most signups of a key have', { ip: { sharedByKey: true }, ...people(500) }, 0, 0, []],
    ['IP velocity without an IP', { ip: null, velocity: { ip1h: 50 } }, 0, 0, []],
  ])('%s', (_name, changes, min, max, reasons) => {
    const judgement = evaluate(changes);
    expect(judgement.score).toBeGreaterThanOrEqual(min);
    expect(judgement.score).toBeLessThanOrEqual(max);
    expect(codes(judgement)).toEqual(reasons);
  });

  it('velocity weighs more with every doubling', () => {
    const scores = [5, 10, 20, 40, 80].map((count) => evaluate(people(count)).score);
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
    expect(new Set(scores).size).toBe(scores.length);
  });
});

describe('verdicts', () => {
  it.each([
    [29, 'allow'],
    [30, 'challenge'],
    [59, 'challenge'],
    [60, 'block'],
  ])('a score of %i is %s by default', (score, verdict) => {
    // One detector whose weight is the score, to test the whole way from weight to verdict.
    const weights = { ...DEFAULT_POLICY.weights, spam_domain: score };
    expect(judge(ordinaryEvidence({ email: { spam: true } }), { ...POLICY, weights })).toMatchObject({
      score,
      verdict,
    });
  });

  it('follow the given thresholds', () => {
    const strict = { ...POLICY, thresholds: { challenge: 1, block: 4 } };
    expect(judge(ordinaryEvidence({ email: { alias: true } }), strict).verdict).toBe('block');
    expect(judge(ordinaryEvidence(), strict).verdict).toBe('allow');
  });
});

describe('findings', () => {
  it('are described in words', () => {
    expect(evaluate(age(5)).findings).toEqual([
      { detector: 'new_domain', code: 'email_domain_new', weight: 34 },
    ]);
    expect(wordsFor(age(5))).toEqual(['domain registered 5 days ago']);
    expect(wordsFor(age(1))).toEqual(['domain registered 1 day ago']);
  });

  it('count an address once, however many anonymizers list it', () => {
    const { findings } = evaluate({ ip: { tor: true, vpn: true, proxy: true, datacenter: true } });
    expect(findings.map(({ detector }) => detector)).toEqual(['tor_exit', 'hosting']);
  });

  it('with the same code become one reason, sorted by their total weight', () => {
    const both = evaluate({ ...STRANGE, velocity: { domain1h: 6, mailbox24h: 3, ip1h: 20 } });
    expect(both.findings.map(({ detector, weight }) => [detector, weight])).toEqual([
      ['ip_burst', 30],
      ['mailbox_farm', 25],
      ['domain_burst', 5],
    ]);
    expect(codes(both)).toEqual(['velocity_ip', 'velocity_domain']);
  });

  it('with weight 0 are not reported and do not count', () => {
    const weights = { ...DEFAULT_POLICY.weights, ip_burst: 0, consumer_provider: 0 };
    const off = judge(ordinaryEvidence({ email: { consumer: true }, velocity: { ip1h: 50 } }), {
      ...POLICY,
      weights,
    });
    expect(off).toMatchObject({ score: 0, reasons: [], findings: [], verdict: 'allow' });
  });

  it('say who is behind a burst', () => {
    const said = (velocity: Partial<Evidence['velocity']>) => wordsFor({ ...STRANGE, velocity });
    expect(said({ ip1h: 16, ipMailboxes1h: 16 })).toEqual(['16 people from this IP within an hour']);
    expect(said({ ip1h: 20, ipMailboxes1h: 1 })).toEqual([
      '20 attempts of one person from this IP within an hour',
    ]);
    expect(said({ ip1h: 20, ipMailboxes1h: 3 })).toEqual([
      '3 people from this IP within an hour (20 attempts)',
    ]);
    expect(said({ ip1h: 20 })).toEqual(['20 attempts from this IP within an hour']);
    expect(said({ domain1h: 40, domainVoices1h: 1 })).toEqual([
      '40 addresses of acme.example within an hour, from 1 network',
    ]);
    expect(said({ mailbox24h: 9, mailboxVoices24h: 4 })).toEqual([
      '9 addresses of one mailbox within a day, 4 of which count: those from another network count once',
    ]);
    expect(said({ ip1h: 16, ipMailboxes1h: 16, ipBlocked1h: 1 })).toEqual([
      '16 people from this IP within an hour; 1 of them was blocked',
    ]);
    expect(said({ domain1h: 40, domainVoices1h: 41, domainBlocked1h: 30 })).toEqual([
      '40 addresses of acme.example within an hour, from 41 networks; 30 of them were blocked',
    ]);
  });

  it('cover every public code', () => {
    expect(new Set(RULES.map(({ code }) => code))).toEqual(new Set(REASON_CODES));
    expect(new Set(RULES.map(({ detector }) => detector)).size).toBe(RULES.length);
  });
});

describe('for any evidence', () => {
  const flagged = fc
    .record({
      flags: fc.array(fc.boolean(), { minLength: 11, maxLength: 11 }),
      status: fc.constantFrom('valid', 'none', 'null_mx', 'no_domain', 'unknown'),
      days: fc.integer({ min: -1, max: 400 }),
      abuseScore: fc.integer({ min: 0, max: 100 }),
      counts: fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 3, maxLength: 3 }),
    })
    .map(({ flags, status, days, abuseScore, counts }) => {
      const [disposable, relay, spam, consumer, role, alias, tor, vpn, proxy, privacy, datacenter] =
        flags as boolean[];
      const known = { disposable, relay, spam, consumer, role, alias } as Partial<Evidence['email']>;
      return ordinaryEvidence({
        email: { ...known, mx: { status: status as 'valid', hosts: [] }, age: { days, status: 'known' } },
        ip: { tor, vpn, proxy, relay: privacy, datacenter, abuseScore } as Partial<
          NonNullable<Evidence['ip']>
        >,
        velocity: {
          ip1h: counts[0] as number,
          domain1h: counts[1] as number,
          mailbox24h: counts[2] as number,
        },
      });
    });

  it('the score is the formula over the findings, and does not change when the judgement is stored and read', () => {
    fc.assert(
      fc.property(flagged, (evidence) => {
        const judgement = judge(evidence, POLICY);
        const innocence = judgement.findings.reduce((rest, { weight }) => rest * (1 - weight / 100), 1);
        expect(judgement.score).toBe(Math.round(100 * (1 - innocence)));
        expect(judgement.score).toBeGreaterThanOrEqual(0);
        expect(judgement.score).toBeLessThanOrEqual(100);
        expect(new Set(codes(judgement))).toEqual(new Set(judgement.findings.map(({ code }) => code)));
        expect(new Set(codes(judgement)).size).toBe(judgement.reasons.length);
        expect(judge(JSON.parse(JSON.stringify(evidence)) as Evidence, POLICY)).toEqual(judgement);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});

describe('a disputed listing', () => {
  it('tips no verdict to a block, with whatever else is found', () => {
    fc.assert(
      fc.property(anyFullEvidence, (evidence) => {
        const named = (disposableDisputed: boolean) =>
          judge({ ...evidence, list: null, email: { ...evidence.email, disposableDisputed } }, POLICY);
        const [without, disputed] = [named(false), named(true)];
        expect(disputed.score).toBeGreaterThanOrEqual(without.score);
        if (without.verdict !== 'block') expect(disputed.verdict).not.toBe('block');
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('raises the score to the limit of a challenge at most', () => {
    const email = { disposableDisputed: true, role: true, alias: true };
    expect(evaluate({ email, ip: { datacenter: true } })).toMatchObject({ score: 59, verdict: 'challenge' });
    const { findings } = evaluate({ email, ip: { tor: true, datacenter: true, abuseScore: 100 } });
    expect(findings.map(({ detector }) => detector)).not.toContain('disposable_disputed');
  });

  it('weighs half if the domain is years old and its mailboxes cost money', () => {
    const hits = [{ fact: 'established', source: 'paid-mail-host', entry: 'aspmx.l.google.com' }];
    expect(evaluate({ email: { disposableDisputed: true, hits } })).toMatchObject({ score: 20 });
    const own = [{ fact: 'established', source: 'own-mail-host', entry: 'mx.acme.example' }];
    expect(evaluate({ email: { disposableDisputed: true, hits: own } })).toMatchObject({ score: 40 });
  });
});

describe('a listing for spam', () => {
  const established = { fact: 'established', source: 'own-mail-host', entry: 'mx.acme.example' };
  const listed = (...sources: string[]) =>
    sources.map((source) => ({ fact: 'spam', source, entry: 'acme.example' }));

  it.each([
    ['one list', listed('referrer-spam'), 25],
    ['two lists', listed('referrer-spam', 'spam-domains'), 50],
    ['a DNSBL that was asked just now', listed('dnsbl:zone.example'), 50],
    ['a list and a DNSBL', listed('referrer-spam', 'dnsbl:zone.example'), 50],
  ])('of an old domain with good mail hosts, by %s', (_, hits, score) => {
    expect(evaluate({ email: { spam: true, hits: [...hits, established] } })).toMatchObject({ score });
    expect(evaluate({ email: { spam: true, hits } })).toMatchObject({ score: 50 });
  });
});

describe('under any thresholds and weights', () => {
  const thresholds = fc
    .tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }))
    .map(([a, b]) => ({ challenge: Math.min(a, b), block: Math.max(a, b) }));
  const weights = fc.record(
    Object.fromEntries(RULES.map(({ detector }) => [detector, fc.integer({ min: 0, max: 100 })])),
    { requiredKeys: [] },
  );
  const policies = fc.record({ thresholds, weights, own: fc.boolean() }).map(
    ({ thresholds, weights, own }): Policy => ({
      version: own ? 'custom-1' : 'default-2',
      weights: own ? overlay(DEFAULT_POLICY.weights, weights as Weights) : DEFAULT_POLICY.weights,
      thresholds,
    }),
  );
  const combine = (findings: Judgement['findings']) =>
    Math.round(100 * (1 - findings.reduce((rest, { weight }) => rest * (1 - weight / 100), 1)));
  const isBurst = ({ detector }: { detector: string }) => /burst|farm/.test(detector);
  const isAccused = (findings: Judgement['findings']) =>
    findings.some(
      ({ detector, weight }) =>
        weight >= 10 && RULES.find((rule) => rule.detector === detector)?.kind === 'accusation',
    );

  const name = { ...NO_NAME, odds: 20 };
  const burst = { mailboxVoices24h: 6 };
  it.each<[string, Changes, Thresholds, number]>([
    ['alone', { email: { name } }, { challenge: 2, block: 2 }, 0],
    [
      'beside a mistyped domain and a burst',
      { email: { name, providerMeant: 'gmail.com' }, velocity: burst },
      { challenge: 1, block: 46 },
      45,
    ],
  ])(
    'a generated name %s has no weight where it would tip, also in a simulation',
    (_, changes, thresholds, score) => {
      const policy = { ...DEFAULT_POLICY, thresholds };
      const evidence = ordinaryEvidence(changes);
      expect(judge(evidence, policy).score).toBe(score);
      expect(scoreUnder(scorePartsFor(evidence, policy), thresholds)).toBe(score);
    },
  );

  it('bursts alone never block, context tips nothing, and the score is that of the findings', () => {
    let limited = 0;
    fc.assert(
      fc.property(anyFullEvidence, policies, (evidence, policy) => {
        const { findings, score, verdict } = judge({ ...evidence, list: null }, policy);
        expect(score).toBe(combine(findings));
        expect(verdict).toBe(verdictOf(score, policy.thresholds));
        const rest = findings.filter((finding) => !isBurst(finding));
        if (rest.length < findings.length && verdict === 'block' && !isAccused(findings))
          expect(combine(rest)).toBeGreaterThanOrEqual(policy.thresholds.block);
        const parts = scorePartsFor({ ...evidence, list: null }, policy);
        expect(scoreUnder(parts, policy.thresholds)).toBe(score);
        if (parts.all > score) limited += 1;
        const { generated_name: _name, ...nameless } = policy.weights;
        if (!isAccused(findings))
          expect(judge({ ...evidence, list: null }, { ...policy, weights: nameless }).verdict).toBe(verdict);
        const { consumer_provider: _, ...others } = policy.weights;
        if ((policy.weights.consumer_provider ?? 0) > 1) return;
        const without = judge({ ...evidence, list: null }, { ...policy, weights: others });
        expect(verdict).toBe(without.verdict);
      }),
      { numRuns: 2_000 },
    );
    expect(limited).toBeGreaterThan(0);
  });
});

describe('disposable by association', () => {
  it.each([
    ['mx.a.example', 'mx.a.example', 3, 'mx.a.example, which serves 3 listed disposable domains'],
    ['mx.a.example', '*.a.example', 1, 'mx.a.example (*.a.example), which serves 1 listed disposable domain'],
    ['mx.a.example', 'a.example', 0, 'mx.a.example, which belongs to the listed disposable domain a.example'],
  ])('names the host %s by %s', (name, matched, serves, words) => {
    expect(wordsFor({ email: { disposableHost: { name, matched, serves } } })).toEqual([
      `its mail is handled by ${words}`,
    ]);
  });

  it('never blocks alone, whatever weight an account sets', () => {
    const association = fc.record({
      name: fc.domain(),
      matched: fc.domain(),
      serves: fc.integer({ min: 0, max: 64 }),
    });
    const weight = fc.option(fc.integer({ min: 0, max: 1_000 }));
    fc.assert(
      fc.property(association, weight, (disposableHost, weight) => {
        const own = weight === null ? {} : { disposable_mx: weight };
        const weights = { ...DEFAULT_POLICY.weights, ...own };
        const { verdict, score, findings } = judge(ordinaryEvidence({ email: { disposableHost } }), {
          ...POLICY,
          weights,
        });
        expect(findings.length).toBe(weight === 0 ? 0 : 1);
        expect(verdict).not.toBe('block');
        expect(score).toBeLessThan(DEFAULT_THRESHOLDS.block);
      }),
    );
  });

  it('adds nothing to a listing', () => {
    const disposableHost = { name: 'mx.a.example', matched: 'mx.a.example', serves: 3 };
    expect(evaluate({ email: { disposable: true, disposableHost } }).findings).toHaveLength(1);
  });
});
