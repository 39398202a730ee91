/** Removes the remaining data of accounts that are being deleted: in small steps, in every process that may, again after a restart. */
import {
  emptyRecord,
  lastHour,
  readRecord,
  recordName,
  withoutAccounts,
  writeRecord,
} from '../evidence/mail-host-record.ts';
import type { Prune } from '../store/pruner.ts';
import type { Store } from '../store/store.ts';

export interface AccountRemovalOptions {
  readonly store: Store;
  /** Time for which processes may still store something of an account whose deletion has begun, milliseconds. */
  readonly graceMs: number;
  /** Milliseconds; never goes back. */
  readonly clock: () => number;
  /** Called before the last step: removes the account's data outside of the store. */
  readonly onLast: (accountId: string) => void;
  /** Called before that: overwrites the space of the removed rows. Resolves to whether it finished. */
  readonly overwriteFreed?: () => Promise<boolean>;
}

export interface AccountRemoval {
  readonly prune: Prune;
  /** Another account is being deleted; until this is called, nothing is asked once all are gone. */
  wake(): void;
}

/** A node that cannot read what changed refuses requests after 10 s; what it accepted before is stored within a second. */
export const GRACE_MS = 15_000;

const ROWS_A_STEP = 200;
const TEXTS_A_STEP = 100;
const HOUR_MS = 3_600_000;
/** All names of records of mail hosts are between these two. */
const HOSTS = { after: recordName(''), to: recordName('').replace(/:$/, ';') };

/** Whether to go on at once, or to wait for others. */
type Pace = 'on' | 'wait';

export function createAccountRemoval(options: AccountRemovalOptions): AccountRemoval {
  const { store } = options;
  const running = new Map<string, AsyncGenerator<Pace, void>>();
  let isPending = true;
  let wakes = 0;

  async function step(accountId: string): Promise<boolean> {
    const removal = running.get(accountId) ?? removeAccount(options, accountId);
    running.set(accountId, removal);
    try {
      const { done = false, value } = await removal.next();
      if (done) running.delete(accountId);
      return value === 'on';
    } catch (error) {
      // The next step begins again.
      running.delete(accountId);
      throw error;
    }
  }

  return {
    async prune(maxPruned) {
      if (!isPending) return 0;
      const wokenBefore = wakes;
      const unfinished = await store.unfinishedDeletions();
      if (unfinished.length === 0 && wakes === wokenBefore) isPending = false;
      let goesOn = false;
      for (const accountId of unfinished) goesOn = (await step(accountId)) || goesOn;
      return goesOn ? maxPruned : 0;
    },
    wake() {
      wakes += 1;
      isPending = true;
    },
  };
}

async function* removeAccount(
  { store, graceMs, clock, onLast, overwriteFreed = async () => true }: AccountRemovalOptions,
  accountId: string,
): AsyncGenerator<Pace, void> {
  const seenAt = clock();
  yield* removeStored(store, accountId);
  while (clock() - seenAt < graceMs) yield 'wait';
  do {
    // Once more: rows that came in while other nodes did not know of the deletion.
    yield* removeStored(store, accountId);
    yield* removeSightings(store, accountId);
    // Before it is finished: the next start continues an interrupted deletion.
    while (!(await overwriteFreed())) yield 'wait';
    onLast(accountId);
  } while (!(await store.finishAccountDeletion(accountId)));
  // The last change removed its id, which the file has until the log is empty again.
  await overwriteFreed();
}

async function* removeStored(store: Store, accountId: string): AsyncGenerator<Pace, void> {
  while (await store.removeAccountRows(accountId, ROWS_A_STEP)) yield 'on';
  while (!(await store.removeAccountAssessments(accountId))) yield 'on';
}

/** Removes the account from the observations of mail hosts, which name the accounts that made them. */
async function* removeSightings(store: Store, accountId: string): AsyncGenerator<Pace, void> {
  for (let isClean = false; !isClean; ) {
    isClean = true;
    let { after } = HOSTS;
    for (;;) {
      const texts = await store.cachedTextsWith(accountId, { ...HOSTS, after }, TEXTS_A_STEP);
      for (const { name, found } of texts) {
        if (!found) continue;
        isClean = false;
        await rewrite(store, name, accountId);
      }
      if (texts.length < TEXTS_A_STEP) break;
      after = texts.at(-1)?.name as string;
      yield 'on';
    }
    // Nobody waits for these writes.
    if (!isClean) yield 'wait';
  }
}

async function rewrite({ cache }: Store, name: string, accountId: string): Promise<void> {
  const stored = await cache.read(name);
  if (stored === undefined) return;
  const record = withoutAccounts(readRecord(stored.text) ?? emptyRecord(0), new Set([accountId]));
  cache.set(name, writeRecord(record), lastHour(record) * HOUR_MS);
}
