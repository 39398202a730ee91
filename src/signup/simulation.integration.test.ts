import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyEvidence } from '../../test/support/any-evidence.ts';
import { recorded } from '../../test/support/recorded.ts';
import type { AssessmentRow } from '../contract/dashboard-assessments.ts';
import type { Evidence } from '../model/evidence.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../model/policy.ts';
import { overlay } from './account-policy.ts';
import { judge } from './judge.ts';
import { scoreUnder } from './limits.ts';
import { DEFAULT_POLICY, RULES } from './policy.ts';
import { evidenceOf } from './rebuild-answer.ts';
import { type Draft, type DraftEffect, type ReplaySample, replay, simulate } from './simulation.ts';

const thresholds = fc
  .tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }))
  .map(([a, b]): Thresholds => ({ challenge: Math.min(a, b), block: Math.max(a, b) }));

const weights = fc
  .dictionary(fc.constantFrom(...RULES.map(({ detector }) => detector)), fc.integer({ min: 0, max: 100 }))
  .map((changes) => overlay(DEFAULT_POLICY.weights, changes));

interface Case {
  readonly evidence: Evidence;
  readonly mode: 'live' | 'test';
  readonly keyId: string;
  readonly feedback: ReplaySample['feedback'];
}

const cases = fc.array(
  fc.record<Case>({
    evidence: anyEvidence,
    mode: fc.constantFrom('live' as const, 'live' as const, 'test' as const),
    keyId: fc.constantFrom('plain', 'plain', 'own', 'revoked', 'observed'),
    feedback: fc.constantFrom(
      null,
      null,
      'false_positive' as const,
      'false_negative' as const,
      'confirmed_fraud' as const,
    ),
  }),
  { maxLength: 80 },
);

function store({ evidence, mode, keyId, feedback }: Case, at: number): ReplaySample {
  const { score, verdict } = judge(evidence, { ...DEFAULT_POLICY, thresholds: DEFAULT_THRESHOLDS });
  const row = () => ({ request_id: `req_${at}`, verdict, score }) as AssessmentRow;
  return { mode, keyId, mailboxHash: '', score, verdict, feedback, stored: recorded(evidence), row };
}

describe('judging stored evidence again', () => {
  it('gives the stored score under the default policy', () => {
    fc.assert(
      fc.property(anyEvidence, (evidence) => {
        const sample = store({ evidence, mode: 'live', keyId: 'plain', feedback: null }, 0);
        const { weights } = DEFAULT_POLICY;
        const { currentScore, newScore } = replay(sample, { current: weights, draft: { ...weights } });
        expect(scoreUnder(currentScore, DEFAULT_THRESHOLDS)).toBe(sample.score);
        expect(newScore).toEqual(currentScore);
      }),
    );
  });

  it('finds every stored fact again', () => {
    fc.assert(
      fc.property(anyEvidence, (evidence) => {
        const { stored } = store({ evidence, mode: 'live', keyId: 'plain', feedback: null }, 0);
        expect(evidenceOf(stored)).toEqual(evidence);
      }),
    );
  });
});

/** Each has 40 signups on average. */
const LOGS = { numRuns: 40 };
const IN_FORCE = { plain: { challenge: 28, block: 58 }, own: { challenge: 20, block: 40 } };

/** The effect of a draft for the account; `own` has thresholds of its own. */
function accountDraft(moved: Thresholds, reweighed: boolean, baseline: Draft['baseline']): Draft {
  const own: DraftEffect = reweighed
    ? { kind: 'weights', current: IN_FORCE.own }
    : { kind: 'none', why: 'own_thresholds' };
  const effects: Record<string, DraftEffect> = {
    plain: { kind: 'thresholds', current: IN_FORCE.plain },
    own,
    revoked: { kind: 'none', why: 'revoked' },
    observed: { kind: 'none', why: 'observed' },
  };
  return { thresholds: moved, baseline, effectOn: ({ keyId }) => effects[keyId] as DraftEffect };
}

