import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyEvidence } from '../../../test/support/any-evidence.ts';
import type { LogRow } from '../../contract/dashboard/assessments.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../contract/thresholds.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { overlay } from '../account-policy.ts';
import { serializeGrounds } from '../grounds.ts';
import { judge } from '../judge.ts';
import { DEFAULT_POLICY, RULES } from '../policy.ts';
import { readGrounds } from './read-grounds.ts';
import { rejudge, type Sample, simulate } from './simulation.ts';

const thresholds = fc
  .tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }))
  .map(([a, b]): Thresholds => ({ challenge: Math.min(a, b), block: Math.max(a, b) }));

const weights = fc
  .dictionary(fc.constantFrom(...RULES.map(({ detector }) => detector)), fc.integer({ min: 0, max: 100 }))
  .map((changes) => overlay(DEFAULT_POLICY.weights, changes));

interface Case {
  readonly evidence: Evidence;
  readonly mode: 'live' | 'test';
  readonly feedback: Sample['feedback'];
}

const cases = fc.array(
  fc.record<Case>({
    evidence: anyEvidence,
    mode: fc.constantFrom('live' as const, 'live' as const, 'test' as const),
    feedback: fc.constantFrom(null, null, 'false_positive' as const, 'false_negative' as const),
  }),
  { maxLength: 80 },
);

function store({ evidence, mode, feedback }: Case, at: number): Sample {
  const { findings, score, verdict } = judge(evidence, { ...DEFAULT_POLICY, thresholds: DEFAULT_THRESHOLDS });
  const policy = DEFAULT_POLICY.version;
  const grounds = serializeGrounds({ policy, thresholds: DEFAULT_THRESHOLDS, findings, evidence });
  const row = () => ({ request_id: `req_${at}`, verdict, score }) as LogRow;
  return { mode, score, verdict, feedback, grounds, row };
}

describe('judging stored evidence again', () => {
  it('by the default policy gives the stored score', () => {
    fc.assert(
      fc.property(anyEvidence, (evidence) => {
        const sample = store({ evidence, mode: 'live', feedback: null }, 0);
        expect(rejudge(sample, DEFAULT_POLICY.weights).newScore).toBe(sample.score);
      }),
    );
  });

  it('finds every fact again that was stored', () => {
    fc.assert(
      fc.property(anyEvidence, (evidence) => {
        const { grounds } = store({ evidence, mode: 'live', feedback: null }, 0);
        expect(readGrounds(grounds).evidence).toEqual(evidence);
      }),
    );
  });

  it('reads a record of before most facts were kept', () => {
    const grounds =
      '{"policy":"default-1","findings":[],"evidence":{"snapshot":"a","email":{"disposable":true}}}';
    expect(readGrounds(grounds)).toMatchObject({
      thresholds: null,
      evidence: { ip: null, list: null, email: { disposable: true, disposableHost: { name: '' } } },
    });
    const sample = { mode: 'live' as const, score: 85, verdict: 'block' as const, feedback: null, grounds };
    const row = () => ({}) as LogRow;
    const old = rejudge({ ...sample, row }, overlay(DEFAULT_POLICY.weights, { disposable_domain: 10 }));
    expect(old.newScore).toBe(10);
  });

  it('counts as one does by hand', () => {
    fc.assert(
      fc.property(cases, weights, thresholds, (given, tried, moved) => {
        const samples = given.map(store);
        const simulation = simulate(
          samples.map((sample) => rejudge(sample, tried)),
          moved,
          false,
        );
        const byHand = given.map((one, at) => {
          const sample = samples[at] as Sample;
          const again = judge(one.evidence, { version: '', weights: tried, thresholds: moved });
          const stays = one.mode === 'test' || one.evidence.list !== null;
          const { score, verdict } = stays ? sample : again;
          return { feedback: one.feedback, from: sample, score, verdict, id: `req_${at}` };
        });
        const moving = byHand.filter(({ from, verdict }) => from.verdict !== verdict);
        for (const verdict of ['allow', 'challenge', 'block'] as const) {
          expect(simulation.before[verdict]).toBe(samples.filter((one) => one.verdict === verdict).length);
          expect(simulation.after[verdict]).toBe(byHand.filter((one) => one.verdict === verdict).length);
          for (const to of ['allow', 'challenge', 'block'] as const) {
            const counted = moving.filter((one) => one.from.verdict === verdict && one.verdict === to).length;
            const told = simulation.moves.find((move) => move.from === verdict && move.to === to);
            expect(told?.count ?? 0).toBe(counted);
          }
        }
        for (let score = 0; score <= 100; score += 1) {
          expect(simulation.stored[score]).toBe(samples.filter((one) => one.score === score).length);
          expect(simulation.simulated[score]).toBe(byHand.filter((one) => one.score === score).length);
        }
        const labelled = (kind: string) => byHand.filter(({ feedback }) => feedback === kind);
        const sum = (kind: 'false_positives' | 'false_negatives') =>
          simulation.labels.reduce((total, label) => total + label[kind], 0);
        expect(sum('false_positives')).toBe(labelled('false_positive').length);
        expect(sum('false_negatives')).toBe(labelled('false_negative').length);
        expect(simulation.mended).toBe(
          moving.filter((one) => one.feedback === 'false_positive' && one.verdict === 'allow').length,
        );
        expect(simulation.caught).toBe(
          moving.filter((one) => one.feedback === 'false_negative' && one.from.verdict === 'allow').length,
        );
        const free = byHand.filter(
          (_, at) => given[at]?.mode === 'live' && given[at]?.evidence.list === null,
        );
        for (const verdict of ['allow', 'challenge', 'block'] as const) {
          const { all, false_positives, false_negatives } = simulation.movable[verdict];
          const ofVerdict = free.filter((one) => one.from.verdict === verdict);
          const at = (score: number, kind?: string) =>
            ofVerdict.filter((one) => one.score === score && (kind === undefined || one.feedback === kind));
          for (let score = 0; score <= 100; score += 1) {
            expect(all[score]).toBe(at(score).length);
            expect(false_positives[score]).toBe(at(score, 'false_positive').length);
            expect(false_negatives[score]).toBe(at(score, 'false_negative').length);
          }
        }
        expect(simulation.samples.length).toBe(Math.min(50, moving.length));
        const changes = simulation.samples.map((one) => Math.abs(one.new_score - one.score));
        expect(changes).toEqual([...changes].sort((a, b) => b - a));
        for (const shown of simulation.samples) {
          const one = moving.find(({ id }) => id === shown.request_id);
          expect(shown).toMatchObject({ new_score: one?.score, new_verdict: one?.verdict });
        }
      }),
    );
  });
});
