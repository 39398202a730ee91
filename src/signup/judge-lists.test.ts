import { describe, expect, it } from 'vitest';
import { recorded } from '../../test/support/recorded.ts';
import { REASONS } from '../contract/reasons.ts';
import type { ListMatch } from '../model/list-entry.ts';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import { describeFindings } from './describe-finding.ts';
import { judge } from './judge.ts';
import { DEFAULT_POLICY } from './policy.ts';
import { readSignupAttempt } from './prepare-signup.ts';
import { decisionRecordOf } from './rebuild-answer.ts';
import { judgeSandbox } from './sandbox.ts';

const match = (changes: Partial<ListMatch>): ListMatch => ({
  id: 'lst_1',
  action: 'deny',
  kind: 'domain',
  value: 'shop.example',
  reason: null,
  ...changes,
});
/** The evidence of the sandbox's own block, whose weight alone is 85 or more. */
const evidence = (list: ListMatch | null) => ({
  ...judgeSandbox(readSignupAttempt({ email: 'block@shop.example', ip: '203.0.113.7' })).evidence,
  list,
});
const evaluate = (list: ListMatch | null, challenge = 30, block = 60) =>
  judge(evidence(list), { ...DEFAULT_POLICY, thresholds: { challenge, block } });

describe('an allow entry', () => {
  it('overrides all evidence, even with the strictest thresholds', () => {
    expect(evaluate(null).verdict).toBe('block');
    const allowed = { verdict: 'allow', score: 0, reasons: [], findings: [] };
    expect(evaluate(match({ action: 'allow' }), 1, 1)).toEqual(allowed);
  });
});

describe('a deny entry', () => {
  it.each([
    ['address', 'email_reputation', 'email'],
    ['mailbox', 'email_reputation', 'email'],
    ['domain', 'email_reputation', 'email'],
    ['ip', 'ip_reputation', 'ip'],
    ['cidr', 'ip_reputation', 'ip'],
    ['asn', 'ip_reputation', 'ip'],
    ['country', 'ip_reputation', 'ip'],
  ] as const)('for a %s blocks with %s alone, even with the mildest thresholds', (kind, code, signal) => {
    expect(evaluate(match({ kind, value: 'X', reason: 'charged back' }), 100, 100)).toEqual({
      verdict: 'block',
      score: 100,
      reasons: [code],
      findings: [{ detector: 'deny_list', code, weight: 100 }],
    });
    expect(REASONS[code].signal).toBe(signal);
  });

  it.each([
    [null, 'shop.example is on the account’s Block list'],
    ['charged back', 'shop.example is on the account’s Block list: charged back'],
  ])('with the reason %s says: %s', (reason, words) => {
    const list = match({ reason });
    const [described] = describeFindings(evaluate(list).findings, evidence(list));
    expect(described?.detail).toBe(words);
  });
});

describe('the stored record', () => {
  it.each([[match({})], [match({ reason: 'said "so"' })], [null]])('keeps %j, to be judged again', (list) => {
    const judgement = evaluate(list);
    const findings = describeFindings(judgement.findings, evidence(list));
    const { version: policy } = DEFAULT_POLICY;
    const record = { policy, thresholds: DEFAULT_THRESHOLDS, findings, evidence: evidence(list) };
    expect(decisionRecordOf(recorded(evidence(list), { judgement }))).toEqual(record);
  });
});
