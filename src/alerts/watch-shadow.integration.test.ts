/** Shadow mode of a key that enforces for some people is compared with its own verdicts, whatever share it enforced before. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anAccount } from '../../test/support/an-account.ts';
import { anAssessment } from '../../test/support/an-assessment.ts';
import { BUILT_THREADS, PATIENT_READS } from '../../test/support/built-threads.ts';
import { createMakeId } from '../contract/identifiers.ts';
import { openSqliteStore } from '../store/sqlite/sqlite.ts';
import type { Key, Store } from '../store/store.ts';
import { createWatchShadow } from './watch-shares.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 28, 12, 3);
const USUAL = 60;
const makeId = createMakeId();

let folder: string;
let store: Store;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-shadow-'));
  store = openSqliteStore({ directory: folder, forTests: { ...BUILT_THREADS, indexing: PATIENT_READS } });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Stops of one day: a part of the people are let in, because the key enforces for the others. */
interface Day {
  readonly stops: number;
  readonly letIn: number;
}

/** @param days today first */
async function alertsOf(days: readonly Day[], enforcedShare: number) {
  const account = anAccount({ id: makeId('acc', NOW) });
  await store.saveAccount(account);
  const keyId = makeId('key', NOW);
  const signups = days.flatMap(({ stops, letIn }, day) =>
    Array.from({ length: stops }, (_, index) => {
      const at = NOW - day * DAY_MS - (index + 1) * 1_000;
      const requestId = makeId('req', at);
      const shadow = index < letIn;
      return anAssessment({
        requestId,
        at,
        accountId: account.id,
        keyId,
        verdict: 'block',
        score: 90,
        shadow,
      });
    }),
  );
  await Promise.all(signups.map((signup) => store.record(signup)));
  const key = {
    id: keyId,
    accountId: account.id,
    mode: 'live',
    enforcedShare,
    revokedAt: null,
    createdAt: 0,
  };
  const watch = createWatchShadow({ store, isCrowded: () => false });
  return watch({
    account,
    keys: [key as Key],
    now: NOW,
    openCount: () => undefined,
    hadLately: () => false,
  });
}

const usualDays = (letIn: number) => Array.from({ length: 7 }, () => ({ stops: USUAL, letIn }));

it('sees an attack though half of it is stopped, and scales what is usual', async () => {
  const found = await alertsOf([{ stops: 400, letIn: 200 }, ...usualDays(USUAL)], 50);
  expect(found).toMatchObject([{ kind: 'shadow', count: 200, usual: USUAL / 2 }]);
});

it('sees nothing unusual in a day on which a key enforces for fewer people than before', async () => {
  expect(await alertsOf([{ stops: USUAL, letIn: USUAL }, ...usualDays(USUAL / 10)], 0)).toEqual([]);
});

it('sees nothing unusual in a usual day of a key that enforces for half of all people', async () => {
  expect(await alertsOf([{ stops: USUAL, letIn: USUAL / 2 }, ...usualDays(USUAL / 2)], 50)).toEqual([]);
});
