import { describe, expect, it } from 'vitest';
import { isCrowdedDomain } from '../evidence/list-trial.ts';
import { readListValue } from '../evidence/list-value.ts';
import { BASELINE_FILE } from '../intel/bundled-snapshot.ts';
import { openSnapshot } from '../intel/snapshot.ts';
import { checkConfirmed, type IsCrowdedDomain, isWideEntry } from './list-values.ts';

const intel = await openSnapshot(BASELINE_FILE);
const isCrowded: IsCrowdedDomain = (entry) => isCrowdedDomain(entry, intel);

describe('an entry', () => {
  it.each([
    ['jo@example.com', false],
    ['example.com', false],
    ['co.uk', true],
    ['github.io', true],
    ['gmail.com', true],
    ['.shop', true],
    ['.shop.', true],
    ['203.0.113.7', false],
    ['203.0.0.0/16', false],
    ['202.0.0.0/15', true],
    ['2001:db8::/32', false],
    ['2000::/3', true],
    ['AS64500', true],
    ['FR', true],
    ['example.com + AS64500', false],
    ['example.com + 202.0.0.0/15', false],
    ['gmail.com + 203.0.113.7', false],
    ['gmail.com + AS64500', true],
    ['gmail.com + 202.0.0.0/15', true],
  ])('for %s is wide: %s', (text, wide) => {
    expect(isWideEntry(readListValue(text), isCrowded)).toBe(wide);
  });

  it('that is wide is accepted only with its value a second time', () => {
    const entry = readListValue('as64500');
    for (const wrong of [undefined, '', 'AS6450', '64500'])
      expect(() => checkConfirmed(entry, wrong, isCrowded)).toThrow('is not confirmed');
    expect(() => checkConfirmed(entry, ' as64500 ', isCrowded)).not.toThrow();
    expect(() => checkConfirmed(readListValue('example.com'), undefined, isCrowded)).not.toThrow();
  });
});
