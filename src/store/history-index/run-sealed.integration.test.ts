/** A sealed run contains everything from its table, and any damage is noticed. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rounds } from '../../../test/support/long-version.ts';
import { createBlockCache, DamagedRun, openRunFile } from './run-file.ts';
import { addressOf, hashOf, type RunRecord, UNKNOWN_MS, type WideNumber } from './run-record.ts';
import { sealRun } from './run-seal.ts';
import { openSealedRun } from './run-sealed.ts';
import {
  COLUMN_NAMES,
  type ColumnName,
  DICTIONARIES,
  isShadow,
  modeOf,
  POSTING_KINDS,
  type PostingKind,
  type RollupRow,
  reasonNumbers,
  type Segment,
  verdictOf,
} from './run-segment.ts';
import { createRunTable, type RunTable } from './run-table.ts';

const FIRST = 65_537;
const ACCOUNTS = ['acc_a', 'acc_b', 'acc_c'];
const IPS = ['203.0.113.7', '203.0.114.1', '255.255.255.255', '2001:db8::1', '::1:2:3', '1:2::', null];
const LOWEST: WideNumber = [0, 0];
const HIGHEST: WideNumber = [0xffff_ffff, 0xffff_ffff];

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-run-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const aRecord: fc.Arbitrary<Omit<RunRecord, 'seq'>> = fc
  .record({
    accountId: fc.constantFrom(...ACCOUNTS.slice(0, 2)),
    at: fc.integer({ min: 0, max: 20_000_000 }),
    verdict: fc.constantFrom('allow', 'challenge', 'block'),
    mode: fc.constantFrom('live', 'test'),
    shadow: fc.boolean(),
    score: fc.nat(100),
    keyId: fc.constantFrom('key_a', 'key_b'),
    country: fc.constantFrom('', 'FR', 'DE'),
    domain: fc.string({ maxLength: 20 }),
    reasons: fc.subarray(['one', 'two', 'three', 'four']),
    weights: fc.constant([1, 2.5, 30.25, 99]),
    finding: fc.constantFrom('', 'vpn', 'deny_list'),
    asn: fc.nat(2 ** 32 - 1),
    tookMs: fc.constantFrom(0, 63, 64, 900, 65_534, UNKNOWN_MS),
    mailbox: fc.string().map(hashOf),
    session: fc.option(fc.string().map(hashOf)),
    ip: fc.constantFrom(...IPS).map((ip) => (ip === null ? null : addressOf(ip))),
  })
  .map((record) => ({ ...record, weights: record.weights.slice(0, record.reasons.length) }));

/** In chunks, as a table grows; the numbers have gaps. */
function aTable(records: readonly Omit<RunRecord, 'seq'>[]): RunTable {
  const table = createRunTable(FIRST);
  const numbered = records.map((record, index) => ({ ...record, seq: FIRST + 2 * index }));
  for (let from = 0; from < numbered.length; from += 7) table.add(numbered.slice(from, from + 7));
  return table;
}

/** Each round has a table of some megabytes, which is synced. */
const ROUNDS = { numRuns: rounds(5, 40) };
const ROUNDS_WITHOUT_FILES = { numRuns: rounds(25, 400) };
let files = 0;
function seal(table: RunTable, path = nextPath(), replace = false) {
  for (const _ of sealRun({
    table,
    samples: [{ seq: 1, requestId: 'req_1' }],
    path,
    runSize: 65_536,
    replace,
  }));
  return path;
}
function nextPath(): string {
  files += 1;
  return join(directory, `${files}.run`);
}
const open = (path: string) => openRunFile(path, createBlockCache(3));
/** As a run has them: by account, in the order in which accounts came, then by time, then by number. */
function inOrder(records: readonly Omit<RunRecord, 'seq'>[]): RunRecord[] {
  const accounts = [...new Set(records.map(({ accountId }) => accountId))];
  return records
    .map((record, index) => ({ ...record, seq: FIRST + 2 * index }))
    .sort(
      (a, b) => accounts.indexOf(a.accountId) - accounts.indexOf(b.accountId) || a.at - b.at || a.seq - b.seq,
    );
}
/** Content of columns and dictionaries for each record. */
function columnsOf(segment: Segment) {
  const all = { start: 0, end: segment.count };
  const columns = COLUMN_NAMES.map((name) => [name, segment.column(name, all)] as const);
  return Array.from({ length: segment.count }, (_, position) => {
    const at = Object.fromEntries(columns.map(([name, values]) => [name, values[position]]));
    const of = (name: ColumnName) => at[name] as number;
    const text = (name: 'key' | 'country' | 'domain' | 'finding') => segment.textOf(name, of(name));
    return {
      seq: segment.firstSeq + of('seq'),
      at: of('at'),
      verdict: verdictOf(of('flags')),
      mode: modeOf(of('flags')),
      shadow: isShadow(of('flags')),
      score: of('score'),
      keyId: text('key'),
      country: text('country'),
      finding: text('finding'),
      domain: text('domain'),
      reasons: new Set(reasonNumbers(of('reasons')).map((number) => segment.textOf('reason', number))),
      asn: of('asn'),
      tookMs: of('took'),
    };
  });
}
const slotOf = (at: number) => Math.floor(at / 1_800_000);

