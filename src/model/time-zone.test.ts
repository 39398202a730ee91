import { describe, expect, it } from 'vitest';
import { createWallClock, parseTimeZone } from './time-zone.ts';

const at = (text: string) => Date.parse(text);

describe('a time zone', () => {
  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    [' europe/berlin ', 'Europe/Berlin'],
    ['utc', 'UTC'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['Asia/Kathmandu', 'Asia/Kathmandu'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
  ])('%s is a name', (text, name) => {
    expect(parseTimeZone(text)).toBe(name);
  });

  it.each([
    '',
    'Berlin',
    '+02:00',
    'Europe/Nowhere',
    'Europe/Berlin; DROP',
    'x'.repeat(100),
    '../etc/passwd',
  ])('%j is none', (text) => {
    expect(parseTimeZone(text)).toBeUndefined();
  });
});

describe('a wall clock', () => {
  it.each([
    ['Europe/Berlin', '2026-11-29T12:00:00.123Z', '2026-11-29T13:00:00.123Z'],
    ['Europe/Berlin', '2026-07-01T22:30:00Z', '2026-07-02T00:30:00Z'],
    ['Asia/Kolkata', '2026-11-29T18:29:59Z', '2026-11-29T23:59:59Z'],
    ['Asia/Kathmandu', '2026-11-29T18:15:00Z', '2026-11-30T00:00:00Z'],
    ['America/Los_Angeles', '2026-11-19T07:59:59Z', '2026-11-18T23:59:59Z'],
  ])('of %s shows %s as %s, and back', (zone, instant, wall) => {
    const clock = createWallClock(zone);
    expect(clock.wallOf(at(instant))).toBe(at(wall));
    expect(clock.instantOf(at(wall))).toBe(at(instant));
  });

  it('takes the first of two instants, and the end of a gap', () => {
    const berlin = createWallClock('Europe/Berlin');
    expect(berlin.instantOf(at('2026-10-25T02:30:00Z'))).toBe(at('2026-10-25T00:30:00Z'));
    expect(berlin.wallOf(berlin.instantOf(at('2026-03-29T02:00:00Z')))).toBe(at('2026-03-29T03:00:00Z'));
    // A day that has no midnight begins at one o'clock.
    const beirut = createWallClock('Asia/Beirut');
    expect(beirut.wallOf(beirut.instantOf(at('2026-03-29T00:00:00Z')))).toBe(at('2026-03-29T01:00:00Z'));
  });
});
