/** Indexing, removing and searching over a source of records in memory. */
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { rounds } from '../../../test/support/long-version.ts';
import type { HistoryPosition } from '../history-store.ts';
import type { RecordSource } from '../records/record-source.ts';
import type { NumberedAssessment } from '../stored-assessment.ts';
import type { RunPlace } from './run-cursor.ts';
import { openRunFolder, type RunFolder } from './run-folder.ts';
import { countGroups } from './run-groups.ts';
import { createRunIndexer, type RunIndexer } from './run-indexer.ts';
import { scanSegments } from './run-scan.ts';

const SIZE = 8;
const NEWEST: HistoryPosition = { at: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };

/** Records by number, and their database. */
function createRecords(): RecordSource & {
  readonly stored: Map<number, NumberedAssessment>;
  add(fields?: object): number;
} {
  const stored = new Map<number, NumberedAssessment>();
  let newest = 0;
  const after = (seq: number, limit: number) =>
    [...stored.values()].filter((record) => record.seq > seq).slice(0, limit);
  return {
    stored,
    add(fields = {}) {
      newest += 1;
      const {
        cap: _,
        claim: __,
        ...assessment
      } = anAssessment({ at: 1_000 * newest, requestId: `req_${newest}`, ...fields });
      stored.set(newest, { ...assessment, seq: newest });
      return newest;
    },
    newestSeq: () => newest,
    readAfter: after,
    mapAfter: (seq, limit, make) => after(seq, limit).map(make),
    read: (seqs) => seqs.flatMap((seq) => stored.get(seq) ?? []),
    findById: (requestId) => [...stored.values()].find((record) => record.requestId === requestId),
  };
}

let path: string;
let records: ReturnType<typeof createRecords>;
let folder: RunFolder;
let indexer: RunIndexer;
const restart = (from = records) => {
  folder = openRunFolder(path, from, SIZE);
  indexer = createRunIndexer(from, folder);
};
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'gatehouse-indexer-'));
  records = createRecords();
  restart();
});
afterEach(() => {
  rmSync(path, { recursive: true });
});

function indexAll(limit = 3): void {
  for (let idle = 0; idle < 2; ) idle = indexer.step(limit).more ? 0 : idle + 1;
}
function fill(count: number, fields: (index: number) => object = () => ({})): void {
  for (let index = 0; index < count; index += 1) records.add(fields(index));
  indexAll();
}

/** All records of an account, newest first. */
function found(accountId = 'acc_a', before = NEWEST, from = 0): number[] {
  const scan = scanSegments({
    segments: indexer.segments(),
    accountId,
    search: {},
    range: { before, from },
  });
  const seqs: number[] = [];
  for (;;) {
    const { place, cost } = scan.take();
    if (place !== null) seqs.push(place.seq);
    else if (cost === 0) return seqs;
  }
}
const counted = () =>
  indexer
    .segments()
    .flatMap((segment) => [...segment.rollups('acc_a', 'live', 0, 1e9)])
    .reduce((sum, { kind, count }) => sum + (kind === 'verdict' ? count : 0), 0);
const down = (from: number, to: number, without: number[] = []) =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index).filter((seq) => !without.includes(seq));
const files = () => readdirSync(path).sort();

