import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyEvidence, ordinaryEvidence } from '../../test/support/any-evidence.ts';
import { factsOf, recorded, recordedBefore } from '../../test/support/recorded.ts';
import type { Evidence } from '../model/evidence.ts';
import type { ListMatch } from '../model/list-entry.ts';
import type { Thresholds } from '../model/policy.ts';
import { IP_STATUSES } from '../model/signup-attempt.ts';
import { overlay } from './account-policy.ts';
import { writeBody } from './answer-body.ts';
import { counterfactualsOf } from './explain/counterfactuals.ts';
import { missingSignalsOf } from './explain/missing-signals.ts';
import { waterfallOf } from './explain/waterfall.ts';
import { judge } from './judge.ts';
import { DEFAULT_POLICY, RULES } from './policy.ts';
import { answerBodyOf, decisionRecordOf, evidenceOf, type RecordedAssessment } from './rebuild.ts';

const thresholds = fc
  .tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }))
  .map(([a, b]): Thresholds => ({ challenge: Math.min(a, b), block: Math.max(a, b) }));
const weights = fc
  .dictionary(fc.constantFrom(...RULES.map(({ detector }) => detector)), fc.integer({ min: 0, max: 1_000 }))
  .map((changes) =>
    overlay(
      DEFAULT_POLICY.weights,
      Object.fromEntries(Object.entries(changes).map(([name, tenths]) => [name, tenths / 10])),
    ),
  );
const text = fc.string({ unit: 'binary' });
const list = fc.option(
  fc.record<ListMatch>({
    id: fc.constant('lst_1'),
    action: fc.constantFrom('allow', 'deny'),
    kind: fc.constantFrom('address', 'domain', 'country'),
    value: text,
    reason: fc.option(text),
  }),
);
const evidence = fc
  .tuple(anyEvidence, list)
  .map(([found, entry]): Evidence => ({ ...found, list: entry ?? found.list }));
const cases = fc.record({
  evidence,
  thresholds,
  weights,
  policy: fc.constantFrom('default-1', 'custom-7'),
  shadow: fc.boolean(),
  sessionId: fc.option(text),
  local: text,
  ipStatus: fc.constantFrom(...IP_STATUSES),
  offered: fc.boolean(),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

function optionsOf({ evidence, thresholds, weights, shadow, local, offered, ...rest }: Case) {
  const judgement = judge(evidence, { version: '', weights, thresholds });
  return {
    ...{ ...rest, thresholds, judgement, shadow },
    local: shadow || evidence.email.providerMeant === '' ? '' : local,
    challenge: offered ? { token: 'a token', expires_at: '2026-05-10T10:44:33Z' } : undefined,
  };
}

/** All that the dashboard shows of it. */
function explain(stored: RecordedAssessment) {
  const { evidence, policy, findings, thresholds: kept } = decisionRecordOf(stored);
  const judged = { score: stored.score, verdict: stored.verdict, findings, evidence };
  const shown = { ...judged, thresholds: kept ?? { challenge: 1, block: 2 } };
  const waterfall = waterfallOf(shown);
  return {
    ...{ evidence, policy, findings, waterfall, thresholds: kept },
    flips: counterfactualsOf({ ...shown, waterfall, weights: DEFAULT_POLICY.weights }),
    unknown: missingSignalsOf({ evidence, ipStatus: 'ok', at: stored.at, staleFrom: () => stored.at }),
  };
}

describe('what is made again from the facts', () => {
  it('is the same explanation as from the texts of older versions', () => {
    fc.assert(
      fc.property(cases, (sample) => {
        const options = optionsOf(sample);
        const stored = recorded(sample.evidence, options);
        expect(explain(stored)).toEqual(explain(recordedBefore(sample.evidence, options)));
        expect(evidenceOf(stored)).toEqual(sample.evidence);
      }),
      { numRuns: 500 },
    );
  });

  it('is the same answer, byte for byte', () => {
    fc.assert(
      fc.property(cases, (sample) => {
        const options = optionsOf(sample);
        const stored = recorded(sample.evidence, options);
        expect(answerBodyOf(stored)).toBe(writeBody(stored, factsOf(sample.evidence, options)));
      }),
      { numRuns: 500 },
    );
  });

  it('names a detector that this version lacks', () => {
    const stored = recorded(ordinaryEvidence({ ip: { tor: true } }));
    const other = { ...stored, facts: stored.facts.replace('"tor_exit"', '"onion_exit"') };
    expect(decisionRecordOf(other).findings).toEqual([
      { detector: 'onion_exit', code: 'ip_anonymizer', weight: 48, detail: 'onion exit' },
    ]);
  });

  it('is refused where a newer version stored it', () => {
    const stored = recorded(ordinaryEvidence());
    expect(() => answerBodyOf({ ...stored, facts: stored.facts.replace('[1,', '[2,') })).toThrow(
      'newer version',
    );
  });
});
