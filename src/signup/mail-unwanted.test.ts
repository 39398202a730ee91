import { describe, expect, it } from 'vitest';
import { aMatch } from '../../test/support/a-campaign.ts';
import { ordinaryEvidence } from '../../test/support/any-evidence.ts';
import type { ListMatch } from '../model/list-entry.ts';
import { isMailUnwanted } from './mail-unwanted.ts';

const entry = (action: ListMatch['action']): ListMatch => ({
  id: 'lst_1',
  action,
  kind: 'domain',
  value: 'vtext.com',
  reason: null,
});

describe('a mail to an address', () => {
  it('is unwanted at a gateway to text messages, unless the account allows it by its own list', () => {
    const email = { victim: 'gateway' as const };
    expect(isMailUnwanted(ordinaryEvidence({ email }))).toBe(true);
    expect(isMailUnwanted(ordinaryEvidence({ email, list: entry('deny') }))).toBe(true);
    expect(isMailUnwanted(ordinaryEvidence({ email, list: entry('allow') }))).toBe(false);
  });

  it('is unwanted for a member of a list bombing, and for a victim in any other wave', () => {
    const victims = aMatch({ scope: 'account', scopeText: '', mark: 'victims' });
    expect(isMailUnwanted(ordinaryEvidence({ campaign: victims }))).toBe(true);
    expect(isMailUnwanted(ordinaryEvidence({ campaign: victims, list: entry('allow') }))).toBe(false);
    const other = aMatch({ scope: 'range', mark: 'any' });
    for (const victim of ['desk', 'dots'] as const)
      expect(isMailUnwanted(ordinaryEvidence({ email: { victim }, campaign: other }))).toBe(true);
    expect(isMailUnwanted(ordinaryEvidence({ campaign: other }))).toBe(false);
  });

  it.each(['', 'desk', 'dots'] as const)('is nothing to avoid for one signup of the kind %j', (victim) => {
    expect(isMailUnwanted(ordinaryEvidence({ email: { victim } }))).toBe(false);
  });
});
