/** Decides what a process does about mailboxes with several addresses: follow them, count them, store what is learned, remove what is old. */
import type { Logger } from 'pino';
import type { GatherOptions } from '../evidence/gather.ts';
import { dayOf } from '../model/mailbox-address.ts';
import type { Clocks } from '../platform/steady-clock.ts';
import type { MailboxStore } from '../store/mailbox-store.ts';
import { createPruner } from '../store/pruner.ts';
import { createMailboxIndex, type MailboxIndex } from './mailbox-index.ts';
import { createMailboxRecorder, type MailboxRecorder } from './mailbox-recorder.ts';

export interface MailboxesOptions {
  readonly store: Pick<
    MailboxStore,
    | 'mailboxesVersion'
    | 'mailboxRemovalsVersion'
    | 'mailboxChangesSince'
    | 'saveMailboxUses'
    | 'pruneMailboxAddresses'
  >;
  readonly clocks: Pick<Clocks, 'wall' | 'patient'>;
  readonly log: Logger;
  readonly config: {
    /** Days that an address of a mailbox is kept after its last use; 0 keeps and counts none. */
    readonly retentionMailboxDays: number;
  };
  /** Hashes of a text under keys from before a rotation that are still in use. */
  readonly olderHashes: (text: string) => readonly string[];
}

export interface Mailboxes
  extends Pick<MailboxIndex, 'refresh' | 'removeAccount'>,
    Pick<MailboxRecorder, 'learned'> {
  readonly count: NonNullable<GatherOptions['mailboxes']>['count'];
  /** Reads what is stored, and begins to store and to remove. @throws when it cannot be read */
  start(): Promise<void>;
  close(): Promise<void>;
}

const PRUNE_MS = 60_000;

export function createMailboxes({ store, clocks, log, config, olderHashes }: MailboxesOptions): Mailboxes {
  const { retentionMailboxDays: days } = config;
  const isOff = days === 0;
  const index = createMailboxIndex({ source: store, days, clock: clocks.wall, olderHashes });
  const recorder = createMailboxRecorder({
    store,
    onFault: (error) =>
      log.error({ err: error }, 'addresses of mailboxes could not be stored yet; it is tried again'),
  });
  /** The earlier of two clocks: one that is wrong removes nothing. */
  const today = () => dayOf(Math.min(clocks.patient(), clocks.wall()));
  const pruner = createPruner({
    prune: (maxPruned) =>
      store.pruneMailboxAddresses(isOff ? Number.MAX_SAFE_INTEGER : today() - days + 1, maxPruned),
    random: Math.random,
    onFault: (error) => log.error({ err: error }, 'expired rows could not be removed'),
    idleMs: PRUNE_MS,
  });

  return {
    count(subject) {
      // A person whom somebody brings belongs to no farm.
      const count = isOff || subject.broughtBy ? null : index.count(subject);
      return count === null ? null : { ...count, days };
    },
    refresh: async () => {
      if (!isOff) await index.refresh();
    },
    removeAccount: index.removeAccount,
    learned(uses) {
      if (!isOff) recorder.learned(uses);
    },
    async start() {
      if (!isOff) await index.refresh();
      recorder.start();
      pruner.start();
    },
    async close() {
      await pruner.close();
      await recorder.close();
    },
  };
}
