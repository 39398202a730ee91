import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Rejudged, simulate } from '../../../../../src/assess/explain/simulation.ts';
import type { LogRow } from '../../../../../src/contract/dashboard/assessments.ts';
import { recount } from './recount.ts';

const anyThresholds = fc
  .tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }))
  .map(([a, b]) => ({ challenge: Math.min(a, b), block: Math.max(a, b) }));

const anyRejudged = fc.record<Rejudged>({
  score: fc.integer({ min: 0, max: 100 }),
  newScore: fc.integer({ min: 0, max: 100 }),
  verdict: fc.constantFrom('allow', 'challenge', 'block'),
  feedback: fc.constantFrom(null, 'false_positive', 'false_negative'),
  fixed: fc.boolean(),
  row: fc.constant(() => ({}) as LogRow),
});

describe('counting other thresholds in the browser', () => {
  it('gives what the service gives when it is asked with them', () => {
    fc.assert(
      fc.property(
        fc.array(anyRejudged, { maxLength: 120 }),
        anyThresholds,
        anyThresholds,
        (judged, first, moved) => {
          const asked = simulate(judged, moved, false);
          const counted = recount(simulate(judged, first, false), moved);
          expect(counted.after).toEqual(asked.after);
          expect([counted.mended, counted.caught]).toEqual([asked.mended, asked.caught]);
          expect(counted.moved).toBe(asked.moves.reduce((sum, { count }) => sum + count, 0));
          expect(new Set(counted.moves)).toEqual(new Set(asked.moves));
        },
      ),
    );
  });
});
