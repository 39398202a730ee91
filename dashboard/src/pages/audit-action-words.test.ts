import { describe, expect, it } from 'vitest';
import { actionWords } from './audit-action-words.ts';

describe('the words of an action', () => {
  it.each([
    ['sign_in', 'Signed in'],
    ['sign_in_failed', 'Failed to sign in'],
    ['sign_out', 'Signed out'],
    ['operator_made', 'Became an operator'],
    ['two_factor_disabled', 'Turned off 2FA'],
    ['list.remove', 'Removed from list'],
    ['sessions_ended', 'Ended sessions of'],
    ['intelligence.host_never_flagged', 'Stopped flagging a host'],
    ['intelligence.host_judged_again', 'Allowed flagging a host'],
    ['signups.export', 'Exported signups'],
  ])('of %s say what was done', (action, words) => {
    expect(actionWords(action)).toBe(words);
  });

  it('are its name where nobody gave it others', () => {
    expect(actionWords('moon.landed_on')).toBe('Moon landed on');
  });
});
