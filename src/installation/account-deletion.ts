/** Follows the deletion of accounts in a service: forgets them in memory, and removes their stored data. */
import type { Logger } from 'pino';
import type { Clocks } from '../platform/steady-clock.ts';
import { createPruner, type Pruner } from '../store/pruner.ts';
import type { Store } from '../store/store.ts';
import { createAccountRemoval, GRACE_MS } from './account-removal.ts';
import { type DataPlace, forgetErasures } from './erasure-list.ts';

export interface AccountDeletionOptions {
  readonly config: DataPlace;
  readonly store: Store;
  readonly evidence: { removeAccount(accountId: string): void };
  /** Rejects where the server that has the counts does not answer. */
  readonly counting: { removeAccount(accountId: string): Promise<void> };
  readonly clocks: Pick<Clocks, 'monotonic'>;
  readonly stopping: () => boolean;
  /** Default: `GRACE_MS`. */
  readonly graceMs?: number | undefined;
  readonly log: Logger;
}

export interface WiredAccountDeletion {
  /** Removes the stored data in the background. */
  readonly pruner: Pruner;
  /** The deletion of accounts has begun; these were known until then. */
  follow(accountIds: readonly string[]): void;
}

const IDLE_MS = 1_000;

export function wireAccountDeletion(options: AccountDeletionOptions): WiredAccountDeletion {
  const { config, store, evidence, counting, clocks, stopping, graceMs = GRACE_MS, log } = options;
  const removal = createAccountRemoval({
    store,
    graceMs,
    clock: clocks.monotonic,
    onLast: (accountId) => forgetErasures(config, accountId),
    async overwriteFreed() {
      await store.overwriteFreed(stopping);
      return !stopping();
    },
  });
  const onFault = (error: Error) =>
    log.error({ err: error }, 'an account could not be deleted yet; it is tried again');
  const pruner = createPruner({ prune: removal.prune, random: Math.random, onFault, idleMs: IDLE_MS });
  const waiting = new Set<NodeJS.Timeout>();
  return {
    pruner: {
      start: pruner.start,
      close() {
        for (const timer of waiting) clearTimeout(timer);
        return pruner.close();
      },
    },
    follow(accountIds) {
      removal.wake();
      for (const accountId of accountIds) {
        evidence.removeAccount(accountId);
        removeCountsLater(accountId);
      }
    },
  };

  function removeCountsLater(accountId: string): void {
    const timer = setTimeout(() => {
      waiting.delete(timer);
      void counting.removeAccount(accountId).catch(onUncounted);
    }, graceMs).unref();
    waiting.add(timer);
  }

  /** The counts expire within a day. */
  function onUncounted(error: Error): void {
    log.warn(
      { err: error },
      'the counts of a deleted account could not be removed; they expire within a day',
    );
  }
}
