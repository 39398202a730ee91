import { expect, it } from 'vitest';
import { createCatchAllZones } from './catch-all-zones.ts';

const VALID = { value: { status: 'valid' as const, hosts: ['mx.example.com'] }, ttlMs: 0 };
const NONE = { value: { status: 'no_domain' as const, hosts: [] }, ttlMs: 300_000 };
const MINUTE_MS = 60_000;

function fill(
  zones: ReturnType<typeof createCatchAllZones>,
  suffix: string,
  count = 20,
): (string | undefined)[] {
  return Array.from({ length: count }, (_, at) => zones.noteValid(`n${at}.${suffix}`, 0));
}

it('has a made-up name asked for at the twentieth, and uses its answer for a minute at least', () => {
  const zones = createCatchAllZones(() => 'made-up');
  const asked = fill(zones, 'example.com');
  expect(asked).toEqual([...Array(19).fill(undefined), 'made-up.example.com']);
  expect(zones.answerFor('other.example.com', 0)).toBeUndefined();
  zones.noteMadeUp('made-up.example.com', VALID, 0);
  expect(zones.answerFor('other.example.com', MINUTE_MS - 1)).toBe(VALID.value);
  expect(zones.answerFor('other.example.com', MINUTE_MS)).toBeUndefined();
  expect(zones.noteValid('other.example.com', MINUTE_MS)).toBe('made-up.example.com');
});

it('says nothing of the domain itself, of names of another depth, nor of other tenants of a suffix', () => {
  const zones = createCatchAllZones(() => 'made-up');
  expect(fill(zones, 'a.example.com').at(-1)).toBe('made-up.made-up.example.com');
  zones.noteMadeUp('made-up.made-up.example.com', VALID, 0);
  expect(zones.answerFor('x.y.example.com', 0)).toBe(VALID.value);
  for (const name of ['example.com', 'x.example.com', 'x.y.z.example.com', 'x.y.example.net'])
    expect(zones.answerFor(name, 0), name).toBeUndefined();
  // Below github.io everybody has a name.
  expect(fill(zones, 'github.io')).toEqual(Array(20).fill(undefined));
});

it('asks again after ten minutes where made-up names take no mail, and counts the same name once', () => {
  const zones = createCatchAllZones(() => 'made-up');
  for (let at = 0; at < 50; at += 1) expect(zones.noteValid('one.example.com', 0)).toBeUndefined();
  expect(fill(zones, 'example.com').filter((name) => name !== undefined)).toHaveLength(1);
  zones.noteMadeUp('made-up.example.com', NONE, 0);
  expect(zones.answerFor('other.example.com', 0)).toBeUndefined();
  expect(zones.noteValid('other.example.com', 9 * MINUTE_MS)).toBeUndefined();
  expect(zones.noteValid('other.example.com', 10 * MINUTE_MS)).toBe('made-up.example.com');
});
