import { describe, expect, it } from 'vitest';
import { parseInstant } from './timestamp.ts';

describe('parseInstant', () => {
  it.each([
    ['2028-02-29T12:00:00Z', Date.UTC(2028, 1, 29, 12)],
    ['2027-01-31T12:00Z', Date.UTC(2027, 0, 31, 12)],
    ['2027-01-31T23:30:00.250-01:00', Date.UTC(2027, 1, 1, 0, 30, 0, 250)],
  ])('reads %s', (text, at) => {
    expect(parseInstant(text)).toBe(at);
  });

  it.each([
    '2027-02-29T12:00:00Z',
    '2027-02-30T12:00:00Z',
    '2027-04-31T23:30:00-01:00',
    '2027-13-01T12:00:00Z',
    '2027-01-31T25:00:00Z',
    '2027-01-31T12:00:00',
    '2027-01-31',
    '',
  ])('does not accept %j as an instant', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});
