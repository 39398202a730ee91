/** The yardstick of waves: its month is the same for the same seed, waves and crowds have the shapes that they say, and a short month is judged. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CROWDS } from '../bench/wave-parts/all-crowds.mjs';
import { WAVES } from '../bench/wave-parts/all-waves.mjs';
import { judgeCost, judgeResult } from '../bench/wave-parts/floors.mjs';
import { type Decision, mirrorMonth } from '../bench/wave-parts/mirror-month.mjs';
import { DAYS, FROM, generateMonth, type MonthRow, toCsv } from '../bench/wave-parts/month.mjs';
import { shareOfWaves } from '../bench/wave-parts/share-of-waves.mjs';
import { sumUp } from '../bench/wave-parts/sum-up.mjs';
import { parseIp } from '../src/address/ip.ts';
import { BASELINE_FILE } from '../src/intel/bundled-snapshot.ts';
import { openSnapshot } from '../src/intel/snapshot.ts';
import { ROOT } from './support/command.ts';

const SIZE = 2_500;
const HOUR_MS = 3_600_000;
/** Crowds that shrink with the month. */
const LARGE = 500;
const SEEDS = [1, 7];
const months = SEEDS.map((seed) => generateMonth({ seed, size: SIZE }));
const [month] = months as [(typeof months)[0]];

const rowsOf = (rows: readonly MonthRow[], kind: string, name: string) =>
  rows.filter((row) => row.kind === kind && row.name === name);
const local = ({ email }: MonthRow) => email.slice(0, email.lastIndexOf('@'));
const domain = ({ email }: MonthRow) => email.slice(email.lastIndexOf('@') + 1);
const distinct = (values: readonly string[]) => new Set(values).size;
const lengths = (rows: readonly MonthRow[]) => new Set(rows.map((row) => local(row).length));
const spanHours = (rows: readonly MonthRow[]) =>
  ((rows.at(-1) as MonthRow).at - (rows[0] as MonthRow).at) / HOUR_MS;