describe('a simulation', () => {
  const VERDICTS = ['allow', 'challenge', 'block'] as const;

  it('of unchanged settings finds no change', () => {
    fc.assert(
      fc.property(cases, weights, fc.boolean(), (stored, current, reweighed) => {
        const results = stored.map(store).map((sample) => replay(sample, { current, draft: current }));
        const simulation = simulate(results, accountDraft(IN_FORCE.plain, reweighed, 'current'), false);
        expect(simulation.after).toEqual(simulation.before);
        expect(simulation.scores_after).toEqual(simulation.scores_before);
        expect(simulation).toMatchObject({
          moves: [],
          kept_moves: [],
          samples: [],
          effect: { helped: 0, harmed: 0, stopped: 0, let_in: 0 },
        });
      }),
      LOGS,
    );
  });

  it('counts the same as a count by hand, signup by signup', () => {
    const baselines = fc.constantFrom('current' as const, 'answered' as const);
    fc.assert(
      fc.property(
        cases,
        weights,
        weights,
        thresholds,
        baselines,
        (stored, current, draft, moved, baseline) => {
          const samples = stored.map(store);
          const results = samples.map((sample) => replay(sample, { current, draft }));
          const simulation = simulate(results, accountDraft(moved, true, baseline), false);
          const byHand = stored.flatMap(({ evidence, mode, keyId, feedback }, at) => {
            if (keyId === 'revoked' || keyId === 'observed') return [];
            const sample = samples[at] as ReplaySample;
            const fixed = mode === 'test' || evidence.list !== null;
            const inForce = keyId === 'own' ? IN_FORCE.own : IN_FORCE.plain;
            const tried = keyId === 'own' ? IN_FORCE.own : moved;
            const now = judge(evidence, { version: '', weights: current, thresholds: inForce });
            const then = judge(evidence, { version: '', weights: draft, thresholds: tried });
            const from = fixed || baseline === 'answered' ? sample : now;
            return [{ id: `req_${at}`, feedback, from, to: fixed ? sample : then }];
          });
          const count = (keep: (result: (typeof byHand)[number]) => boolean) => byHand.filter(keep).length;
          expect(simulation.judged).toBe(byHand.length);
          expect(simulation.left_out).toEqual({
            own_thresholds: 0,
            observed: stored.filter(({ keyId }) => keyId === 'observed').length,
            revoked: stored.filter(({ keyId }) => keyId === 'revoked').length,
          });
          for (const verdict of VERDICTS) {
            expect(simulation.before[verdict]).toBe(count(({ from }) => from.verdict === verdict));
            expect(simulation.after[verdict]).toBe(count(({ to }) => to.verdict === verdict));
            for (const next of VERDICTS.filter((other) => other !== verdict)) {
              const move = simulation.moves.find((move) => move.from === verdict && move.to === next);
              const moving = count(({ from, to }) => from.verdict === verdict && to.verdict === next);
              expect(move?.count ?? 0).toBe(moving);
            }
          }
          const scores = Array.from({ length: 101 }, (_, score) => score);
          expect(simulation.scores_before).toEqual(
            scores.map((score) => count(({ from }) => from.score === score)),
          );
          expect(simulation.scores_after).toEqual(
            scores.map((score) => count(({ to }) => to.score === score)),
          );
          const good = byHand.filter(({ feedback }) => feedback === 'false_positive');
          const fraud = byHand.filter(
            ({ feedback }) => feedback === 'false_negative' || feedback === 'confirmed_fraud',
          );
          const isStricter = ({ from, to }: (typeof byHand)[number]) =>
            VERDICTS.indexOf(to.verdict) > VERDICTS.indexOf(from.verdict);
          const isMilder = ({ from, to }: (typeof byHand)[number]) =>
            VERDICTS.indexOf(to.verdict) < VERDICTS.indexOf(from.verdict);
          expect(simulation.labelled).toEqual({ good: good.length, fraud: fraud.length });
          expect(simulation.effect).toEqual({
            helped: good.filter(isMilder).length,
            harmed: good.filter(isStricter).length,
            stopped: fraud.filter(isStricter).length,
            let_in: fraud.filter(isMilder).length,
          });
          const changed = byHand.filter(({ from, to }) => from.verdict !== to.verdict);
          expect(simulation.samples.length).toBe(Math.min(50, changed.length));
          for (const shown of simulation.samples) {
            const change = changed.find(({ id }) => id === shown.request_id);
            expect(shown).toMatchObject({
              old_score: change?.from.score,
              old_verdict: change?.from.verdict,
              new_score: change?.to.score,
              new_verdict: change?.to.verdict,
            });
          }
        },
      ),
      LOGS,
    );
  });

  it('of thresholds leaves out keys with their own thresholds, and sums up the other keys', () => {
    fc.assert(
      fc.property(cases, weights, thresholds, (stored, current, moved) => {
        const samples = stored.map(store);
        const results = samples.map((sample) => replay(sample, { current, draft: current }));
        const draft = accountDraft(moved, false, 'current');
        const whole = simulate(results, draft, false);
        const of = (keyId: string) => results.filter((result) => result.keyId === keyId);
        const plain = simulate(of('plain'), draft, false);
        expect(whole.left_out).toEqual({
          own_thresholds: of('own').length,
          observed: of('observed').length,
          revoked: of('revoked').length,
        });
        expect({ ...whole, left_out: null }).toEqual({ ...plain, left_out: null });
      }),
      LOGS,
    );
  });

  it('shows the most harmful changes first: reported customers stopped harder, then the largest changes', () => {
    const evidence = (name: string, keyId: string, feedback: ReplaySample['feedback'], score: number) => ({
      keyId,
      mailboxHash: '',
      feedback,
      fixed: false,
      currentScore: { all: score, withoutSmall: score, blocking: score },
      newScore: { all: score, withoutSmall: score, blocking: score },
      score,
      verdict: 'allow' as const,
      row: () => ({ request_id: name }) as AssessmentRow,
    });
    const results = [
      evidence('one step', 'plain', null, 25),
      evidence('two steps', 'plain', null, 27),
      evidence('fraud caught', 'plain', 'false_negative', 25),
      evidence('customer stopped', 'plain', 'false_positive', 25),
    ];
    const { samples } = simulate(
      results,
      accountDraft({ challenge: 25, block: 27 }, false, 'current'),
      false,
    );
    expect(samples.map(({ request_id }) => request_id)).toEqual([
      'customer stopped',
      'two steps',
      'one step',
      'fraud caught',
    ]);
  });
});
