import { describe, expect, it } from 'vitest';
import { commonValue, toShared, type ValueCount } from './shared-values.ts';

const of = (counts: Readonly<Record<string, number>>): ValueCount[] =>
  Object.entries(counts).map(([value, count], at) => ({ value: value || null, count, oldestAt: 1_000 + at }));

describe('commonValue', () => {
  it('joins neighbouring ranges to the smallest block with most signups', () => {
    const attack = of({
      '45.12.96.0/24': 110,
      '45.12.97.0/24': 104,
      '45.12.98.0/24': 96,
      '45.12.99.0/24': 110,
    });
    const others = of({ '79.1.2.0/24': 6, '80.1.2.0/24': 6, '2001:db8:1:2::/64': 3 });
    expect(commonValue('range', [...attack, ...others])).toEqual({
      value: '45.12.96.0/22',
      share: 420 / 435,
      oldestAt: 1_000,
    });
  });

  it('names the range alone where the ones beside it add little', () => {
    const counts = of({ '78.46.61.0/24': 900, '78.46.60.0/24': 12, '9.9.9.0/24': 20 });
    expect(commonValue('range', counts)?.value).toBe('78.46.61.0/24');
  });

  it('joins ranges of IPv6', () => {
    const counts = of({ '2001:db8:7:1::/64': 10, '2001:db8:7:2::/64': 10, '2001:db8:7:3::/64': 9 });
    expect(commonValue('range', counts)?.value).toBe('2001:db8:7::/62');
  });

  it('finds nothing where no value has most of them', () => {
    const spread = of(Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`${64_500 + at}`, 1])));
    expect(commonValue('network', spread)).toBeUndefined();
    expect(commonValue('session', of({ '': 90, s_1: 10 }))).toBeUndefined();
    expect(commonValue('session', [])).toBeUndefined();
  });
});

describe('toShared', () => {
  it('keeps what is five times as frequent as before', () => {
    const network = { value: '8412', share: 0.7, oldestAt: 0 };
    expect(toShared('network', network, of({ '8412': 13, '3320': 87 }))).toEqual({
      feature: 'network',
      value: '8412',
      share: 0.7,
      usual: 0.13,
    });
    expect(toShared('network', network, of({ '8412': 15, '3320': 85 }))).toBeUndefined();
    expect(toShared('network', network, [])?.usual).toBe(0);
  });

  it('never keeps what half of all have anyway, such as the domain of a large provider', () => {
    const gmail = { value: 'gmail.com', share: 1, oldestAt: 0 };
    expect(toShared('domain', gmail, of({ 'gmail.com': 40, 'outlook.com': 60 }))).toBeUndefined();
  });

  it('compares a joined block with everything that came from it before', () => {
    const block = { value: '45.12.96.0/22', share: 1, oldestAt: 0 };
    const before = of({ '45.12.97.0/24': 10, '45.12.99.0/24': 11, '9.9.9.0/24': 79 });
    expect(toShared('range', block, before)).toBeUndefined();
    expect(toShared('range', block, of({ '45.12.97.0/24': 10, '9.9.9.0/24': 90 }))?.usual).toBe(0.1);
  });
});