describe('the indexer', () => {
  it('seals each full run, and keeps the rest in the tail', () => {
    fill(20);
    expect(files()).toEqual(['0000000000000001.run', '0000000000000009.run']);
    expect(found()).toEqual(down(20, 1));
    expect(counted()).toBe(20);
    expect(indexer.state()).toEqual({ oldest: 1, indexed: 20, newest: 20, remaining: 0 });
  });

  it('continues wherever it stopped, and counts nothing twice', () => {
    for (const steps of [1, 3, 7, 20, 55]) {
      for (let count = 0; count < 9; count += 1) records.add();
      for (let step = 0; step < steps; step += 1) indexer.step(2);
      restart();
    }
    indexAll();
    expect(found()).toEqual(down(45, 1));
    expect(counted()).toBe(45);
    expect(files().filter((name) => name.endsWith('.run'))).toHaveLength(5);
  });

  it('begins with the oldest stored record, and skips unused numbers', () => {
    fill(60);
    for (let seq = 1; seq <= 60; seq += 1) if (seq < 20 || (seq > 25 && seq < 50)) records.stored.delete(seq);
    for (const name of files()) rmSync(join(path, name));
    restart();
    indexAll();
    expect(found()).toEqual([...down(60, 50), ...down(25, 20)]);
    expect(indexer.state()).toMatchObject({ oldest: 20, indexed: 60, remaining: 0 });
  });

  it('rebuilds a missing run, but not the runs around it', () => {
    fill(30);
    const before = readFileSync(join(path, '0000000000000001.run'));
    rmSync(join(path, '0000000000000009.run'));
    restart();
    expect(indexer.state().indexed).toBe(8);
    indexAll();
    expect(found()).toEqual(down(30, 1));
    expect(counted()).toBe(30);
    expect(readFileSync(join(path, '0000000000000001.run'))).toEqual(before);
  });

  it('drops a damaged run, and rebuilds it', () => {
    fill(20);
    const name = join(path, '0000000000000001.run');
    const bytes = readFileSync(name);
    bytes.writeUInt8(bytes.readUInt8(5) ^ 1, 5);
    writeFileSync(name, bytes);
    let damage: unknown;
    try {
      found();
    } catch (error) {
      damage = error;
    }
    indexer.discard(damage as never);
    expect(indexer.state().indexed).toBe(0);
    indexAll();
    expect(found()).toEqual(down(20, 1));
  });

  it('keeps a full tail while its run cannot be written, and writes it later', () => {
    fill(6);
    for (let index = 0; index < 6; index += 1) records.add();
    renameSync(path, `${path}-away`);
    expect(() => indexAll()).toThrow('ENOENT');
    expect(() => indexAll()).toThrow('ENOENT');
    renameSync(`${path}-away`, path);
    indexAll();
    expect(found()).toEqual(down(12, 1));
    expect(files()).toEqual(['0000000000000001.run']);
  });

  it('does not use a run of another database', () => {
    fill(20);
    const others = createRecords();
    for (let index = 0; index < 20; index += 1)
      others.add({ requestId: `req_other_${index}`, accountId: 'acc_b' });
    restart(others);
    indexAll();
    expect(found('acc_a')).toEqual([]);
    expect(found('acc_b')).toEqual(down(20, 1));
  });

  it('shares its runs with another indexer in the same folder', () => {
    const first = indexer;
    const other = createRunIndexer(records, openRunFolder(path, records, SIZE));
    for (let index = 0; index < 40; index += 1) {
      records.add();
      [first, other][index % 2]?.step(5);
      for (const each of [first, other]) each.step(5);
    }
    for (const each of [first, other]) {
      indexer = each;
      indexAll();
      expect(found()).toEqual(down(40, 1));
      expect(counted()).toBe(40);
    }
  });
});

describe('a removed record', () => {
  it.each([
    ['from the tail', 19],
    ['from a sealed run', 3],
    ['as the last of a run', 8],
    ['before it is indexed', 21],
  ])('is gone %s, also from the sums and the file, and after the next start', async (_where, seq) => {
    fill(20, (index) => ({ emailDomain: `d${index + 1}.example` }));
    records.add({ emailDomain: 'd21.example' });
    const removing = indexer.removeFromIndex([`req_${seq}`]);
    indexAll();
    await removing;
    records.stored.delete(seq);
    expect(found()).toEqual(down(21, 1, [seq]));
    expect(counted()).toBe(20);
    fill(10);
    expect(counted()).toBe(30);
    for (const name of files())
      expect(readFileSync(join(path, name)).includes(`d${seq}.example`)).toBe(false);
    restart();
    indexAll();
    expect(found()).toEqual(down(31, 1, [seq]));
    expect(counted()).toBe(30);
  });

  it('is removed once, even if it is requested several times', async () => {
    fill(20);
    for (let time = 0; time < 3; time += 1) {
      const removing = indexer.removeFromIndex(['req_2', 'req_19']);
      indexAll();
      await removing;
    }
    expect(counted()).toBe(18);
  });

  it('may be one of a run that is read in several steps', async () => {
    folder = openRunFolder(path, records, 1_500);
    indexer = createRunIndexer(records, folder);
    for (let index = 0; index < 1_600; index += 1) records.add();
    indexAll(800);
    const removing = indexer.removeFromIndex(['req_2']);
    indexAll(800);
    await removing;
    expect(found()).toEqual(down(1_600, 1, [2]));
    expect(counted()).toBe(1_599);
  });

  it('may be one of a whole run', async () => {
    fill(20);
    const removing = indexer.removeFromIndex(down(8, 1).map((seq) => `req_${seq}`));
    indexAll();
    await removing;
    expect(files()).toEqual(['0000000000000009.run']);
    expect(found()).toEqual(down(20, 9));
  });

  it('may be one of a period: whole runs go at once, and the run across the end is written again', async () => {
    fill(30);
    const before = readFileSync(join(path, '0000000000000017.run'));
    const removing = indexer.removeBefore(12_000);
    expect(files()).not.toContain('0000000000000001.run');
    indexAll();
    await removing;
    expect(found()).toEqual(down(30, 12));
    expect(counted()).toBe(19);
    expect(readFileSync(join(path, '0000000000000017.run'))).toEqual(before);
    const dropping = indexer.removeBefore(29_000);
    indexAll();
    await dropping;
    expect(found()).toEqual([30, 29]);
  });
});

