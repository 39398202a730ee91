import { expect, it } from 'vitest';
import type { AssessmentDetail } from '../../../src/contract/dashboard-assessments.ts';
import { why } from './assessment-why.ts';

type Changes = Partial<Omit<AssessmentDetail, 'row'>> & { readonly row?: Partial<AssessmentDetail['row']> };

const STEP = { detector: 'vpn', detail: '203.0.113.7 is a VPN endpoint', contribution: 28 };

function say({ row, ...rest }: Changes): string {
  const main_finding = { detector: 'vpn', points: 28, title: 'VPN' };
  const detail = {
    row: { verdict: 'challenge', score: 32, shadow: false, main_finding, ...row },
    thresholds: { challenge: 30, block: 60 },
    waterfall: [STEP, { ...STEP, detector: 'plus_alias' }],
    tipped_by: [],
    list: null,
    snapshot: 'a1',
    ...rest,
  };
  return why(detail as unknown as AssessmentDetail);
}

it('says at how many points, what decided, and what tipped it', () => {
  expect(say({})).toBe('Challenged at 32 points (challenges start at 30). Main finding: VPN.');
  expect(say({ tipped_by: ['plus_alias'] })).toBe(
    'Challenged at 32 points (challenges start at 30). Main finding: VPN. “+” tag tipped it.',
  );
  expect(say({ tipped_by: ['plus_alias', 'role_account'] })).toMatch(
    /“\+” tag and Role account tipped it\.$/,
  );
  expect(say({ row: { verdict: 'block', score: 75 } })).toBe(
    'Blocked at 75 points (blocking starts at 60). Main finding: VPN.',
  );
  expect(say({ row: { shadow: true } })).toMatch(/^Would have been challenged at 32 points/);
});

it('says of an allowed signup how far it was from a challenge', () => {
  const row = { verdict: 'allow', score: 28 } as const;
  expect(say({ row, waterfall: [STEP] as never })).toBe(
    'Allowed. Score 28 is below 30, where challenges start. Only finding: 203.0.113.7 is a VPN endpoint.',
  );
  expect(say({ row, waterfall: [] })).toBe('Allowed. No finding counts against this signup.');
});
