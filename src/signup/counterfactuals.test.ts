import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyEvidence, type Changes, ordinaryEvidence } from '../../test/support/any-evidence.ts';
import type { Evidence } from '../model/evidence.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../model/policy.ts';
import { counterfactualsOf } from './counterfactuals.ts';
import { describeFindings } from './describe-finding.ts';
import { judge, verdictOf } from './judge.ts';
import { DEFAULT_POLICY } from './policy.ts';
import { judgeSandbox } from './sandbox.ts';
import { waterfallOf } from './waterfall.ts';

function flips(evidence: Evidence, thresholds: Thresholds = DEFAULT_THRESHOLDS) {
  const { weights } = DEFAULT_POLICY;
  const { findings, score, verdict } = judge(evidence, { ...DEFAULT_POLICY, thresholds });
  const described = describeFindings(findings, evidence);
  const evaluation = { score, verdict, findings: described, evidence, thresholds };
  return {
    score,
    verdict,
    sentences: counterfactualsOf({ ...evaluation, weights, waterfall: waterfallOf(evaluation) }),
  };
}

const of = (changes: Changes, thresholds?: Thresholds) =>
  flips(ordinaryEvidence(changes), thresholds).sentences;

describe('one change that would have changed the verdict', () => {
  it('is a finding less, or another threshold', () => {
    expect(of({ email: { disposable: true } })).toEqual([
      'Without the finding “acme.example is on a list of disposable domains”, this would have been allowed (score 0).',
      'With a block threshold of 86 instead of 60, this would have been challenged.',
    ]);
  });

  it('from a challenge goes in both directions', () => {
    expect(of({ ip: { tor: true } })).toEqual([
      'Without the finding “203.0.113.7 is a Tor exit”, this would have been allowed (score 0).',
      'With a challenge threshold of 49 instead of 30, this would have been allowed.',
      'With a block threshold of 48 instead of 60, this would have been blocked.',
    ]);
  });

  it('from an allowed signup is a stricter threshold, and without findings there is none', () => {
    expect(of({ email: { alias: true } })).toEqual([
      'With a challenge threshold of 6 instead of 30, this would have been challenged.',
    ]);
    expect(of({})).toEqual([]);
  });

  it('is no threshold that a burst or free mail does not reach alone', () => {
    expect(of({ email: { consumer: true } })).toEqual([]);
    expect(of({ velocity: { ip1h: 40, ipMailboxes1h: 40 } })).toEqual([
      'Without the finding “40 people from this IP within an hour”, this would have been allowed (score 0).',
      'With a challenge threshold of 41 instead of 30, this would have been allowed.',
    ]);
  });

  it('is the removed shared office where it explains a burst', () => {
    const office = { id: 'lst_2', kind: 'ip' as const, value: '203.0.113.7', reason: null };
    const velocity = { ip1h: 40, ipMailboxes1h: 40 };
    expect(of({ velocity, office })).toEqual([
      'Without the shared office 203.0.113.7, this would have been challenged (score 40).',
    ]);
    expect(of({ office })).toEqual([]);
  });

  it('is the removed entry if a list and the evidence disagree', () => {
    const list = {
      id: 'lst_1',
      action: 'allow',
      kind: 'domain',
      value: 'acme.example',
      reason: null,
    } as const;
    expect(of({ email: { disposable: true }, list })).toEqual([
      'Without the entry for acme.example on the Allow list, this would have been blocked (score 85).',
    ]);
    expect(of({ list })).toEqual([]);
  });

  it('does not exist in the sandbox', () => {
    const { evidence, judgement } = judgeSandbox({
      email: { local: 'block', domain: 'example.com', address: 'block@example.com' },
      ipStatus: 'missing',
      ip: null,
      sessionId: null,
      broughtBy: null,
    });
    const findings = describeFindings(judgement.findings, evidence);
    const evaluation = { ...judgement, findings, evidence, thresholds: DEFAULT_THRESHOLDS };
    const { weights } = DEFAULT_POLICY;
    expect(counterfactualsOf({ ...evaluation, weights, waterfall: waterfallOf(evaluation) })).toEqual([]);
  });

  it('of a threshold always gives the stated verdict, and stays within the allowed range', () => {
    const thresholds = fc
      .tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }))
      .map(([a, b]) => ({ challenge: Math.min(a, b), block: Math.max(a, b) }));
    fc.assert(
      fc.property(anyEvidence, thresholds, (evidence, current) => {
        const { score, verdict, sentences } = flips(evidence, current);
        for (const sentence of sentences) {
          const [, name = '', to, done] =
            /^With a (\w+) threshold of (\d+) instead of \d+, this would have been (\w+)\.$/.exec(sentence) ??
            [];
          if (name === '') continue;
          const moved = { ...current, [name]: Number(to) };
          expect(moved.challenge).toBeLessThanOrEqual(moved.block);
          expect(moved.block).toBeLessThanOrEqual(100);
          const then = verdictOf(score, moved);
          expect(done).toBe({ allow: 'allowed', challenge: 'challenged', block: 'blocked' }[then]);
          expect(then).not.toBe(verdict);
        }
      }),
    );
  });
});
