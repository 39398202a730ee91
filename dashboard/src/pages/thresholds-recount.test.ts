import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';
import { type DraftEffect, type ReplayResult, simulate } from '../../../src/signup/simulation.ts';
import { recount } from './thresholds-recount.ts';

const anyThresholds = fc
  .tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }))
  .map(([a, b]) => ({ challenge: Math.min(a, b), block: Math.max(a, b) }));

/** Context weighs a point at most; what may block is a part. */
const anyScore = fc
  .tuple(fc.integer({ min: 0, max: 100 }), fc.boolean(), fc.integer({ min: 0, max: 100 }))
  .map(([all, hasSmall, blocking]) => ({
    all,
    withoutSmall: hasSmall ? Math.max(0, all - 1) : all,
    blocking: Math.min(all, blocking),
  }));

const anyResult = fc.record<ReplayResult>({
  keyId: fc.constantFrom('plain', 'plain', 'own', 'revoked', 'observed'),
  mailboxHash: fc.constant(''),
  score: fc.integer({ min: 0, max: 100 }),
  currentScore: anyScore,
  newScore: anyScore,
  verdict: fc.constantFrom('allow', 'challenge', 'block'),
  feedback: fc.constantFrom(null, 'false_positive', 'false_negative', 'confirmed_fraud'),
  fixed: fc.boolean(),
  row: fc.constant(() => ({}) as AssessmentRow),
});

const EFFECTS: Readonly<Record<string, DraftEffect>> = {
  plain: { kind: 'thresholds', current: { challenge: 30, block: 60 } },
  own: { kind: 'weights', current: { challenge: 10, block: 70 } },
  revoked: { kind: 'none', why: 'revoked' },
  observed: { kind: 'none', why: 'observed' },
};
const effectOn = ({ keyId }: { readonly keyId: string }) => EFFECTS[keyId] as DraftEffect;

describe('counting other thresholds in the browser', () => {
  it('gives what the service gives when it is asked with them', () => {
    fc.assert(
      fc.property(
        fc.array(anyResult, { maxLength: 120 }),
        anyThresholds,
        anyThresholds,
        fc.constantFrom('current' as const, 'answered' as const),
        (results, first, moved, baseline) => {
          const by = (thresholds: typeof first) =>
            simulate(results, { thresholds, baseline, effectOn }, false);
          const simulated = by(moved);
          const { moves, moved: count, ...counted } = recount(by(first), moved);
          expect(simulated).toMatchObject(counted);
          expect(count).toBe(simulated.moves.reduce((sum, move) => sum + move.count, 0));
          expect(new Set(moves)).toEqual(new Set(simulated.moves));
        },
      ),
    );
  });
});
