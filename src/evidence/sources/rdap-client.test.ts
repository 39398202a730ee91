import { expect, it } from 'vitest';
import { readRegistration } from './rdap-client.ts';

const NOW = Date.UTC(2026, 4, 10, 12);

function read(...events: unknown[]): string | undefined {
  const at = readRegistration(JSON.stringify({ events }), NOW);
  return at === null ? undefined : new Date(at).toISOString();
}

const registered = (eventDate: unknown) => ({ eventAction: 'registration', eventDate });

it.each([
  ['2026-05-05T23:30:00Z', '2026-05-05T23:30:00.000Z'],
  ['2026-05-05T23:30:00.123+02:00', '2026-05-05T21:30:00.000Z'],
  ['2026-05-05T23:30:00+0200', '2026-05-05T21:30:00.000Z'],
  ['2026-05-09 12:00:00', '2026-05-09T12:00:00.000Z'],
  ['2026-05-01', '2026-05-01T00:00:00.000Z'],
  ['20260501', '2026-05-01T00:00:00.000Z'],
  ['2026-05-11T11:59:59Z', '2026-05-11T11:59:59.000Z'],
])('reads %s', (text, expected) => {
  expect(read(registered(text))).toBe(expected);
});

it.each(['2026-05-12', '1970-01-01T00:00:00Z', '2026-13-45', 'a long time ago', '', 20260501, null])(
  'does not believe %s',
  (date) => {
    expect(read(registered(date))).toBeUndefined();
  },
);

it('uses the first plausible registration among other events', () => {
  const changed = { eventAction: 'last changed', eventDate: '2024-01-01' };
  const shouted = { eventAction: 'Registration', eventDate: '2020-01-01' };
  expect(read(null, changed, registered('never'), shouted)).toBe('2020-01-01T00:00:00.000Z');
  expect(read(changed)).toBeUndefined();
});

it('refuses what is not an RDAP document', () => {
  for (const text of ['', '<html>', '[]', 'null', '1']) expect(() => readRegistration(text, NOW)).toThrow();
});
