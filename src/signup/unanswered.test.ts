import { expect, it } from 'vitest';
import { ordinaryEvidence } from '../../test/support/any-evidence.ts';
import { recorded } from '../../test/support/recorded.ts';
import { judge } from './judge.ts';
import { missingSignalsOf } from './missing-signals.ts';
import { DEFAULT_POLICY } from './policy.ts';
import { decisionRecordOf } from './rebuild-answer.ts';

const policy = { ...DEFAULT_POLICY, thresholds: { challenge: 30, block: 60 } };
const evidenceWith = (unanswered: boolean) =>
  ordinaryEvidence({ email: { mx: { status: 'unknown', hosts: [], ...(unanswered && { unanswered }) } } });

it('weighs a little if only this domain gets no answer, and nothing if DNS did not work', () => {
  const judgement = judge(evidenceWith(true), policy);
  expect(judgement).toMatchObject({
    score: 10,
    verdict: 'allow',
    reasons: ['email_deliverability'],
    findings: [{ detector: 'mx_unanswered' }],
  });
  expect(judge(evidenceWith(false), policy)).toMatchObject({ score: 0, findings: [] });
});

it('adds to other findings: with a hosting network it challenges', () => {
  const { email, ...rest } = evidenceWith(true);
  const { ip } = ordinaryEvidence({ ip: { datacenter: true } });
  expect(judge({ ...rest, email, ip }, policy)).toMatchObject({ verdict: 'challenge' });
});

it.each([true, false])('is stored with the assessment and explained: %s', (unanswered) => {
  const evidence = evidenceWith(unanswered);
  const stored = decisionRecordOf(recorded(evidence));
  expect(stored.evidence.email.mx).toEqual(evidence.email.mx);
  const [sentence] = missingSignalsOf({
    evidence: stored.evidence,
    ipStatus: 'ok',
    at: 0,
    staleFrom: () => undefined,
  });
  expect(sentence).toContain(
    unanswered ? 'so this added a few points' : 'This did not count against the signup',
  );
});