describe('blanked addresses', () => {
  const withAddress = () =>
    indexer.segments().flatMap((segment) => {
      const all = { start: 0, end: segment.count };
      const positions = segment.postings('ip4', [0, 0], [2 ** 32 - 1, 0], all).positions();
      return [...positions].map((at) => segment.firstSeq + segment.valueAt('seq', at));
    });
  const blankStored = (upTo: number) => {
    for (const [seq, record] of records.stored)
      if (seq < upTo) records.stored.set(seq, { ...record, ip: null });
  };

  it('are removed from sealed runs up to an instant, without other changes, and stay removed', async () => {
    fill(30);
    const before = { found: found(), counted: counted() };
    const untouched = readFileSync(join(path, '0000000000000017.run'));
    blankStored(12);
    const blanking = indexer.blankBefore(12_000);
    indexAll();
    await blanking;
    expect(withAddress().sort((a, b) => a - b)).toEqual(down(30, 12).reverse());
    expect({ found: found(), counted: counted() }).toEqual(before);
    expect(readFileSync(join(path, '0000000000000017.run'))).toEqual(untouched);
    restart();
    indexAll();
    expect(withAddress()).toHaveLength(19);
  });

  it('are removed from the unsealed tail, which is filled again', async () => {
    fill(30);
    blankStored(31);
    const blanking = indexer.blankBefore(99_000);
    indexAll();
    await blanking;
    expect(withAddress()).toEqual([]);
    expect(found()).toEqual(down(30, 1));
  });
});

describe('a scan', () => {
  it('begins strictly before a position, and ends at an instant', () => {
    fill(20, (index) => ({ at: Math.floor(index / 4) }));
    expect(found('acc_a', { at: 3, seq: 15 })).toEqual(down(14, 1));
    expect(found('acc_a', { at: 3, seq: 0 })).toEqual(down(12, 1));
    expect(found('acc_a', NEWEST, 2)).toEqual(down(20, 9));
    expect(found('acc_a', { at: 3, seq: 15 }, 3)).toEqual([14, 13]);
  });

  it('goes newest first through runs that overlap in time, from any position, without gaps or repeats', () => {
    const times = fc.array(fc.nat(30), { minLength: 1, maxLength: 45 });
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 9 }), (instants, count) => {
        rmSync(path, { recursive: true });
        records = createRecords();
        restart();
        fill(instants.length, (index) => ({
          at: instants[index],
          accountId: index % 5 === 0 ? 'acc_b' : 'acc_a',
        }));
        const expected = [...records.stored.values()]
          .filter(({ accountId }) => accountId === 'acc_a')
          .sort((a, b) => b.at - a.at || b.seq - a.seq)
          .map(({ seq }) => seq);
        expect(found()).toEqual(expected);
        const paged: number[] = [];
        for (let before: HistoryPosition | null = NEWEST; before !== null; ) {
          const scan = scanSegments({
            segments: indexer.segments(),
            accountId: 'acc_a',
            search: {},
            range: { before, from: 0 },
          });
          for (let taken = 0; taken < count; ) {
            const { place, cost } = scan.take();
            if (place === null && cost === 0) break;
            if (place !== null) {
              paged.push(place.seq);
              taken += 1;
            }
          }
          const head = scan.head();
          before = head === null ? null : { at: head.at, seq: head.seq + 1 };
        }
        expect(paged).toEqual(expected);
      }),
      { numRuns: rounds(10, 200) },
    );
  });

  it('counts and groups the results of a search over runs and tail', async () => {
    fill(40, (index) => ({
      countryCode: ['FR', 'DE', 'IS'][index % 3],
      verdict: index % 2 === 0 ? 'block' : 'allow',
      reasons: index % 2 === 0 ? ['email_alias', 'ip_hosting'] : [],
      at: index * 3_600_000,
    }));
    const options = {
      segments: indexer.segments(),
      accountId: 'acc_a',
      range: { before: NEWEST, from: 0 },
      maxCounted: 1_000,
      maxGroups: 10,
      verify: async (places: readonly RunPlace[]) => places,
    };
    const byCountry = await countGroups({ ...options, search: { verdicts: ['block'] }, by: ['country'] });
    expect(byCountry).toMatchObject({ counted: 20, reached: null });
    expect(byCountry.groups.map(({ values, count }) => [...values, count])).toEqual([
      ['IS', 7],
      ['FR', 7],
      ['DE', 6],
    ]);
    const byDay = await countGroups({ ...options, search: {}, by: ['day', 'reasons'], maxGroups: 3 });
    expect(byDay).toMatchObject({ counted: 40 });
    expect(byDay.groups.map(({ values, count }) => [...values, count])).toEqual([
      [0, '', 12],
      [0, 'email_alias ip_hosting', 12],
      [1, '', 8],
    ]);
    const newest = await countGroups({ ...options, search: {}, by: ['verdict'], maxCounted: 7 });
    expect(newest).toMatchObject({ counted: 7, reached: 33 * 3_600_000 });
  });
});
