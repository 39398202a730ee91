import { describe, expect, it } from 'vitest';
import type { MailHostReport } from './dashboard-installation.ts';
import { describeForgotten, describeSeen, whyNoChange } from './mail-host-words.ts';

const report = (parts: Partial<MailHostReport>): MailHostReport => ({
  host: 'mx.example.net',
  remembered_as: '*.example.net',
  summary: '',
  state: 'flagged',
  listed: 5,
  ordinary: 0,
  accounts: 2,
  flagged_for: 0,
  listed_domains: [],
  ordinary_domains: [],
  first_seen: null,
  last_seen: null,
  hosts: [],
  addresses: [],
  decision: null,
  ...parts,
});
const decision = (never_flag: boolean) => ({ never_flag, forgotten: 0, by: 'jo', at: '' });

describe('a decision about a mail host', () => {
  it.each([
    ['forget', {}, undefined],
    ['never_flag', {}, undefined],
    ['flag_again', {}, 'Nothing to undo'],
    ['flag_again', { decision: decision(false) }, 'Nothing to undo'],
    ['flag_again', { decision: decision(true) }, undefined],
    ['forget', { state: 'shared' }, 'shared by many providers: never flagged anyway'],
    ['never_flag', { state: 'shared' }, 'shared by many providers: never flagged anyway'],
    ['never_flag', { state: 'relay' }, 'never flagged anyway'],
  ] as const)('to %s with %j', (change, parts, words) => {
    const why = whyNoChange(report(parts), change);
    if (words === undefined) expect(why).toBeUndefined();
    else expect(why).toContain(words);
  });

  it('is described with what was observed', () => {
    expect(describeSeen(report({}))).toBe('5 listed, 0 ordinary, 2 accounts');
    expect(describeSeen(report({ accounts: 1 }))).toBe('5 listed, 0 ordinary, 1 account');
    expect([0, 1, 2].map(describeForgotten)).toEqual(['', 'forgotten once', 'forgotten 2 times']);
  });
});
