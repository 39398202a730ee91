import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyEvidence, type Changes, ordinaryEvidence } from '../../test/support/any-evidence.ts';
import { PROPERTY_RUNS } from '../../test/support/property-runs.ts';
import type { Evidence } from '../model/evidence.ts';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import { describeFindings } from './describe-finding.ts';
import { judge } from './judge.ts';
import { DEFAULT_POLICY } from './policy.ts';
import { tippedBy } from './tipped-by.ts';
import { waterfallOf } from './waterfall.ts';

function explain(evidence: Evidence) {
  const thresholds = DEFAULT_THRESHOLDS;
  const { score, verdict, findings } = judge(evidence, { ...DEFAULT_POLICY, thresholds });
  const described = describeFindings(findings, evidence);
  const waterfall = waterfallOf({ score, verdict, findings: described, evidence, thresholds });
  return { verdict, waterfall, tippers: tippedBy(verdict, waterfall) };
}

const tippers = (changes: Changes) => explain(ordinaryEvidence(changes)).tippers;

it('names what was needed beside the main finding', () => {
  expect(tippers({ ip: { vpn: true }, email: { alias: true } })).toEqual(['plus_alias']);
  expect(tippers({ ip: { vpn: true }, email: { alias: true, consumer: true } })).toEqual(['plus_alias']);
});

it('names nothing where the main finding is enough, or more would have been', () => {
  expect(tippers({ ip: { tor: true }, email: { alias: true } })).toEqual([]);
  expect(tippers({ ip: { vpn: true }, email: { alias: true, role: true } })).toEqual([]);
  expect(tippers({ email: { alias: true, role: true } })).toEqual([]);
});

it('never names a finding below five points, whatever was found', () => {
  fc.assert(
    fc.property(anyEvidence, (evidence) => {
      const { waterfall, tippers: named } = explain(evidence);
      const small = waterfall.filter(({ weight }) => weight < 5).map(({ detector }) => detector);
      expect(named.filter((detector) => small.includes(detector))).toEqual([]);
    }),
    { numRuns: PROPERTY_RUNS },
  );
});
