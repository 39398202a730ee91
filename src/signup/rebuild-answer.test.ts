import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ordinaryEvidence } from '../../test/support/any-evidence.ts';
import { anyRecorded } from '../../test/support/any-recorded.ts';
import { rounds } from '../../test/support/long-version.ts';
import { factsOf, recorded } from '../../test/support/recorded.ts';
import { EMPTY_EMAIL, EMPTY_IP, EMPTY_VELOCITY, type Evidence } from '../model/evidence.ts';
import { isBrought } from '../model/velocity-facts.ts';
import { writeBody } from './answer-body.ts';
import { describeFindings } from './describe-finding.ts';
import { answerBodyOf, decisionRecordOf, evidenceOf, type RecordedAssessment } from './rebuild-answer.ts';

interface Fixture {
  readonly name: string;
  readonly stored: RecordedAssessment;
  readonly body: string;
  readonly decision: { readonly evidence: Evidence };
}

/** Stored by the first version that wrote facts. Samples are added, never changed. */
const FIXTURES = JSON.parse(
  readFileSync(new URL('../../test/fixtures/facts-1.json', import.meta.url), 'utf8'),
) as Fixture[];

/** Evidence without what was added later. */
type Stored = Omit<Evidence, 'campaign' | 'office'> & Partial<Pick<Evidence, 'campaign' | 'office'>>;

/** Facts that were added later are empty. */
function filled({ email, ip, velocity, office = null, campaign = null, ...others }: Stored): Evidence {
  return {
    ...others,
    office,
    campaign,
    email: { ...EMPTY_EMAIL, ...email },
    ip: ip && { ...EMPTY_IP, ...ip },
    velocity: { ...EMPTY_VELOCITY, ...velocity },
  };
}

describe('a record rebuilt from its facts', () => {
  it('gives what was judged', () => {
    fc.assert(
      fc.property(anyRecorded, ({ evidence, options }) => {
        const stored = recorded(evidence, options);
        const { policy, thresholds, findings } = factsOf(evidence, options);
        const judged = { policy, thresholds, findings: describeFindings(findings, evidence), evidence };
        expect(decisionRecordOf(stored)).toEqual(judged);
        expect(evidenceOf(stored)).toEqual(evidence);
        expect(isBrought(stored)).toBe(evidence.velocity.broughtBy !== '');
      }),
      { numRuns: rounds(150, 20_000) },
    );
  });

  it('gives the same answer, byte for byte', () => {
    fc.assert(
      fc.property(anyRecorded, ({ evidence, options }) => {
        const stored = recorded(evidence, options);
        expect(answerBodyOf(stored)).toBe(writeBody(stored, factsOf(evidence, options)));
      }),
      { numRuns: rounds(150, 20_000) },
    );
  });

  it.each(FIXTURES)('of version 1 is unchanged since it was stored: $name', ({ stored, body, decision }) => {
    expect(answerBodyOf(stored)).toBe(body);
    const { findings, ...rest } = decisionRecordOf(stored);
    const weighed = findings.map(({ detector, code, weight }) => ({ detector, code, weight }));
    expect({ ...rest, findings: weighed }).toEqual({ ...decision, evidence: filled(decision.evidence) });
  });

  it('names a detector that this version does not know', () => {
    const stored = recorded(ordinaryEvidence({ ip: { tor: true } }));
    const other = { ...stored, facts: stored.facts.replace('"tor_exit"', '"onion_exit"') };
    expect(decisionRecordOf(other).findings).toEqual([
      { detector: 'onion_exit', code: 'ip_anonymizer', weight: 48, detail: 'onion exit' },
    ]);
  });

  it('is refused if a newer version stored it', () => {
    const stored = recorded(ordinaryEvidence());
    expect(() => answerBodyOf({ ...stored, facts: stored.facts.replace('[1,', '[2,') })).toThrow(
      'newer version',
    );
  });
});
