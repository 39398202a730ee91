/** Counts saved between two runs: used once, and only if they match the stored attempts. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { BUILT_THREADS } from '../../../test/support/built-threads.ts';
import { readConfig } from '../../config/config.ts';
import { createMakeId } from '../../contract/identifiers.ts';
import type { VelocityCounts } from '../../model/velocity-event.ts';
import type { AnonymousAssessment } from '../../store/erasure-store.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite.ts';
import type { Store } from '../../store/store.ts';
import { type OpenedCounters, openCounters } from '../../wiring/counters.ts';
import type { VelocityImage } from '../memory/velocity-image.ts';
import { takeImage, writeImage } from './velocity-image.ts';

const COUNT = 40;
const makeId = createMakeId();

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-image-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('the file', () => {
  const state = { maxBytes: 7, accounts: [{ id: 'acc_ü' }] } as unknown as VelocityImage['state'];
  const image: VelocityImage = {
    state,
    words: [Int32Array.of(1, -2, 3), new Int32Array(0), Int32Array.of(9)],
  };
  const mark = { attempts: '3 0 a b', at: 1_000 };
  const path = () => join(directory, 'velocity.counts');

  it('returns what was written, once, and only its owner can read it', () => {
    writeImage(directory, image, mark);
    expect(statSync(path()).mode & 0o077).toBe(0);
    expect(takeImage(directory, { ...mark, at: 2_000 })).toEqual(image);
    expect(readdirSync(directory)).toEqual([]);
    expect(takeImage(directory, mark)).toBeUndefined();
  });

  it.each([
    ['of other attempts', { ...mark, attempts: '4 0 a b' }],
    ['that was made later than now', { ...mark, at: 999 }],
  ])('is not used, and is removed, if it is one %s', (_, wanted) => {
    writeImage(directory, image, mark);
    expect(takeImage(directory, wanted)).toBeUndefined();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is not used if any byte has changed, or if it ends early', () => {
    writeImage(directory, image, mark);
    const whole = readFileSync(path());
    for (let at = 0; at < whole.length; at += 1) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] as number) ^ 4;
      writeFileSync(path(), damaged);
      expect(takeImage(directory, mark), `byte ${at}`).toBeUndefined();
      writeFileSync(path(), whole.subarray(0, at));
      expect(takeImage(directory, mark), `${at} bytes`).toBeUndefined();
    }
    writeFileSync(path(), whole);
    expect(takeImage(directory, mark)).toEqual(image);
  });
});

describe('a start', () => {
  let store: Store;
  let counters: OpenedCounters;
  const now = Date.now();

  async function begin(): Promise<void> {
    store = openSqliteStore({ directory, forTests: BUILT_THREADS });
    isOpen = true;
    counters = await openCounters({
      ...readConfig({ GATEHOUSE_DATA_DIR: directory }),
      store,
      clock: Date.now,
      fingerprint: (text) => text,
      metrics: { countersDegraded() {}, countedAlone() {}, velocityMemory() {} },
      log: pino({ level: 'silent' }),
      minImageAttempts: COUNT,
    });
    await counters.start();
  }
  let isOpen = false;
  /** Only once: `node:sqlite` refuses to close twice. */
  const closeStore = async () => {
    if (isOpen) await store.close();
    isOpen = false;
  };
  const end = async () => {
    await counters.close();
    await closeStore();
  };
  afterEach(closeStore);

  /**
   * Counts and stores, as a request does. The mailbox is not stored, so that the counts show where they come
   * from. Returns the addresses of the domain and of the stored mailbox.
   */
  async function assess(index: number): Promise<{ domain: number; storedMailbox: number }> {
    const assessment = anAssessment({
      at: now,
      requestId: makeId('req', now),
      addressHash: `address-${index}`,
    });
    const { requestId: id, accountId: account, network, emailDomain: domain } = assessment;
    const { counted } = await counters.counters.checkAndCount({
      bucket: account,
      window: null,
      credit: null,
      event: {
        id,
        account,
        at: now,
        network,
        domain,
        addressHash: assessment.addressHash,
        mailbox: `${index}`,
        olderMailboxes: [assessment.mailboxHash],
      },
    });
    await store.record(assessment);
    const counts = counted?.counts as VelocityCounts;
    return { domain: counts.domain24h, storedMailbox: counts.mailbox24h };
  }

  async function fill(): Promise<void> {
    await begin();
    for (let index = 0; index < COUNT; index += 1) await assess(index);
  }
  const anonymous = (erasedId: string): AnonymousAssessment => {
    const replacement = anAssessment({ at: now, requestId: makeId('req', now), addressHash: 'anonymous' });
    return { erasedId, replacement: replacement as AnonymousAssessment['replacement'] };
  };
  const hasImage = () => readdirSync(directory).includes('velocity.counts');

  it('continues from the image of a process that stopped cleanly', async () => {
    await fill();
    for (let more = 1; more <= 2; more += 1) {
      await end();
      expect(hasImage()).toBe(true);
      await begin();
      expect(hasImage()).toBe(false);
      expect(await assess(1_000 + more)).toEqual({ domain: COUNT + more, storedMailbox: 1 });
    }
    await end();
  });

  it('counts the stored attempts after a crash, even if an image was used before', async () => {
    await fill();
    await end();
    await begin();
    await assess(1_000);
    // The counters are never closed.
    await closeStore();
    expect(hasImage()).toBe(false);
    await begin();
    expect(await assess(1_001)).toEqual({ domain: COUNT + 2, storedMailbox: COUNT + 1 });
    await end();
  });

  it('leaves no image if another process has stored an attempt', async () => {
    await fill();
    const other = openSqliteStore({ directory, forTests: BUILT_THREADS });
    await other.record(anAssessment({ at: now, requestId: makeId('req', now), addressHash: 'other' }));
    await other.close();
    await end();
    expect(hasImage()).toBe(false);
    await begin();
    expect(await assess(1_000)).toEqual({ domain: COUNT + 2, storedMailbox: COUNT + 1 });
    await end();
  });

  it('does not use the image if an attempt was stored or erased after it was written', async () => {
    await fill();
    const requestId = makeId('req', now);
    const changes = [
      (other: Store) => other.record(anAssessment({ at: now, requestId, addressHash: 'other' })),
      (other: Store) => other.anonymizeAssessments([anonymous(requestId)]),
    ];
    for (const change of changes) {
      await end();
      const other = openSqliteStore({ directory, forTests: BUILT_THREADS });
      await change(other);
      await other.close();
      expect(hasImage()).toBe(true);
      await begin();
      expect(hasImage()).toBe(false);
      // The same address both times. Counts of the stored mailbox come from the database.
      const { domain, storedMailbox } = await assess(1_000);
      expect(domain).toBe(COUNT + 2);
      expect(storedMailbox).toBeGreaterThan(COUNT);
    }
    await end();
  });

  it('leaves no image if an attempt was erased during the run', async () => {
    await fill();
    const extra = anAssessment({ at: now, requestId: makeId('req', now), addressHash: 'extra' });
    await store.record(extra);
    await store.anonymizeAssessments([anonymous(extra.requestId)]);
    await end();
    expect(hasImage()).toBe(false);
  });

  it('leaves no image, but closes without an error, if the folder or the database cannot be used', async () => {
    await fill();
    // A folder that is not empty blocks its name.
    mkdirSync(join(directory, 'velocity.counts', 'x'), { recursive: true });
    await counters.close();
    expect(readdirSync(directory)).not.toContain('velocity.counts.tmp');
    await closeStore();
    await expect(counters.close()).resolves.toBeUndefined();
  });

  it('leaves no image of a few attempts, which are counted just as fast', async () => {
    await begin();
    await assess(0);
    await end();
    expect(hasImage()).toBe(false);
  });
});
