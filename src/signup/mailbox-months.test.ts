/** The weight of a third address of one mailbox within months: a person with tags is let in, a farm is challenged, nobody is blocked for it alone. */
import { describe, expect, it } from 'vitest';
import { aMatch } from '../../test/support/a-campaign.ts';
import { type Changes, ordinaryEvidence } from '../../test/support/any-evidence.ts';
import type { VelocityEvidence } from '../model/evidence.ts';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import { describeFindings } from './describe-finding.ts';
import { writeFacts } from './facts.ts';
import { judge } from './judge.ts';
import { DEFAULT_POLICY } from './policy.ts';
import { readFacts } from './read-facts.ts';

const POLICY = { ...DEFAULT_POLICY, thresholds: DEFAULT_THRESHOLDS };
const addresses = (count: number, velocity: Partial<VelocityEvidence> = {}): Changes => ({
  velocity: { mailbox90d: count, mailboxVoices90d: count, mailboxDays: 90, ...velocity },
});
const evaluate = (changes: Changes) => judge(ordinaryEvidence(changes), POLICY);
const weightOf = (changes: Changes) =>
  evaluate(changes).findings.find(({ detector }) => detector === 'mailbox_months')?.weight ?? 0;
const wordsFor = (changes: Changes) =>
  describeFindings(evaluate(changes).findings, ordinaryEvidence(changes)).map(({ detail }) => detail);

describe('addresses of one mailbox within months', () => {
  it.each([
    [0, 0],
    [3, 10],
    [4, 16],
    [5, 22],
    [6, 30],
    [8, 38],
    [12, 48],
    [24, 58],
    [129, 59],
  ])('%i weigh %i', (count, weight) => {
    expect(weightOf(addresses(count))).toBe(weight);
  });

  it('weigh more with each, and never block alone or with small findings', () => {
    for (let count = 3; count < 140; count += 1) {
      expect(weightOf(addresses(count + 1))).toBeGreaterThanOrEqual(weightOf(addresses(count)));
      const email = { alias: true, consumer: true, role: true };
      const { verdict } = evaluate({
        ...addresses(count, { mailbox24h: count, mailboxVoices24h: count }),
        email,
      });
      expect(verdict).toBe(count < 3 ? 'allow' : 'challenge');
    }
  });

  it.each([
    ['five with a tag', 5, 'allow'],
    ['six with a tag', 6, 'challenge'],
  ] as const)('let in whom tags sort the mail of: %s', (_, count, verdict) => {
    expect(evaluate({ ...addresses(count), email: { alias: true, consumer: true } }).verdict).toBe(verdict);
  });

  it('have the reason velocity_domain', () => {
    expect(evaluate(addresses(6))).toMatchObject({ score: 30, reasons: ['velocity_domain'] });
  });

  it('weigh half as much again with an accusation, 90 at most', () => {
    const hosting = { ip: { datacenter: true } };
    expect(weightOf({ ...addresses(3), ...hosting })).toBe(15);
    expect(weightOf({ ...addresses(8), ...hosting })).toBe(57);
    expect(weightOf({ ...addresses(129), ...hosting })).toBeLessThanOrEqual(90);
    expect(evaluate({ ...addresses(6), ...hosting }).verdict).toBe('block');
  });

  it('weigh nothing against the owner of a mailbox of which 40 spellings were blocked', () => {
    expect(evaluate(addresses(41, { mailboxVoices90d: 2 }))).toMatchObject({ score: 0, findings: [] });
  });

  it('are one fact with those of a day: the heavier counts, the other adds five at most', () => {
    const both = evaluate(addresses(4, { mailbox24h: 4, mailboxVoices24h: 4 }));
    expect(both.findings.map(({ detector, weight }) => [detector, weight])).toEqual([
      ['mailbox_farm', 33.3],
      ['mailbox_months', 5],
    ]);
    const long = evaluate(addresses(12, { mailbox24h: 3, mailboxVoices24h: 3 }));
    expect(long.findings.map(({ detector, weight }) => [detector, weight])).toEqual([
      ['mailbox_months', 48],
      ['mailbox_farm', 5],
    ]);
  });

  it('add five at most to a wave of the same mailbox, which is the same fact', () => {
    const campaign = aMatch({ scope: 'mailbox', scopeText: '', mark: 'any' });
    expect(weightOf({ ...addresses(12), campaign })).toBe(5);
    expect(evaluate({ ...addresses(12), campaign }).verdict).toBe('challenge');
  });

  it('say nothing of people whom somebody brings', () => {
    expect(weightOf(addresses(9, { broughtBy: 'member' }))).toBe(0);
  });

  it('are said in words, with the days that were looked back', () => {
    expect(wordsFor(addresses(7, { mailbox24h: 3 }))).toContain(
      '7 addresses of one mailbox within 90 days (3 today)',
    );
    expect(wordsFor(addresses(7, { mailboxDays: 30 }))).toEqual([
      '7 addresses of one mailbox within 30 days',
    ]);
    expect(wordsFor(addresses(9, { mailboxVoices90d: 5 }))).toEqual([
      '9 addresses of one mailbox within 90 days, 5 of which count: blocked ones count once',
    ]);
    expect(wordsFor(addresses(129))).toEqual(['more than 128 addresses of one mailbox within 90 days']);
  });

  it('are stored with the assessment, so that it is explained and judged again as it was', () => {
    const evidence = ordinaryEvidence(addresses(7, { mailboxVoices90d: 5 }));
    const { findings, reasons } = judge(evidence, POLICY);
    const challenge = undefined;
    const facts = { policy: 'default-2', thresholds: DEFAULT_THRESHOLDS, findings, evidence, challenge };
    const text = writeFacts({ ...facts, ipStatus: 'ok', local: '' }, reasons);
    const { ip, email } = evidence;
    const head = {
      reasons,
      emailDomain: email.domain,
      ip: ip?.address ?? null,
      countryCode: ip?.countryCode ?? '',
      asn: ip?.asn ?? 0,
    };
    expect(readFacts(text, head).evidence.velocity).toEqual(evidence.velocity);
  });
});