describe('a month', () => {
  it('is the same, byte for byte, for the same seed, and another one for another', () => {
    const [one, other] = months.map(({ rows }) => toCsv(rows));
    expect(toCsv(generateMonth({ seed: SEEDS[0] as number, size: SIZE }).rows)).toBe(one);
    expect(other).not.toBe(one);
    const domainsOf = (csv = '') => new Set([...csv.matchAll(/@([^,]+),.*,wave\//g)].map(([, name]) => name));
    const own = [...domainsOf(one)].filter((name = '') => month.zone.has(name));
    expect(own.length).toBeGreaterThan(40);
    expect(own.filter((name) => domainsOf(other).has(name)).length).toBeLessThan(own.length / 4);
  });

  it.each(SEEDS)('of seed %i is in order of time, within its days, of different people', (seed) => {
    const { rows } = months[SEEDS.indexOf(seed)] as (typeof months)[0];
    expect(rows.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).toSorted((a, b) => a - b));
    expect((rows[0] as MonthRow).at).toBeGreaterThanOrEqual(FROM);
    expect((rows.at(-1) as MonthRow).at).toBeLessThan(FROM + DAYS * 24 * HOUR_MS);
    const people = rows.filter(({ kind }) => kind === 'everyday');
    expect(people).toHaveLength(SIZE);
    expect(distinct(people.map(({ email }) => email))).toBeGreaterThan(0.97 * SIZE);
    expect(
      rows.filter(({ email, ip }) => !/^[a-z0-9._+-]+@[a-z0-9.-]+\.[a-z]+$/.test(email) || ip === ''),
    ).toEqual([]);
  });

  it('has the providers of the world, firms that are seen once, and more people by day than by night', () => {
    const people = month.rows.filter(({ kind }) => kind === 'everyday');
    const share = (name: string) => people.filter((row) => domain(row) === name).length / people.length;
    expect(share('gmail.com')).toBeGreaterThan(0.3);
    expect(share('gmail.com')).toBeLessThan(0.55);
    for (const name of [
      'hotmail.com',
      'yahoo.com',
      'icloud.com',
      'outlook.com',
      'qq.com',
      'mail.ru',
      'gmx.de',
      'web.de',
    ])
      expect(share(name), name).toBeGreaterThan(0.002);
    const firms = people.filter(({ name }) => name === 'company');
    expect(distinct(firms.map(domain))).toBeGreaterThan(0.7 * firms.length);
    const germans = people.filter((row) => ['gmx.de', 'web.de', 't-online.de'].includes(domain(row)));
    const atNight = germans.filter(({ at }) => new Date(at + 2 * HOUR_MS).getUTCHours() < 6);
    expect(atNight.length).toBeLessThan(0.15 * germans.length);
  });

  it('has homes and servers in the networks of such', async () => {
    const intel = await openSnapshot(BASELINE_FILE);
    const isHosting = ({ ip }: MonthRow) => {
      const address = parseIp(ip);
      if (address === undefined) throw new Error(`${ip} is no address`);
      return intel.network(address).listed.datacenter;
    };
    const share = (rows: readonly MonthRow[]) => rows.filter(isHosting).length / rows.length;
    expect(share(rowsOf(month.rows, 'wave', 'random sub-domains'))).toBe(1);
    expect(share(rowsOf(month.rows, 'wave', 'kit at five domains'))).toBe(0);
    expect(share(month.rows.filter(({ kind }) => kind === 'everyday'))).toBeLessThan(0.04);
    expect(share(month.rows.filter(({ kind }) => kind === 'crowd'))).toBeLessThan(0.04);
  });
});

describe('waves and crowds', () => {
  it('are at least fourteen each, with a shape and a public source', () => {
    const sources = JSON.parse(readFileSync(join(ROOT, 'bench/wave-parts/sources.json'), 'utf8'));
    for (const parts of [WAVES, CROWDS]) {
      expect(parts.length).toBeGreaterThanOrEqual(14);
      for (const { name, shape, source } of parts) {
        expect(shape.length, name).toBeGreaterThan(20);
        expect(sources[source], name).toMatchObject({
          title: expect.any(String),
          url: expect.stringMatching(/^https?:/),
        });
      }
    }
  });

  it.each([
    ...WAVES.map((part) => ({ ...part, kind: 'wave' })),
    ...CROWDS.map((part) => ({ ...part, kind: 'crowd' })),
  ])('$name has its size and its hours', ({ kind, name, size, hours }) => {
    for (const { rows } of months) {
      const own = rowsOf(rows, kind, name);
      if (size === null || (kind === 'crowd' && size > LARGE)) expect(own.length).toBeGreaterThanOrEqual(40);
      else expect(own).toHaveLength(size);
      expect(spanHours(own)).toBeLessThan(Math.max(hours * 1.15, hours + 1));
    }
  });

  it.each([
    { name: 'random sub-domains', domains: 5, isBelow: true },
    { name: 'four bought domains', domains: 4 },
    { name: 'kit at one catch-all domain', domains: 1, local: /^[a-z0-9]{9,11}$/, lengths: 1 },
    { name: 'kit at five domains', domains: 5, local: /^[a-z0-9]{9,11}$/, lengths: 1 },
    { name: 'kit at outlook.com', domains: 1, local: /^[a-z]+[a-z0-9]{12,16}$/ },
    { name: 'one mask at hotmail.com', domains: 1, local: /^[a-z]{8,10}\d{3,5}$/, lengths: 1 },
    { name: 'numbered names at gmail.com', domains: 1, local: /^[a-z]+\d+$/, stems: 3 },
    { name: 'numbered names at an own domain', domains: 1, local: /^[a-z]+\d+$/, stems: 1 },
    { name: 'letters and digits at three domains', domains: 3, local: /^[a-z]{4,8}\d{3,6}$/, lengths: 1 },
    { name: 'two random words', domains: 1, local: /^[a-z]{6,18}\d{0,2}$/ },
    { name: 'one inbox, many tags', domains: 1, local: /^[a-z]+\+/ },
    { name: 'a sub-domain each of one domain', domains: 1, isBelow: true },
    { name: 'bought in a row behind Cloudflare', domains: 24 },
    { name: 'company staff', domains: 1, local: /^[a-z][a-z.-]*\d*$/ },
    { name: 'freshmen with student numbers', domains: 1, local: /^[a-z]?\d{7}$/ },
    { name: 'net ids at a college', domains: 1, local: /^[a-z]{3}\d{2,5}$/ },
    { name: 'pupils by year and name', domains: 1, local: /^\d\d[a-z]+\d*$/ },
    { name: 'staff ids of a bank', domains: 1, local: /^[a-z]\d{5,7}$/ },
    { name: 'staff ids of a bank (nothing known)', domains: 1, local: /^[a-z]\d{5,7}$/ },
    { name: 'initials and digits of a firm', domains: 1, local: /^[a-z]{3}\d{2,3}$/ },
    { name: 'numbers at qq.com', domains: 1, local: /^\d{7,10}$/ },
  ])('$name has its domains and its names', ({ name, domains, isBelow = false, ...wanted }) => {
    for (const { rows } of months) {
      const own = rows.filter((row) => row.name === name);
      const registrable = own.map((row) =>
        isBelow ? domain(row).split('.').slice(-2).join('.') : domain(row),
      );
      expect(distinct(registrable)).toBe(domains);
      if (wanted.local !== undefined)
        expect(own.map(local).filter((text) => !wanted.local?.test(text))).toEqual([]);
      if (wanted.lengths !== undefined) expect(lengths(own).size).toBe(wanted.lengths);
      if (wanted.stems !== undefined)
        expect(distinct(own.map((row) => local(row).replace(/\d+$/, '')))).toBeLessThanOrEqual(wanted.stems);
    }
  });

  it.each([
    ['one IPv6 /48', /^(?:[^:]+:){3}/],
    ['one IPv6 /56', /^(?:[^:]+:){3}/],
    ['one IPv4 /24', /^(?:\d+\.){3}/],
    ['four an hour from one address', /^.*$/],
    ['conference Wi-Fi', /^(?:\d+\.){3}/],
  ])('%s comes from one place', (name, prefix) => {
    for (const { rows } of months) {
      const own = rows.filter((row) => row.name === name);
      expect(distinct(own.map(({ ip }) => prefix.exec(ip)?.[0] ?? ''))).toBe(1);
    }
  });

  it('whom an account knows by the people before them has had some for weeks, whoever else has not', () => {
    const before = months.map(({ rows }) =>
      rowsOf(rows, 'crowd', 'people of such domains in the weeks before'),
    );
    for (const [at, { rows }] of months.entries()) {
      const known = new Map<string, MonthRow[]>();
      for (const row of before[at] ?? []) known.set(domain(row), [...(known.get(domain(row)) ?? []), row]);
      for (const { name, mayBeChallenged = false } of CROWDS) {
        const [first] = rowsOf(rows, 'crowd', name) as [MonthRow];
        const earlier = known.get(domain(first));
        if (name.startsWith('people of such domains')) continue;
        if (mayBeChallenged) expect(earlier).toBeUndefined();
        if (earlier === undefined) continue;
        expect(earlier.length).toBeGreaterThanOrEqual(20);
        expect((earlier.at(-1) as MonthRow).at).toBeLessThan(first.at);
        expect(first.at - (earlier[0] as MonthRow).at).toBeGreaterThan(14 * 24 * HOUR_MS);
      }
      expect(known.size).toBeGreaterThanOrEqual(2);
    }
  });

  it('“one inbox, many dots” is one mailbox, and each stranger with nine spellings signs up after them', () => {
    for (const { rows } of months) {
      const dotted = rowsOf(rows, 'wave', 'one inbox, many dots').map((row) =>
        local(row).replaceAll('.', ''),
      );
      expect(distinct(dotted)).toBe(1);
      for (const victim of rowsOf(rows, 'crowd', 'people whose addresses a stranger used')) {
        const spellings = rowsOf(rows, 'wave', 'nine spellings').filter((row) =>
          row.email.startsWith(`${local(victim)}+`),
        );
        expect(spellings.length).toBeGreaterThanOrEqual(9);
        expect(spellings.some(({ at }) => at < victim.at)).toBe(true);
      }
    }
  });
});

describe('the results', () => {
  it('say where a wave is stopped first, who of it is from then on, and whom of the people it touches', () => {
    const row = (kind: MonthRow['kind'], name: string, at: number): MonthRow => ({
      kind,
      name,
      at,
      email: 'a@b.com',
      ip: '1.2.3.4',
    });
    const decided = (verdict: Decision['verdict']): Decision => ({ verdict, score: 0, detectors: '' });
    const wave = Array.from({ length: 24 }, (_, at) => row('wave', 'four bought domains', at));
    const rows = [
      ...wave,
      row('crowd', 'company staff', 30),
      row('everyday', 'company', 31),
      row('everyday', 'disposable', 32),
    ];
    const verdicts = [
      ...wave.map((_, at) => decided(at === 6 || at > 18 ? 'challenge' : 'allow')),
      ...['block', 'challenge', 'block'].map((verdict) => decided(verdict as Decision['verdict'])),
    ];
    const result = sumUp(rows, verdicts, [decided('allow'), decided('block')]);
    expect(result.waves).toMatchObject([
      { signups: 24, first: 7, knownFrom: 15, stopped: 0.5, floor: 'wave' },
    ]);
    expect(result.crowds).toMatchObject([{ people: 1, challenged: 0, blocked: 1 }]);
    expect(result.everyday).toMatchObject({ people: 1, challenged: 1, blocked: 0, newly: 1 });
    expect(judgeResult(result).map(({ verdict }) => verdict)).toEqual(['missed', 'met', 'missed', 'missed']);
    const crowd = (challenged: number) => {
      return { name: 'staff', people: 100, challenged, blocked: 0, mayBeChallenged: false };
    };
    expect(
      judgeResult({ ...result, crowds: [crowd(3), { ...crowd(9), blocked: 1, mayBeChallenged: true }] })
        .map(({ verdict }) => verdict)
        .slice(2, 4),
    ).toEqual(['missed', 'missed']);
    const better = {
      waves: result.waves.map((each) => ({ ...each, stopped: 0.97, first: 5 })),
      crowds: [crowd(2), { ...crowd(90), mayBeChallenged: true }],
      everyday: { ...result.everyday, people: 20_000, newly: 1 },
    };
    expect(judgeResult(better).map(({ verdict }) => verdict)).toEqual(['aim', 'aim', 'met', 'met', 'met']);
  });
});

it('take the cost of waves from the samples in their room, or in what it called', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-profile-'));
  const node = (id: number, url: string, children: number[] = [], functionName = '') => ({
    id,
    callFrame: { functionName, url },
    children,
  });
  const nodes = [
    node(1, '', [2, 3, 4, 5]),
    node(2, 'file:///x/dist/http/server.js', [6]),
    node(3, 'file:///x/dist/waves/learner.js', [7]),
    node(4, 'file:///x/dist/waves/wave-replay.js', [8], 'find'),
    node(5, '', [], '(idle)'),
    node(6, 'file:///x/dist/store/writer.js'),
    node(7, 'file:///x/dist/address/name-shape.js'),
    node(8, 'file:///x/dist/waves/learner.js'),
  ];
  const samples = [2, 6, 6, 6, 6, 3, 7, 7, 4, 8, 5, 5];
  writeFileSync(join(folder, 'a.cpuprofile'), JSON.stringify({ nodes, samples }));
  expect(shareOfWaves(folder)).toBe(0.3);
  rmSync(folder, { recursive: true });
  const verdicts = (onPath: number, behind: number) =>
    judgeCost({ waves: { onPath, behind } }, 10).map(({ verdict }) => verdict);
  expect(verdicts(3, 100)).toEqual(['aim', 'aim']);
  expect(verdicts(10, 201)).toEqual(['missed', 'met']);
});

/**
 * Waves that do not reach the floor without DNS, and what is stopped of them all the same. Every fourth of a list bombing is a person
 * of a company, whom nothing tells from customers. The spellings need not be stopped.
 */
const BELOW_FLOOR: Readonly<Record<string, number>> = {
  'list bombing': 0.55,
  'bought in a row behind Cloudflare': 0.5,
  'nine spellings': 0,
};

it.each(SEEDS)(
  'the short month of seed %i is judged: nobody of a crowd is blocked, and waves are stopped',
  async (seed) => {
    const { rows } = months[SEEDS.indexOf(seed)] as (typeof months)[0];
    const { decisions, cost } = await mirrorMonth(rows);
    const result = sumUp(
      rows,
      decisions,
      decisions.filter((_, at) => rows[at]?.kind === 'everyday'),
    );
    expect(cost.cpuMicroseconds).toBeGreaterThan(0);
    expect(result.crowds.filter(({ blocked }) => blocked > 0)).toEqual([]);
    const missed = result.waves.filter(({ name, stopped }) => stopped < (BELOW_FLOOR[name] ?? 0.9));
    expect(missed).toEqual([]);
    const bombing = result.waves.find(({ name }) => name === 'list bombing');
    expect(bombing?.first).toBeLessThanOrEqual(8);
  },
);
