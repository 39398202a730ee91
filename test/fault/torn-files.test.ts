/** A database file after a power cut or a disk fault: cut, with lost sectors, with flipped bits. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { failureLine } from '../../src/cli/output.ts';
import { openSqlite } from '../../src/platform/sqlite-driver.ts';
import type { openSqliteStore as OpenSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { anAssessment } from '../support/an-assessment.ts';
import { viewDatabase } from '../support/crash-database.ts';
import { createRandom, type Random } from '../support/crash-load.ts';
import { manyRounds } from '../support/long-version.ts';

const SEED = Number(process.env.GATEHOUSE_TEST_SEED ?? 20261123);
const ROUNDS = manyRounds(6, 300);
const RECORDS = 150;
const FILES = ['gatehouse.db', 'gatehouse.db-wal'] as const;
const SECTOR_BYTES = 512;
/** Deadlines that even a busy machine keeps. */
const PATIENT = { waitMs: 60_000, answerMs: 60_000, lockMs: 60_000 };
/** A thread that waits for its end. */
const NO_CHECKPOINTS = new URL(
  `data:text/javascript,${encodeURIComponent("import { parentPort } from 'node:worker_threads'; parentPort.once('message', () => parentPort.close());")}`,
);
const READER = { accountId: 'acc_a', mode: 'live' } as const;

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-torn-'));
const random = createRandom(SEED);
/** In order of their acknowledgement. */
const acknowledged: string[] = [];
let openSqliteStore: typeof OpenSqliteStore;

beforeAll(async () => {
  const built = pathToFileURL(join(import.meta.dirname, '../../dist/store/sqlite/sqlite.js')).href;
  ({ openSqliteStore } = (await import(built)) as { openSqliteStore: typeof OpenSqliteStore });
  const directory = join(folder, 'running');
  // Nothing but this test moves the log: otherwise a slow copy has pages from before and after a checkpoint.
  const store = openSqliteStore({
    directory,
    inline: true,
    forTests: { checkpointer: NO_CHECKPOINTS, deadlines: PATIENT },
  });
  const copy = (to: string) => {
    for (const name of FILES) cpSync(join(directory, name), join(folder, to, name), { recursive: true });
  };
  const record = async () => {
    for (let at = 0; at < RECORDS / 2; at += 1) {
      const next = anAssessment();
      await store.record(next);
      acknowledged.push(next.requestId);
    }
  };
  const moveLog = () => {
    const database = openSqlite(join(directory, FILES[0]));
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
  };
  await record();
  moveLog();
  // From now on, data are only in the write-ahead log.
  await record();
  const before = readFileSync(join(directory, FILES[0]));
  copy(FILES[1]);
  expect(readFileSync(join(directory, FILES[0])).equals(before)).toBe(true);
  moveLog();
  copy(FILES[0]);
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Damage = (bytes: Buffer, random: Random) => Buffer;
const cut: Damage = (bytes, random) => bytes.subarray(0, random(bytes.length));
const flip: Damage = (bytes, random) => {
  const at = random(bytes.length);
  bytes[at] = (bytes[at] as number) ^ (1 << random(8));
  return bytes;
};
const loseSector: Damage = (bytes, random) => {
  const start = random(Math.floor(bytes.length / SECTOR_BYTES)) * SECTOR_BYTES;
  return bytes.fill(0, start, start + SECTOR_BYTES);
};

const DAMAGES = [
  { name: 'a cut', damage: cut },
  { name: 'a flipped bit', damage: flip },
  { name: 'a lost sector', damage: loseSector },
];

/** Also closed when a test fails: their threads and timers would outlive their files. */
const opened = new Set<Store>();
async function close(store: Store): Promise<void> {
  opened.delete(store);
  await store.close();
}
afterEach(async () => {
  for (const store of opened) await close(store);
});

/** A copy of the disk with one damaged file, opened as a service opens it. */
async function open(round: number, file: string, damage: Damage): Promise<Store | string> {
  const directory = join(folder, `${file}-${damage.name}-${round}`);
  cpSync(join(folder, file), directory, { recursive: true });
  writeFileSync(join(directory, file), damage(readFileSync(join(directory, file)), random));
  try {
    const store = openSqliteStore({ directory, prompt: true, forTests: { deadlines: PATIENT } });
    opened.add(store);
    return store;
  } catch (error) {
    return failureLine(error);
  }
}

async function readable(store: Store): Promise<boolean[]> {
  const found: boolean[] = [];
  for (const id of acknowledged) found.push((await store.findStored(id, READER)) !== undefined);
  return found;
}

describe(`torn files, seed ${SEED}`, { timeout: 600_000 }, () => {
  it.each(DAMAGES)('$name in the write-ahead log leaves everything committed before', async ({ damage }) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const store = await open(round, FILES[1], damage);
      const context = `round ${round}, seed ${SEED}`;
      if (typeof store === 'string') throw new Error(`${context}: ${store}`);
      const found = await readable(store);
      const kept = found.filter(Boolean).length;
      // A prefix: nothing is missing between existing records, and nothing from before the write-ahead log.
      expect(found.slice(0, kept), context).toEqual(Array(kept).fill(true));
      expect(kept, context).toBeGreaterThanOrEqual(RECORDS / 2);
      await store.record(anAssessment());
      await close(store);
      const view = viewDatabase(join(folder, `gatehouse.db-wal-${damage.name}-${round}`, 'gatehouse.db'));
      expect(view.integrity(), context).toBe('ok');
      view.close();
    }
  });

  it.each(DAMAGES)(
    '$name in the database is refused in one line, or affects no other record',
    async ({ damage }) => {
      let refused = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const store = await open(round, FILES[0], damage);
        const context = `round ${round}, seed ${SEED}`;
        if (typeof store === 'string') {
          refused += 1;
          expect(store, context).toMatch(
            /gatehouse\.db: .*(?:malformed|damaged|not a database).*restore the newest backup/,
          );
          continue;
        }
        const answers = await Promise.allSettled(acknowledged.map((id) => store.findStored(id, READER)));
        const lost = answers.filter((each) => each.status === 'rejected' || each.value === undefined).length;
        expect(lost, context).toBeLessThanOrEqual(64);
        await close(store);
      }
      process.stdout.write(`${damage.name} in the database: ${refused} of ${ROUNDS} refused\n`);
    },
  );
});
