import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFilterValues, parseFilterValues } from './filter-values.ts';

describe('the values of a filter', () => {
  it.each([
    ['DE', { any: ['DE'], not: [] }],
    ['DE,FR', { any: ['DE', 'FR'], not: [] }],
    ['!DE,!FR', { any: [], not: ['DE', 'FR'] }],
    ['203.0.0.0/16,!203.0.113.0/24', { any: ['203.0.0.0/16'], not: ['203.0.113.0/24'] }],
    ['none,!DE', { any: [null], not: ['DE'] }],
    ['!none', { any: [], not: [null] }],
    ['\\none,a\\,b,\\!c', { any: ['none', 'a,b', '!c'], not: [] }],
    [',,', { any: [], not: [] }],
    ['!', { any: [], not: [] }],
  ])('are read from %s', (text, values) => {
    expect(parseFilterValues(text)).toEqual(values);
  });

  it('are the same after they were written and read, whatever they are', () => {
    const value = fc.oneof(
      fc.constant(null),
      fc.constantFrom('none', '!', ',', '\\', '!none', 'a\\,b', ' '),
      fc.string({ minLength: 1 }),
    );
    const values = fc.record({ any: fc.array(value), not: fc.array(value) });
    fc.assert(
      fc.property(values, (each) => {
        expect(parseFilterValues(formatFilterValues(each))).toEqual(each);
      }),
    );
  });
});