function sumsOf(segment: Segment, accountId: string, mode: 'live' | 'test', from: number, to: number) {
  const sums = new Map<string, number[]>();
  for (const row of segment.rollups(accountId, mode, from, to)) {
    const name = `${row.slot} ${row.kind} ${row.name}`;
    const [count = 0, weight = 0] = sums.get(name) ?? [];
    sums.set(name, [count + row.count, weight + row.weight]);
  }
  return sums;
}

describe('a run', () => {
  it('contains everything from its table', () => {
    fc.assert(
      fc.property(fc.array(aRecord, { maxLength: 80 }), (records) => {
        const table = aTable(records);
        const file = open(seal(table));
        const run = openSealedRun(file);
        const all = { start: 0, end: table.count };
        expect(run.count).toBe(records.length);
        expect(columnsOf(run)).toEqual(
          inOrder(records).map(({ accountId, weights, mailbox, session, ip, reasons, ...rest }) => ({
            ...rest,
            reasons: new Set(reasons),
          })),
        );
        for (const name of COLUMN_NAMES) expect(run.column(name, all)).toEqual(table.column(name, all));
        for (const accountId of ACCOUNTS) {
          expect(run.positionsOf(accountId)).toEqual(table.positionsOf(accountId));
          for (const mode of ['live', 'test'] as const) {
            expect(sumsOf(run, accountId, mode, 2, 9)).toEqual(sumsOf(table, accountId, mode, 2, 9));
          }
        }
        for (const dictionary of DICTIONARIES)
          for (const [number, text] of table.texts(dictionary).entries()) {
            expect(run.textOf(dictionary, number)).toBe(text);
            expect(run.numberOf(dictionary, text)).toBe(number);
          }
        expect(run.numberOf('domain', 'nowhere at all, never')).toBeUndefined();
      }),
      ROUNDS,
    );
  });

  it('is sorted by account, then by time, then by number', () => {
    fc.assert(
      fc.property(fc.array(aRecord, { maxLength: 60 }), (records) => {
        const table = aTable(records);
        for (const accountId of ACCOUNTS) {
          const seqs = table.column('seq', table.positionsOf(accountId));
          const expected = inOrder(records).filter((record) => record.accountId === accountId);
          expect(Array.from(seqs, (seq) => FIRST + seq)).toEqual(expected.map(({ seq }) => seq));
        }
      }),
      ROUNDS_WITHOUT_FILES,
    );
  });

  it('finds the positions of values and of ranges of values', () => {
    const postedValue = (kind: PostingKind, record: RunRecord, table: Segment): WideNumber | undefined => {
      if (kind === 'domain') return [table.numberOf('domain', record.domain) as number, 0];
      if (kind === 'asn') return [record.asn, 0];
      if (kind === 'mailbox') return record.mailbox;
      if (kind === 'session') return record.session ?? undefined;
      return record.ip?.family === (kind === 'ip4' ? 4 : 6) ? record.ip.value : undefined;
    };
    fc.assert(
      fc.property(fc.array(aRecord, { maxLength: 60 }), fc.nat(50), (records, from) => {
        const table = aTable(records);
        const file = open(seal(table));
        const found = inOrder(records);
        const span = { start: Math.min(from, table.count), end: table.count };
        for (const kind of POSTING_KINDS) {
          const first = found
            .map((record) => postedValue(kind, record, table))
            .find((value) => value !== undefined);
          for (const [low, high] of [
            [LOWEST, HIGHEST],
            [first ?? LOWEST, first ?? LOWEST],
          ] as const) {
            const expected = found.flatMap((record, position) => {
              const value = postedValue(kind, record, table);
              const isIn = value !== undefined && !isLess(value, low) && !isLess(high, value);
              return isIn && position >= span.start ? [position] : [];
            });
            for (const segment of [table, openSealedRun(file)])
              expect([...segment.postings(kind, low, high, span).positions()]).toEqual(expected);
          }
        }
      }),
      ROUNDS,
    );
  });

  it('gives the same counts by half hour as a recount', () => {
    fc.assert(
      fc.property(fc.array(aRecord, { maxLength: 60 }), (records) => {
        const table = aTable(records);
        const rows = [...table.rollups('acc_a', 'live', 0, 99)];
        const own = records.filter(({ accountId, mode }) => accountId === 'acc_a' && mode === 'live');
        const total = (of: (row: RollupRow) => number, name: string, kind: string) =>
          rows.filter((row) => row.name === name && row.kind === kind).reduce((sum, row) => sum + of(row), 0);
        for (const verdict of ['allow', 'block'])
          expect(total((row) => row.count, verdict, 'verdict')).toBe(
            own.filter((each) => each.verdict === verdict).length,
          );
        const having = own.filter(({ reasons }) => reasons.includes('two'));
        expect(total((row) => row.count, 'two', 'reason')).toBe(having.length);
        expect(total((row) => row.count, 'two', 'given')).toBe(
          having.filter(({ verdict }) => verdict !== 'allow').length,
        );
        const weights = having.map(({ reasons, weights }) => weights[reasons.indexOf('two')] as number);
        expect(total((row) => row.weight, 'two', 'reason')).toBeCloseTo(
          weights.reduce((a, b) => a + b, 0),
          6,
        );
        const slots = new Set(rows.flatMap(({ slot }) => slot ?? []));
        expect(slots).toEqual(new Set(own.map(({ at }) => slotOf(at))));
        expect(total((row) => row.count, '896', 'latency')).toBe(
          own.filter(({ tookMs }) => tookMs === 900).length,
        );
      }),
      ROUNDS_WITHOUT_FILES,
    );
  });

  it('finds IPv6 addresses by their /64, in any spelling', () => {
    const sameNetwork = ['2001:db8::1', '2001:db8:0:0:5::', '2001:db8::ffff:0:0:0'].map(addressOf);
    for (const address of sameNetwork) expect(address).toEqual({ family: 6, value: [0x2001_0db8, 0] });
    expect(addressOf('::')).toEqual({ family: 6, value: [0, 0] });
    expect(addressOf('1:2:3:4::')).toEqual({ family: 6, value: [0x1_0002, 0x3_0004] });
    expect(addressOf('::2:3:4:5:6:7:8')).toEqual({ family: 6, value: [2, 0x3_0004] });
    expect(addressOf('203.0.113.7')).toEqual({ family: 4, value: [0xcb00_7107, 0] });
  });

  it('leaves nothing behind if it is not written completely, and does not replace an existing run', () => {
    const path = join(directory, 'kept.run');
    const table = aTable(fc.sample(aRecord, 9));
    const begun = sealRun({ table, samples: [], path, runSize: 65_536, replace: false });
    begun.next();
    begun.next();
    begun.return();
    expect(readdirSync(directory).filter((name) => name.startsWith('kept'))).toEqual([]);
    seal(table, path);
    seal(aTable([]), path);
    expect(open(path).description.count).toBe(9);
    expect(readdirSync(directory).filter((name) => name.startsWith('kept'))).toEqual(['kept.run']);
  });

  it('is reported if it is damaged anywhere', () => {
    const path = seal(aTable(fc.sample(aRecord, 50)));
    const whole = readFileSync(path);
    const readAll = () => {
      const file = open(path);
      const run = openSealedRun(file);
      for (const [section, bytes] of file.description.sections) file.read(section, 0, bytes);
      return run.count;
    };
    expect(readAll()).toBe(50);
    for (const share of [0.05, 0.3, 0.7, 0.9, 0.999]) {
      const spoilt = Buffer.from(whole);
      const at = Math.floor(share * whole.length);
      spoilt[at] = (spoilt[at] as number) ^ 1;
      writeFileSync(path, spoilt);
      expect(readAll, `damaged at ${share}`).toThrow(DamagedRun);
    }
    for (const bytes of [0, 5, 19, 20, 100, whole.length - 1]) {
      writeFileSync(path, whole);
      truncateSync(path, bytes);
      expect(readAll, `cut at ${bytes}`).toThrow(DamagedRun);
    }
  });
});

function isLess([high, low]: WideNumber, [otherHigh, otherLow]: WideNumber): boolean {
  return high < otherHigh || (high === otherHigh && low < otherLow);
}
