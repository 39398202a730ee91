import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROPERTY_RUNS } from '../../test/support/property-runs.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import type { DescribedFinding } from '../model/finding.ts';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import { scoreOf, verdictOf } from './judge.ts';
import { RULES } from './policy.ts';
import { waterfallOf } from './waterfall.ts';

const evidence = { email: { hits: [] }, ip: null } as never;

function explain(findings: readonly DescribedFinding<ReasonCode>[], score = scoreOf(findings)) {
  const verdict = verdictOf(score, DEFAULT_THRESHOLDS);
  return waterfallOf({ score, verdict, findings, evidence, thresholds: DEFAULT_THRESHOLDS });
}

const finding = (detector: string, weight: number): DescribedFinding<ReasonCode> => ({
  detector,
  code: 'email_disposable',
  weight,
  detail: `${detector} was found`,
});

const hundredths = (points: number) => Math.round(points * 100);

const anyFindings = fc.array(
  fc.tuple(fc.constantFrom(...RULES), fc.integer({ min: 1, max: 1000 })).map(
    ([{ detector, code }, tenths]): DescribedFinding<ReasonCode> => ({
      detector,
      code,
      weight: tenths / 10,
      detail: detector,
    }),
  ),
  { maxLength: 20 },
);

describe('the waterfall', () => {
  it('adds up to the score exactly, whatever was found', () => {
    fc.assert(
      fc.property(anyFindings, (findings) => {
        const steps = explain(findings);
        const sum = steps.reduce((total, { contribution }) => total + hundredths(contribution), 0);
        expect(sum).toBe(scoreOf(findings) * 100);
        for (const { contribution } of steps) expect(contribution).toBe(hundredths(contribution) / 100);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('has one step for each finding, the largest first, and no negative step', () => {
    fc.assert(
      fc.property(anyFindings, (findings) => {
        const widths = explain(findings).map(({ contribution }) => contribution);
        expect(widths).toHaveLength(findings.length);
        expect(widths).toEqual([...widths].sort((a, b) => b - a));
        expect(Math.min(0, ...widths)).toBe(0);
      }),
    );
  });

  it('differs from the exact share of each finding by no more than the rounding of the score', () => {
    fc.assert(
      fc.property(anyFindings, (findings) => {
        let innocence = 1;
        for (const [at, { weight, contribution }] of explain(findings).entries()) {
          const exact = innocence * weight;
          innocence *= 1 - weight / 100;
          expect(Math.abs(contribution - exact), `step ${at}`).toBeLessThanOrEqual(0.51);
        }
      }),
    );
  });

  it('gives score and verdict without each single finding', () => {
    expect(
      explain([finding('a', 50), finding('b', 20)]).map(({ contribution, without }) => ({
        contribution,
        without,
      })),
    ).toEqual([
      { contribution: 50, without: { score: 20, verdict: 'allow' } },
      { contribution: 10, without: { score: 50, verdict: 'challenge' } },
    ]);
  });

  it('shows the sources of a finding beside it', () => {
    const hits = [
      { fact: 'disposable', source: 'mailchecker', entry: 'mailinator.com', version: '6.0.1' },
      { fact: 'relay', source: 'relays', entry: 'relay.example' },
    ];
    const steps = waterfallOf({
      score: 85,
      verdict: 'block',
      findings: [finding('disposable_domain', 85)],
      evidence: { email: { hits }, ip: null } as never,
      thresholds: DEFAULT_THRESHOLDS,
    });
    expect(steps[0]?.hits).toEqual([hits[0]]);
  });

  it('has a step for a sandbox score without findings', () => {
    expect(explain([], 5)).toMatchObject([{ detector: 'sandbox', code: null, contribution: 5 }]);
    expect(explain([])).toEqual([]);
  });
});
