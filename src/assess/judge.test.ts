import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyEvidence as anyFullEvidence,
  type Changes,
  ordinaryEvidence,
} from '../../test/support/any-evidence.ts';
import { PROPERTY_RUNS } from '../../test/support/property-runs.ts';
import { REASON_CODES } from '../contract/reasons.ts';
import type { Evidence } from '../model/evidence.ts';
import { DEFAULT_THRESHOLDS, type Policy } from '../model/policy.ts';
import { describeFindings } from './describe-finding.ts';
import { type Judgement, judge } from './judge.ts';
import { DEFAULT_POLICY, RULES } from './policy.ts';

const POLICY: Policy = { ...DEFAULT_POLICY, thresholds: DEFAULT_THRESHOLDS };

const evaluate = (changes: Changes = {}) => judge(ordinaryEvidence(changes), POLICY);
const codes = ({ reasons }: Judgement) => reasons;
/** What it says of each finding. */
function wordsFor(changes: Changes): string[] {
  const { findings } = evaluate(changes);
  return describeFindings(findings, ordinaryEvidence(changes)).map(({ detail }) => detail);
}
const mx = (status: Evidence['email']['mx']['status']) => ({ email: { mx: { status, hosts: [] } } });
const age = (days: number) => ({ email: { age: { days, status: 'known' as const } } });

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
      'role, alias and consumer together are allowed',
      { email: { role: true, alias: true, consumer: true } },
      1,
      29,
      ['email_role_account', 'email_alias', 'email_consumer_provider'],
    ],
    ['DNS that could not be asked', mx('unknown'), 0, 0, []],
    ['4 attempts from an IP', { velocity: { ip1h: 4, ip24h: 4 } }, 0, 0, []],
    ['the 5th from an IP adds about 20', { velocity: { ip1h: 5 } }, 18, 22, ['velocity_ip']],
    ['the 50th from an IP blocks', { velocity: { ip1h: 50 } }, 60, 100, ['velocity_ip']],
    ['5 of a private domain', { velocity: { domain1h: 5 } }, 0, 0, []],
    ['the 6th of a private domain', { velocity: { domain1h: 6 } }, 18, 22, ['velocity_domain']],
    ['the 60th of a private domain blocks', { velocity: { domain1h: 60 } }, 60, 100, ['velocity_domain']],
    [
      'thousands of a consumer provider',
      { email: { consumer: true }, velocity: { domain1h: 5_000 } },
      1,
      6,
      ['email_consumer_provider', 'velocity_domain'],
    ],
    ['two addresses of one mailbox', { velocity: { mailbox24h: 2 } }, 0, 0, []],
    ['a third address of one mailbox', { velocity: { mailbox24h: 3 } }, 20, 30, ['velocity_domain']],
    [
      'a dozen addresses of one mailbox block',
      { velocity: { mailbox24h: 12 } },
      60,
      100,
      ['velocity_domain'],
    ],
    ['IP velocity without an IP', { ip: null, velocity: { ip1h: 50 } }, 0, 0, []],
  ])('%s', (_name, changes, min, max, reasons) => {
    const judgement = evaluate(changes);
    expect(judgement.score).toBeGreaterThanOrEqual(min);
    expect(judgement.score).toBeLessThanOrEqual(max);
    expect(codes(judgement)).toEqual(reasons);
  });

  it('velocity weighs more with every doubling', () => {
    const scores = [5, 10, 20, 40, 80].map((ip1h) => evaluate({ velocity: { ip1h } }).score);
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
    expect(judge(ordinaryEvidence({ email: { consumer: true } }), strict).verdict).toBe('block');
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
    const both = evaluate({ velocity: { domain1h: 6, mailbox24h: 3, ip1h: 10 } });
    expect(both.findings.map(({ detector }) => detector)).toEqual([
      'ip_burst',
      'mailbox_farm',
      'domain_burst',
    ]);
    expect(codes(both)).toEqual(['velocity_domain', 'velocity_ip']);
  });

  it('with weight 0 are not reported and do not count', () => {
    const weights = { ...DEFAULT_POLICY.weights, ip_burst: 0, consumer_provider: 0 };
    const off = judge(ordinaryEvidence({ email: { consumer: true }, velocity: { ip1h: 50 } }), {
      ...POLICY,
      weights,
    });
    expect(off).toMatchObject({ score: 0, reasons: [], findings: [], verdict: 'allow' });
  });

  it('cover every public code', () => {
    expect(new Set(RULES.map(({ code }) => code))).toEqual(new Set(REASON_CODES));
    expect(new Set(RULES.map(({ detector }) => detector)).size).toBe(RULES.length);
  });
});

describe('for any evidence', () => {
  const anyEvidence = fc
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
      fc.property(anyEvidence, (evidence) => {
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
