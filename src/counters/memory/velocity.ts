/** Decides which accounts are held, how many attempts they may hold, and when what is due is forgotten. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Attempt, AttemptCounts, CountedAttempt } from '../counters.ts';
import { AccountAttempts } from './account-attempts.ts';

/** Accounts looked at plus attempts moved by one sweep. */
const SWEEP_STEPS = 1024;
const RESTORE_CHUNK = 1024;

interface VelocityOptions {
  readonly maxAttemptsPerAccount: number;
  readonly maxAttempts: number;
}

export class Velocity {
  readonly #options: VelocityOptions;
  readonly #accounts = new Map<string, AccountAttempts>();
  #cursor = this.#accounts.values();
  /** The account that the last sweep left unfinished. */
  #unfinished: AccountAttempts | undefined;
  #attempts = 0;
  #restoring = 0;

  constructor(options: VelocityOptions) {
    this.#options = options;
  }

  get accounts(): number {
    return this.#accounts.size;
  }

  get attempts(): number {
    return this.#attempts;
  }

  count(attempt: Attempt): CountedAttempt {
    const account = this.#open(attempt.account);
    const number = this.#add(account, attempt);
    return new Counted(this, account, number);
  }

  undo(account: AccountAttempts, number: number): void {
    const before = account.length;
    account.undo(number);
    this.#attempts += account.length - before;
  }

  async restore(attempts: Iterable<Attempt> | AsyncIterable<Attempt>): Promise<void> {
    // A sweep would move the windows to the present, which is still to come for what is being restored.
    this.#restoring += 1;
    try {
      let restored = 0;
      for await (const attempt of attempts) {
        this.#add(this.#open(attempt.account), attempt);
        restored += 1;
        if (restored % RESTORE_CHUNK === 0) await yieldToEventLoop();
      }
    } finally {
      this.#restoring -= 1;
    }
  }

  sweep(now: number): void {
    if (this.#restoring > 0) return;
    let steps = 0;
    while (steps < SWEEP_STEPS) {
      const account = this.#unfinished ?? this.#cursor.next().value;
      if (account === undefined) {
        this.#cursor = this.#accounts.values();
        return;
      }
      steps += 1 + this.#advance(account, now, SWEEP_STEPS - steps);
      const idle = account.isIdle(now);
      if (idle) this.#accounts.delete(account.id);
      else account.shrink();
      this.#unfinished = idle || steps < SWEEP_STEPS ? undefined : account;
    }
  }

  #open(id: string): AccountAttempts {
    let account = this.#accounts.get(id);
    if (account === undefined) {
      account = new AccountAttempts(id);
      this.#accounts.set(id, account);
    }
    return account;
  }

  #add(account: AccountAttempts, attempt: Attempt): number {
    this.#advance(account, attempt.at);
    while (account.length > 0 && this.#isFull(account)) {
      account.forgetOldest();
      this.#attempts -= 1;
    }
    this.#attempts += 1;
    return account.add(attempt);
  }

  #isFull(account: AccountAttempts): boolean {
    const { maxAttemptsPerAccount, maxAttempts } = this.#options;
    return account.length >= maxAttemptsPerAccount || this.#attempts >= maxAttempts;
  }

  #advance(account: AccountAttempts, now: number, most?: number): number {
    const before = account.length;
    const steps = account.advance(now, most);
    this.#attempts += account.length - before;
    return steps;
  }
}

class Counted implements CountedAttempt {
  readonly counts: AttemptCounts;
  readonly #velocity: Velocity;
  readonly #account: AccountAttempts;
  readonly #number: number;
  #undone = false;

  constructor(velocity: Velocity, account: AccountAttempts, number: number) {
    this.counts = account.countsOf(number);
    this.#velocity = velocity;
    this.#account = account;
    this.#number = number;
  }

  undo(): void {
    if (this.#undone) return;
    this.#undone = true;
    this.#velocity.undo(this.#account, this.#number);
  }
}
