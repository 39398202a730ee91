/** Decides which attempts that this node counted alone are sent to the shared server later. */
import type { VelocityEvent } from '../../model/velocity-event.ts';
import type { Reservation } from '../counters.ts';
import type { RedisCounters, RedisCountResult } from './redis-counters.ts';

/** An attempt that this node counted alone. */
export class LocalReservation implements Reservation {
  readonly counts: Reservation['counts'];
  readonly voices: Reservation['voices'];
  readonly attempt: VelocityEvent;
  readonly #local: Reservation;
  /** The request that got no answer in time; the server may still count it. */
  readonly #late: Promise<RedisCountResult> | undefined;
  undone = false;
  blocked = false;
  /** Set once the attempt was sent to the server. */
  onServer: { undo(): Promise<void>; markBlocked(): Promise<void> } | undefined;

  constructor(attempt: VelocityEvent, local: Reservation, late: Promise<RedisCountResult> | undefined) {
    this.counts = { ...local.counts, partial: true };
    this.voices = local.voices;
    this.attempt = attempt;
    this.#local = local;
    this.#late = late;
  }

  async undo(): Promise<void> {
    if (this.undone) return;
    this.undone = true;
    await this.#local.undo();
    const ignore = () => {};
    this.#late?.then((result) => result.counted?.undo()).catch(ignore);
    this.onServer?.undo().catch(ignore);
  }

  async markBlocked(): Promise<void> {
    if (this.undone || this.blocked) return;
    this.blocked = true;
    await this.#local.markBlocked();
    await this.onServer?.markBlocked();
  }
}

export interface ReplayQueue {
  add(counted: LocalReservation): void;
  /** The account's counts are to be rebuilt from the store. */
  markIncomplete(account: string): void;
  /** Sends the attempts of accounts for which `isReachable` is true. @throws when the server fails; what was not sent stays in the queue */
  replay(isReachable: (account: string) => boolean): Promise<void>;
}

/** Beyond this, accounts are marked as incomplete instead: a rebuild reads their attempts from the store. */
const MAX_ATTEMPTS = 10_000;

/** @param aheadMs milliseconds that the clock of the account's server is ahead of this node's */
export function createReplayQueue(
  counters: Pick<RedisCounters, 'recall' | 'forget' | 'undo' | 'markBlocked'>,
  aheadMs: (account: string) => number,
): ReplayQueue {
  const attempts = new Set<LocalReservation>();
  const incomplete = new Set<string>();

  async function replayAttempts(account: string, missed: readonly LocalReservation[]): Promise<void> {
    const counted = missed.filter(({ undone }) => !undone);
    const ahead = aheadMs(account);
    const recalled = counted.map(({ attempt, blocked }) => ({ ...attempt, at: attempt.at + ahead, blocked }));
    if (recalled.length > 0) await counters.recall(account, recalled);
    for (const reservation of missed) {
      const { attempt } = reservation;
      const place = counted.indexOf(reservation);
      attempts.delete(reservation);
      reservation.onServer = {
        undo: () => counters.undo(attempt),
        markBlocked: () => counters.markBlocked(attempt).catch(() => void attempts.add(reservation)),
      };
      if (place < 0) continue;
      // It may have been undone or blocked while it was sent.
      if (reservation.undone) await counters.undo(attempt);
      else if (reservation.blocked && recalled[place]?.blocked === false) await counters.markBlocked(attempt);
    }
  }

  return {
    add(counted) {
      if (attempts.size < MAX_ATTEMPTS) attempts.add(counted);
      else incomplete.add(counted.attempt.account);
    },
    markIncomplete: (account) => void incomplete.add(account),
    async replay(isReachable) {
      const accounts = [...incomplete].filter(isReachable);
      await Promise.all(accounts.map((account) => counters.forget(account)));
      for (const account of accounts) incomplete.delete(account);
      const byAccount = new Map<string, LocalReservation[]>();
      for (const reservation of attempts) {
        const { account } = reservation.attempt;
        if (!isReachable(account)) continue;
        const group = byAccount.get(account);
        if (group === undefined) byAccount.set(account, [reservation]);
        else group.push(reservation);
      }
      for (const [account, missed] of byAccount) await replayAttempts(account, missed);
    },
  };
}
