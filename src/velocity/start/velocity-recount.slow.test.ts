/** At the start of a service, a thread counts the same as the service would, whatever happened to the stored attempts. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { BUILT_THREADS, built } from '../../../test/support/built-threads.ts';
import { rounds } from '../../../test/support/long-version.ts';
import { readConfig } from '../../config/config.ts';
import { createMakeId } from '../../contract/identifiers.ts';
import { openSqlite } from '../../platform/sqlite-driver.ts';
import type { AnonymousAssessment } from '../../store/erasure-store.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite.ts';
import type { AssessmentRecord, Store } from '../../store/store.ts';
import { openCounters } from '../../wiring/counters.ts';
import { seen as voicesOf } from '../counters-script.suite.ts';
import type { VelocityImage } from '../memory/velocity-image.ts';
import { writeImage } from './velocity-image.ts';
import {
  beginRecount,
  type RecountedVelocity,
  type RecountOptions,
  type VelocityRecount,
} from './velocity-recount.ts';

const HOUR_MS = 3_600_000;
const PROBES = 20;
const OPTIONS = {
  minBytes: 1,
  threads: {
    reads: built('../wiring/velocity-reader.js'),
    counts: built('../velocity/start/velocity-thread.js'),
  },
} satisfies RecountOptions;
const makeId = createMakeId();

let directory: string;
let store: Store | undefined;
const openStore = () => {
  store = openSqliteStore({ directory, forTests: BUILT_THREADS });
  return store;
};
const closeStore = async () => {
  await store?.close();
  store = undefined;
};
const begin = (options: Partial<RecountOptions> = {}) =>
  beginRecount(readConfig({ GATEHOUSE_DATA_DIR: directory }), { ...OPTIONS, ...options });

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-recount-'));
});
afterEach(async () => {
  await closeStore();
  rmSync(directory, { recursive: true });
});

const attempt = fc.record({
  ageMs: fc.oneof(fc.nat(2 * HOUR_MS), fc.nat(26 * HOUR_MS), fc.integer({ min: -5 * HOUR_MS, max: 0 })),
  person: fc.nat(12),
  account: fc.constantFrom('acc_a', 'acc_b'),
  mode: fc.constantFrom('live' as const, 'live' as const, 'test' as const),
  network: fc.constantFrom(null, '203.0.113.7', '2001:db8::', '198.51.100.9'),
  becomes: fc.constantFrom('kept', 'kept', 'kept', 'anonymous'),
  verdict: fc.constantFrom('allow' as const, 'block' as const),
  shadow: fc.constantFrom(false, false, true),
});
type GeneratedAttempt = typeof attempt extends fc.Arbitrary<infer T> ? T : never;

function assessmentOf({ ageMs, person, account, ...of }: GeneratedAttempt): AssessmentRecord {
  const at = Date.now() - ageMs;
  return anAssessment({
    at,
    mode: of.mode,
    verdict: of.verdict,
    shadow: of.shadow,
    network: of.network,
    ip: of.network,
    accountId: account,
    requestId: makeId('req', at),
    addressHash: `a${person}`,
    mailboxHash: `m${person % 5}`,
    emailDomain: `${person % 3}.example`,
  });
}

function anonymous(of: AssessmentRecord): AnonymousAssessment {
  const replacement = {
    ...of,
    requestId: makeId('req', of.at),
    addressHash: 'nobody',
    mailboxHash: 'nobody',
  };
  return {
    erasedId: of.requestId,
    replacement: replacement as unknown as AnonymousAssessment['replacement'],
  };
}

async function storeAll(into: Store, attempts: readonly GeneratedAttempt[]): Promise<void> {
  for (const each of attempts) {
    const assessment = assessmentOf(each);
    await into.record(assessment);
    if (each.becomes === 'anonymous') await into.anonymizeAssessments([anonymous(assessment)]);
  }
}

/** Returns the counts of the next attempts, the warnings, and how many attempts were forgotten since the start. */
async function countsAfterStart(of: Store, recount?: VelocityRecount) {
  const warnings: string[] = [];
  let size = () => ({ forgotten: Number.NaN });
  const opened = await openCounters({
    ...readConfig({ GATEHOUSE_DATA_DIR: directory }),
    store: of,
    clock: Date.now,
    fingerprint: (text: string) => text,
    recount,
    metrics: {
      countersDegraded() {},
      countedAlone() {},
      velocityMemory(read) {
        size = read;
      },
    },
    log: pino({ level: 'warn' }, { write: (line) => void warnings.push(line) }),
  });
  await opened.start();
  const counts = [];
  for (let person = 0; person < PROBES; person += 1) {
    const { counted } = await opened.counters.checkAndCount({
      bucket: 'b',
      window: null,
      credit: null,
      event: {
        id: 'req',
        account: person % 2 === 0 ? 'acc_a' : 'acc_b',
        at: Date.now(),
        network: '203.0.113.7',
        domain: `${person % 3}.example`,
        addressHash: `a${person}`,
        mailbox: `m${person % 5}`,
      },
    });
    counts.push(counted?.counts, counted && voicesOf(counted));
  }
  const { forgotten } = size();
  await opened.close();
  return { counts, warnings, forgotten };
}

