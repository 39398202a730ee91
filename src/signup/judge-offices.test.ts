import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aMatch } from '../../test/support/a-campaign.ts';
import { anyEvidence, type Changes, ordinaryEvidence } from '../../test/support/any-evidence.ts';
import { PROPERTY_RUNS } from '../../test/support/property-runs.ts';
import type { OfficeMatch } from '../model/list-entry.ts';
import { DEFAULT_THRESHOLDS, type Policy } from '../model/policy.ts';
import { judge } from './judge.ts';
import { DEFAULT_POLICY } from './policy.ts';
import { setAsideBy } from './set-aside.ts';

const POLICY: Policy = { ...DEFAULT_POLICY, thresholds: DEFAULT_THRESHOLDS };
const OFFICE: OfficeMatch = {
  id: 'lst_2',
  kind: 'domain_network',
  value: 'acme.example + 203.0.113.7',
  reason: null,
};
const at = (office: OfficeMatch | null, changes: Changes) => {
  const evidence = ordinaryEvidence({ ...changes, office });
  const { findings, ...judgement } = judge(evidence, POLICY);
  return { ...judgement, detectors: findings.map(({ detector }) => detector) };
};
/** 60 people of a young domain whose names say nothing, within an hour. */
const CROWD: Changes = {
  email: { age: { days: -1, status: 'unlisted' } },
  velocity: { ip1h: 60, ipMailboxes1h: 60, domain1h: 60, domainVoices1h: 1 },
};
const crowdWith = ({ email, ip = {} }: Changes): Changes => ({
  ...CROWD,
  email: { ...CROWD.email, ...email },
  ip,
});

describe('people of a shared office', () => {
  it('are let in together, whom a burst would stop elsewhere', () => {
    expect(at(null, CROWD).verdict).toBe('challenge');
    expect(at(OFFICE, CROWD)).toEqual({ verdict: 'allow', score: 0, reasons: [], detectors: [] });
  });

  it.each<[string, Changes, string]>([
    ['a throw-away domain', { email: { disposable: true } }, 'disposable_domain'],
    ['a hosting network', { ip: { datacenter: true } }, 'hosting'],
    ['Tor', { ip: { tor: true } }, 'tor_exit'],
    ['a domain without mail', { email: { mx: { status: 'none', hosts: [] } } }, 'no_mx'],
  ])('are still judged for %s, as one of them alone would be', (_, changes, detector) => {
    const { email = {}, ip = {} } = changes;
    const alone = at(null, { email: { ...CROWD.email, ...email }, ip });
    expect(alone.detectors).toContain(detector);
    expect(at(OFFICE, crowdWith(changes))).toEqual(alone);
  });

  it('are still stopped for one mailbox with many addresses, which sharing a place does not explain', () => {
    const farm = { ...CROWD, velocity: { ...CROWD.velocity, mailbox24h: 27, mailboxVoices24h: 27 } };
    expect(at(OFFICE, farm)).toMatchObject({ verdict: 'challenge', detectors: ['mailbox_farm'] });
    const months = { velocity: { mailbox90d: 12, mailboxVoices90d: 12, mailboxDays: 90 } };
    expect(at(OFFICE, months).detectors).toEqual(['mailbox_months']);
  });

  it.each([
    ['domain', 'any'],
    ['range', 'rate'],
    ['address', 'any'],
    ['asn', 'any'],
    ['account', 'rate'],
  ] as const)('are no wave of %s for %s, unless a person confirmed it', (scope, mark) => {
    const wave = (confirmed: boolean) => ({ campaign: aMatch({ scope, mark, confirmed, sure: true }) });
    expect(at(null, wave(false)).verdict).toBe('block');
    expect(at(OFFICE, wave(false))).toMatchObject({ verdict: 'allow', detectors: [] });
    expect(at(OFFICE, wave(true))).toEqual(at(null, wave(true)));
  });

  it.each([
    ['domain', 'generated'],
    ['range', 'mask'],
    ['address', 'random'],
    ['hosting', 'any'],
    ['fresh_domains', 'any'],
    ['mailbox', 'mailbox'],
  ] as const)('are seen in a wave of %s that shares more than the place: %s', (scope, mark) => {
    const wave = { campaign: aMatch({ scope, mark, sure: true }) };
    expect(at(OFFICE, wave)).toEqual(at(null, wave));
  });
});

describe('what a shared office sets aside', () => {
  it('is said, as it would have been without it', () => {
    expect(setAsideBy(ordinaryEvidence({ ...CROWD, office: OFFICE }))).toEqual([
      { detector: 'ip_burst', detail: '60 people from this IP within an hour' },
      { detector: 'domain_burst', detail: '60 addresses of acme.example within an hour, from 1 network' },
    ]);
    expect(setAsideBy(ordinaryEvidence({ office: OFFICE }))).toEqual([]);
    expect(setAsideBy(ordinaryEvidence(CROWD))).toEqual([]);
    const list = {
      id: 'lst_1',
      action: 'allow',
      kind: 'domain',
      value: 'acme.example',
      reason: null,
    } as const;
    expect(setAsideBy(ordinaryEvidence({ ...CROWD, office: OFFICE, list }))).toEqual([]);
  });

  it('is all that changes: every other finding weighs as without the burst', () => {
    fc.assert(
      fc.property(anyEvidence, (any) => {
        const evidence = { ...any, office: OFFICE };
        const aside = setAsideBy(evidence).map(({ detector }) => detector);
        const weights = { ...POLICY.weights, ...Object.fromEntries(aside.map((each) => [each, 0])) };
        const plain = judge({ ...evidence, office: null }, { ...POLICY, weights });
        const { findings, ...rest } = judge(evidence, POLICY);
        const others = ({ detector }: { detector: string }) => detector !== 'consumer_provider';
        expect(findings.filter(others)).toEqual(plain.findings.filter(others));
        expect(rest.verdict).toBe(plain.verdict);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});
