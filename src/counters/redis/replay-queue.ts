/** Decides what the shared counters are told of the attempts that this node counted alone. */
import type { VelocityEvent } from '../../model/velocity-event.ts';
import type { Reservation } from '../counters.ts';
import type { RedisCounters, RedisCountResult } from './redis-counters.ts';

/** An attempt that this node counted alone. */
export class LocalReservation implements Reservation {
  readonly counts: Reservation['counts'];
  readonly attempt: VelocityEvent;
  readonly #local: Reservation;
  /** What was asked in vain may have been done all the same. */
  readonly #late: Promise<RedisCountResult> | undefined;
  #undone = false;
  #takeBackTold: (() => Promise<void>) | undefined;

  constructor(attempt: VelocityEvent, local: Reservation, late: Promise<RedisCountResult> | undefined) {
    this.counts = { ...local.counts, partial: true };
    this.attempt = attempt;
    this.#local = local;
    this.#late = late;
  }

  get undone(): boolean {
    return this.#undone;
  }

  told(takeBack: () => Promise<void>): void {
    this.#takeBackTold = takeBack;
  }

  async undo(): Promise<void> {
    if (this.#undone) return;
    this.#undone = true;
    await this.#local.undo();
    const ignore = () => {};
    this.#late?.then((arrived) => arrived.counted?.undo()).catch(ignore);
    this.#takeBackTold?.().catch(ignore);
  }
}

export interface ReplayQueue {
  note(counted: LocalReservation): void;
  /** The account's counts are to be made whole from the store. */
  doubt(account: string): void;
  /** Tells the accounts that `speaksFor` picks. @throws when it could not; then what was left is kept */
  tell(speaksFor: (account: string) => boolean): Promise<void>;
}

/** More are not kept: what is stored of them comes back with a rebuild. */
const MOST = 10_000;

/** @param aheadMs milliseconds that the clock of the account's server is ahead of this node's */
export function createReplayQueue(
  counters: Pick<RedisCounters, 'recall' | 'forget' | 'undo'>,
  aheadMs: (account: string) => number,
): ReplayQueue {
  const attempts = new Set<LocalReservation>();
  const doubted = new Set<string>();

  async function tellAttempts(account: string, missed: readonly LocalReservation[]): Promise<void> {
    const left = missed.filter(({ undone }) => !undone);
    const ahead = aheadMs(account);
    const recalled = left.map(({ attempt }) => ({ ...attempt, at: attempt.at + ahead }));
    if (recalled.length > 0) await counters.recall(account, recalled);
    for (const one of missed) {
      attempts.delete(one);
      one.told(() => counters.undo(one.attempt));
      if (one.undone && left.includes(one)) await counters.undo(one.attempt);
    }
  }

  return {
    note(counted) {
      if (attempts.size < MOST) attempts.add(counted);
      else doubted.add(counted.attempt.account);
    },
    doubt: (account) => void doubted.add(account),
    async tell(speaksFor) {
      const told = [...doubted].filter(speaksFor);
      await Promise.all(told.map((account) => counters.forget(account)));
      for (const account of told) doubted.delete(account);
      const byAccount = new Map<string, LocalReservation[]>();
      for (const one of attempts) {
        const { account } = one.attempt;
        if (!speaksFor(account)) continue;
        const together = byAccount.get(account);
        if (together === undefined) byAccount.set(account, [one]);
        else together.push(one);
      }
      for (const [account, missed] of byAccount) await tellAttempts(account, missed);
    },
  };
}
