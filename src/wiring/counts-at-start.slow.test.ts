/** A start counts the stored attempts as they were counted when they came, whatever happened to them and however the run before ended. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import pino from 'pino';
import { expect, it } from 'vitest';
import { anAssessment } from '../../test/support/an-assessment.ts';
import { BUILT_THREADS } from '../../test/support/built-threads.ts';
import { rounds } from '../../test/support/long-version.ts';
import { readConfig } from '../config/config.ts';
import { createMakeId } from '../contract/identifiers.ts';
import type { AnonymousAssessment } from '../store/erasure-store.ts';
import { openSqliteStore } from '../store/sqlite/sqlite.ts';
import type { AssessmentRecord, Store } from '../store/store.ts';
import type { Counters, LocalCounters } from '../velocity/counters.ts';
import { seen as voicesOf } from '../velocity/counters-script.suite.ts';
import { createMemoryCounters } from '../velocity/memory/memory.ts';
import { openCounters } from './counters.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PROBES = 20;
/** Windows move during a run: no attempt is so near their ends that it leaves one meanwhile. */
const MARGIN_MS = 600_000;
const makeId = createMakeId();

const attempt = fc.record({
  ageMs: fc.oneof(
    fc.nat(HOUR_MS - MARGIN_MS),
    fc.integer({ min: HOUR_MS, max: DAY_MS - MARGIN_MS }),
    fc.integer({ min: DAY_MS, max: 26 * HOUR_MS }),
  ),
  person: fc.nat(12),
  account: fc.constantFrom('acc_a', 'acc_b'),
  mode: fc.constantFrom('live' as const, 'live' as const, 'test' as const),
  network: fc.constantFrom(null, '203.0.113.7', '2001:db8::', '198.51.100.9'),
  becomes: fc.constantFrom('kept', 'kept', 'kept', 'anonymous'),
  verdict: fc.constantFrom('allow' as const, 'block' as const),
});
type GeneratedAttempt = typeof attempt extends fc.Arbitrary<infer T> ? T : never;

function assessmentOf({ ageMs, person, account, mode, verdict, network }: GeneratedAttempt, now: number) {
  const at = now - ageMs;
  return anAssessment({
    at,
    mode,
    verdict,
    network,
    ip: network,
    accountId: account,
    requestId: makeId('req', at),
    addressHash: `a${person}`,
    mailboxHash: `m${person % 5}`,
    emailDomain: `${person % 3}.example`,
  });
}

/** A row in place of an erased assessment: nobody's. An address has always the same domain. */
function anonymous(of: AssessmentRecord): AnonymousAssessment['replacement'] {
  const replacement = {
    ...of,
    requestId: makeId('req', of.at),
    addressHash: `nobody-${of.emailDomain}`,
    mailboxHash: 'nobody',
  };
  return replacement as unknown as AnonymousAssessment['replacement'];
}

/** The counts and voices of the next attempts. */
async function probe(
  counters: Pick<Counters | LocalCounters, 'checkAndCount'>,
  now: number,
): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let person = 0; person < PROBES; person += 1) {
    const { counted } = await counters.checkAndCount({
      bucket: 'b',
      window: null,
      credit: null,
      event: {
        id: 'req',
        account: person % 2 === 0 ? 'acc_a' : 'acc_b',
        at: now,
        network: '203.0.113.7',
        domain: `${person % 3}.example`,
        addressHash: `a${person}`,
        mailbox: `m${person % 5}`,
      },
    });
    found.push(counted?.counts, counted && voicesOf(counted));
  }
  return found;
}

/** The same of counters that counted each attempt when it came. */
function expectedOf(stored: readonly AssessmentRecord[], now: number): Promise<unknown[]> {
  const counters = createMemoryCounters();
  for (const each of stored.filter(({ mode }) => mode === 'live').toSorted((a, b) => a.at - b.at)) {
    const { counted } = counters.checkAndCount({
      bucket: 'b',
      window: null,
      credit: null,
      event: {
        id: each.requestId,
        account: each.accountId,
        at: each.at,
        network: each.network,
        domain: each.emailDomain,
        addressHash: each.addressHash,
        mailbox: each.mailboxHash,
      },
    });
    if (each.verdict === 'block') void counted?.markBlocked();
  }
  return probe(counters, now);
}

async function afterStart(store: Store, now: number): Promise<unknown[]> {
  const opened = await openCounters({
    ...readConfig({}),
    store,
    clock: () => now,
    fingerprint: (text: string) => text,
    metrics: { countersDegraded() {}, countedAlone() {}, velocityMemory() {} },
    log: pino({ level: 'silent' }),
  });
  await opened.start();
  const found = await probe(opened.counters, now);
  await opened.close();
  return found;
}

it('counts what is stored after an ordered stop, a kill and erasures', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(attempt, { maxLength: 40 }), async (attempts) => {
      const directory = mkdtempSync(join(tmpdir(), 'gatehouse-counts-'));
      const now = Date.now();
      const open = (folder: string) => openSqliteStore({ directory: folder, forTests: BUILT_THREADS });
      const expectCounts = async (folder: string, stored: readonly AssessmentRecord[]) => {
        const store = open(folder);
        expect(await afterStart(store, now)).toEqual(await expectedOf(stored, now));
        await store.close();
      };
      /** Files that a process leaves if it is killed now, also in the write-ahead log. */
      const killed = (name: string) => {
        const folder = join(directory, name);
        mkdirSync(folder);
        for (const file of ['gatehouse.db', 'gatehouse.db-wal'])
          cpSync(join(directory, file), join(folder, file));
        return folder;
      };
      try {
        const all = attempts.map((each) => ({ each, assessment: assessmentOf(each, now) }));
        const store = open(directory);
        for (const { assessment } of all) await store.record(assessment);
        const whole = killed('whole');
        const left: AssessmentRecord[] = [];
        for (const { each, assessment } of all) {
          if (each.becomes === 'kept') {
            left.push(assessment);
            continue;
          }
          const replacement = anonymous(assessment);
          await store.anonymizeAssessments([{ erasedId: assessment.requestId, replacement }]);
          left.push(replacement as unknown as AssessmentRecord);
        }
        const erased = killed('erased');
        await store.close();
        await expectCounts(
          whole,
          all.map(({ assessment }) => assessment),
        );
        await expectCounts(erased, left);
        await expectCounts(directory, left);
      } finally {
        rmSync(directory, { recursive: true });
      }
    }),
    { numRuns: rounds(5, 40) },
  );
});
