import { describe, expect, it } from 'vitest';
import type { ReasonCode } from '../contract/reasons.ts';
import { reportsOf } from './dashboard-feedback.ts';

const of = (code: ReasonCode, stopped: number, wrong: number, confirmed = 0, letIn = 0) => ({
  code,
  stopped,
  labels: { false_positive: wrong, false_negative: letIn, confirmed_fraud: confirmed },
});

describe('the reports on a reason', () => {
  it('are sorted by harm: number of wrong ones, then their share, then how many were stopped', () => {
    const sorted = reportsOf([
      of('email_relay', 10, 0),
      of('email_alias', 228, 4),
      of('email_disposable', 1_255, 0),
      of('ip_hosting', 1_967, 116),
      of('email_role_account', 35, 4),
    ]);
    expect(sorted.map(({ code }) => code)).toEqual([
      'ip_hosting',
      'email_role_account',
      'email_alias',
      'email_disposable',
      'email_relay',
    ]);
    expect(sorted[0]).toEqual({
      code: 'ip_hosting',
      stopped: 1_967,
      reported_wrong: 116,
      confirmed: 0,
      precision: null,
      precision_interval: null,
    });
  });

  it.each([
    [116, 0, 0, null],
    [19, 1, 0, 0.05],
    [18, 1, 0, null],
    [0, 20, 0, 1],
    // A fraud that passed although it was challenged is a reported mistake, not a confirmation.
    [10, 0, 30, null],
  ])('%i wrong, %i confirmed, %i let in: precision %s', (wrong, confirmed, letIn, precision) => {
    const [reports] = reportsOf([of('ip_hosting', 1_967, wrong, confirmed, letIn)]);
    expect(reports?.precision).toBe(precision);
    const { low = 0, high = 1 } = reports?.precision_interval ?? {};
    if (precision === null) expect(reports?.precision_interval).toBeNull();
    else expect(low <= precision && precision <= high && high - low > 0.1).toBe(true);
  });
});
