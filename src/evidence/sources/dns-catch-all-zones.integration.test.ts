import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createCatchAllZones, makeLabelLike } from './dns-catch-all-zones.ts';

const HOSTS = ['mx.example.com'];
const VALID = { value: { status: 'valid' as const, hosts: HOSTS }, ttlMs: 0 };
const NONE = { value: { status: 'no_domain' as const, hosts: [] }, ttlMs: 300_000 };
const MINUTE_MS = 60_000;

function fill(
  zones: ReturnType<typeof createCatchAllZones>,
  suffix: string,
  count = 20,
): (string | undefined)[] {
  return Array.from({ length: count }, (_, at) => zones.noteValid(`n${at}.${suffix}`, HOSTS, 0));
}

it('asks for a made-up name at the twentieth name, and uses its answer for at least a minute', () => {
  const zones = createCatchAllZones(() => 'made-up');
  const names = fill(zones, 'example.com');
  expect(names).toEqual([...Array(19).fill(undefined), 'made-up.example.com']);
  expect(zones.answerFor('other.example.com', 0)).toBeUndefined();
  zones.noteMadeUp('made-up.example.com', VALID, 0);
  expect(zones.answerFor('other.example.com', MINUTE_MS - 1)).toBe(VALID.value);
  expect(zones.answerFor('other.example.com', MINUTE_MS)).toBeUndefined();
  expect(zones.noteValid('other.example.com', HOSTS, MINUTE_MS)).toBe('made-up.example.com');
});

it('does not answer for the domain itself, names of another depth, or other tenants of a suffix', () => {
  const zones = createCatchAllZones(() => 'made-up');
  expect(fill(zones, 'a.example.com').at(-1)).toBe('made-up.made-up.example.com');
  zones.noteMadeUp('made-up.made-up.example.com', VALID, 0);
  expect(zones.answerFor('x.y.example.com', 0)).toBe(VALID.value);
  for (const name of ['example.com', 'x.example.com', 'x.y.z.example.com', 'x.y.example.net'])
    expect(zones.answerFor(name, 0), name).toBeUndefined();
  // Anybody can have a name below github.io.
  expect(fill(zones, 'github.io')).toEqual(Array(20).fill(undefined));
});

it('asks again after ten minutes if made-up names take no mail, and counts the same name once', () => {
  const zones = createCatchAllZones(() => 'made-up');
  for (let at = 0; at < 50; at += 1) expect(zones.noteValid('one.example.com', HOSTS, 0)).toBeUndefined();
  expect(fill(zones, 'example.com').filter((name) => name !== undefined)).toHaveLength(1);
  zones.noteMadeUp('made-up.example.com', NONE, 0);
  expect(zones.answerFor('other.example.com', 0)).toBeUndefined();
  expect(zones.noteValid('other.example.com', HOSTS, 9 * MINUTE_MS)).toBeUndefined();
  expect(zones.noteValid('other.example.com', HOSTS, 10 * MINUTE_MS)).toBe('made-up.example.com');
});

it('shares no answer whose hosts differ from those of earlier names', () => {
  const zones = createCatchAllZones(() => 'made-up');
  fill(zones, 'example.com');
  const elsewhere = { value: { status: 'valid' as const, hosts: ['mx.large-provider.com'] }, ttlMs: 0 };
  zones.noteMadeUp('made-up.example.com', elsewhere, 0);
  expect(zones.answerFor('other.example.com', 0)).toBeUndefined();
});

it('still asks for one name in twenty, and shares nothing for a day if that name has other hosts', () => {
  const zones = createCatchAllZones(() => 'made-up');
  fill(zones, 'example.com');
  zones.noteMadeUp('made-up.example.com', VALID, 0);
  const answers = Array.from({ length: 40 }, (_, at) => zones.answerFor(`m${at}.example.com`, 0));
  expect(answers.filter((answer) => answer === undefined)).toHaveLength(2);
  zones.noteValid('m19.example.com', ['mx.burner-host.com'], 0);
  expect(zones.answerFor('other.example.com', 0)).toBeUndefined();
  expect(fill(zones, 'example.com', 50)).toEqual(Array(50).fill(undefined));
  expect(zones.noteValid('late.example.com', HOSTS, 25 * 60 * MINUTE_MS)).toBeUndefined();
});

it('makes up labels in the form of the earlier ones', () => {
  expect(makeLabelLike('user-1207')).toMatch(/^[a-z]{4}-\d{4}$/);
  expect(makeLabelLike('a')).toMatch(/^[a-z]{8}$/);
  expect(makeLabelLike('xn--bcher-kva')).toMatch(/^[a-z]{26}$/);
  expect(new Set(Array.from({ length: 50 }, () => makeLabelLike('user-1207'))).size).toBeGreaterThan(40);
});

it('takes at most 4 MB, however long the names are', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const zones = createCatchAllZones(() => 'made-up');
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  const long = 'x'.repeat(60);
  for (let zone = 0; zone < 4_000; zone += 1)
    for (let at = 0; at < 20; at += 1)
      zones.noteValid(`n${at}.${long}.${long}.${long}.owner-${zone}.com`, ['mx.example.com'], 0);
  const growthBytes = used() - before;
  expect(zones.noteValid('n20.x.x.x.owner-3999.com', ['mx.example.com'], 0)).toBeUndefined();
  expect(growthBytes).toBeLessThan(4_000_000);
});
