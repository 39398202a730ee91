import { describe, expect, it } from 'vitest';
import { parseTime } from './signup-time.ts';

describe('a time', () => {
  const MARCH = Date.UTC(2026, 2, 1, 9, 30);
  it.each([
    '2026-03-01T09:30:00Z',
    '2026-03-01T09:30',
    '2026-03-01 09:30:00.000',
    '2026-03-01 09:30:00 UTC',
    '2026-03-01T11:30:00+02:00',
    '2026-03-01 11:30:00+0200',
    '2026-03-01 11:30:00+02',
    String(MARCH),
    String(MARCH / 1000),
    `${MARCH / 1000}.000`,
  ])('%s', (text) => {
    expect(parseTime(text)).toBe(MARCH);
  });

  it('may be a day, which begins at 00:00 UTC', () => {
    expect(parseTime('2026-03-01')).toBe(Date.UTC(2026, 2, 1));
  });

  it.each(['', 'yesterday', '01/03/2026', '2026-02-30', '2026-03-01T25:00Z', '12', '-1767225600', '2026'])(
    'is not “%s”',
    (text) => {
      expect(parseTime(text)).toBeUndefined();
    },
  );
});