describe('counts from a thread', () => {
  it('equal a count at the start, whatever was stored, undone or erased before and meanwhile', async () => {
    await fc.assert(
      fc
        .asyncProperty(
          fc.array(attempt, { maxLength: 40 }),
          fc.array(attempt, { maxLength: 2 }),
          fc.boolean(),
          async (before, meanwhile, isAwaited) => {
            const opened = openStore();
            await storeAll(opened, before);
            const recount = begin() as VelocityRecount;
            if (isAwaited) await recount.result();
            await storeAll(opened, meanwhile);
            const other = await countsAfterStart(opened, recount);
            const own = await countsAfterStart(opened);
            expect(other).toEqual(own);
            expect(other.warnings).toEqual([]);
          },
        )
        .beforeEach(() => {
          directory = mkdtempSync(join(directory, 'run-'));
        })
        .afterEach(async () => {
          await closeStore();
          directory = join(directory, '..');
        }),
      { numRuns: rounds(4, 12) },
    );
  });

  it('are used only if nothing was stored or erased after the count', async () => {
    await storeAll(openStore(), fc.sample(attempt, { seed: 1, numRuns: 30 }));
    // `forgotten: 7` shows that the counts of the thread were used.
    const recount = { ...(begin() as VelocityRecount) };
    const counted = (await recount.result()) as RecountedVelocity;
    recount.result = async () => ({ ...counted, forgotten: 7 });
    const reopened = async () => {
      await closeStore();
      return openStore();
    };
    expect(await countsAfterStart(await reopened(), recount)).toMatchObject({ forgotten: 7 });
    const assessment = assessmentOf(fc.sample(attempt, { seed: 2, numRuns: 1 })[0] as GeneratedAttempt);
    await store?.record(assessment);
    expect(await countsAfterStart(await reopened(), recount)).toMatchObject({ forgotten: 0 });
    recount.result = async () => ({ ...counted, attempts: store?.attemptsMark() as string, forgotten: 7 });
    expect(await countsAfterStart(await reopened(), recount)).toMatchObject({ forgotten: 7 });
    const { result } = begin() as VelocityRecount;
    const before = (await result()) as RecountedVelocity;
    await store?.anonymizeAssessments([anonymous(assessment)]);
    recount.result = async () => ({ ...before, forgotten: 7 });
    expect(await countsAfterStart(await reopened(), recount)).toMatchObject({ forgotten: 0 });
  });

  it('include the attempts that a killed process left in the write-ahead log', async () => {
    const running = openStore();
    const attempts = fc.sample(attempt, { seed: 3, numRuns: 30 });
    await storeAll(running, attempts);
    const killed = join(directory, 'killed');
    mkdirSync(killed);
    for (const name of ['gatehouse.db', 'gatehouse.db-wal'])
      cpSync(join(directory, name), join(killed, name));
    await closeStore();
    directory = killed;
    const recount = begin() as VelocityRecount;
    const opened = openStore();
    expect(await recount.result()).toMatchObject({ attempts: opened.attemptsMark() });
    expect(await countsAfterStart(opened, recount)).toEqual(await countsAfterStart(opened));
    await closeStore();
    directory = join(directory, '..');
  });
});

it('can be ended at any moment, and counted again', async () => {
  await storeAll(openStore(), fc.sample(attempt, { seed: 7, numRuns: 30 }));
  const started = performance.now();
  const whole = begin() as VelocityRecount;
  await whole.result();
  const wholeMs = performance.now() - started;
  await whole.end();
  const steps = rounds(40, 400);
  for (let step = 0; step < steps; step += 1) {
    const recount = begin() as VelocityRecount;
    await sleep((wholeMs * step) / steps);
    await recount.end();
  }
  expect(await begin()?.result()).toMatchObject({ attempts: store?.attemptsMark() });
});

describe('no thread is used to count', () => {
  it('few attempts, no attempts, attempts on servers, or attempts that have an image', async () => {
    expect(begin()).toBeUndefined();
    await storeAll(openStore(), fc.sample(attempt, { seed: 4, numRuns: 1 }));
    expect(
      beginRecount(readConfig({ GATEHOUSE_DATA_DIR: directory }), { threads: OPTIONS.threads }),
    ).toBeUndefined();
    for (const setting of [{ DATABASE_URL: 'postgres://h/d' }, { REDIS_URL: 'redis://h' }])
      expect(
        beginRecount(readConfig({ GATEHOUSE_DATA_DIR: directory, ...setting }), OPTIONS),
      ).toBeUndefined();
    const state = { accounts: [] } as unknown as VelocityImage['state'];
    writeImage(directory, { state, words: [] }, { attempts: '', at: 0 });
    expect(begin()).toBeUndefined();
  });

  it('a database that must be migrated first', async () => {
    await storeAll(openStore(), fc.sample(attempt, { seed: 5, numRuns: 1 }));
    await closeStore();
    const database = openSqlite(join(directory, 'gatehouse.db'));
    database.exec('PRAGMA user_version = 0');
    database.close();
    expect(await begin()?.result()).toBeUndefined();
  });
});

it.each(['reads', 'counts'] as const)(
  'says why the thread that %s failed, and counts without it',
  async (role) => {
    const opened = openStore();
    await storeAll(opened, fc.sample(attempt, { seed: 6, numRuns: 30 }));
    const thread = join(directory, 'thread.mjs');
    writeFileSync(thread, "throw new Error('no memory')");
    const recount = begin({ threads: { ...OPTIONS.threads, [role]: new URL(`file://${thread}`) } });
    const { counts, warnings } = await countsAfterStart(opened, recount);
    expect(counts).toEqual((await countsAfterStart(opened)).counts);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('no memory');
  },
);
