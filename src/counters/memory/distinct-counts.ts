/** Decides the counts of an account's keys, as attempts enter and leave the hour and the day. */
import type { VelocityEvent } from '../../model/velocity-event.ts';
import { HOME, type KeyIndex } from './key-index.ts';
import { NONE, type RecordPool } from './record-pool.ts';

const NETWORK = 0;
const DOMAIN = 1;
const MAILBOX = 2;
const ADDRESS = 3;

/** The records of the keys that an attempt counts for. */
export interface AttemptKeys {
  readonly address: number;
  readonly mailbox: number;
  /** `NONE` without a network. */
  readonly network: number;
}

/**
 * Networks count attempts. Domains and mailboxes count addresses: an address counts its own attempts,
 * enters its domain and mailbox with its first one, and leaves them with its last.
 */
export class DistinctCounts {
  readonly keys: KeyIndex;
  readonly #pool: RecordPool;

  constructor(pool: RecordPool, keys: KeyIndex) {
    this.#pool = pool;
    this.keys = keys;
  }

  /** Counts an attempt within the hour and the day. @param account the number that the account's keys are hashed with */
  enter(account: number, attempt: VelocityEvent): AttemptKeys {
    const { keys } = this;
    const address = keys.recordOf(account, ADDRESS, attempt.addressHash);
    const mailbox = keys.recordOf(account, MAILBOX, attempt.mailbox);
    const network = attempt.network === null ? NONE : keys.recordOf(account, NETWORK, attempt.network);
    if (network !== NONE) {
      keys.enterHour(network);
      keys.enterDay(network);
    }
    if (keys.enterDay(address) === 1) {
      const domain = keys.recordOf(account, DOMAIN, attempt.domain);
      this.#pool.set(address, HOME, domain);
      keys.enterDay(domain);
      keys.enterDay(mailbox);
    }
    if (keys.enterHour(address) === 1) keys.enterHour(this.domainOf(address));
    return { address, mailbox, network };
  }

  leaveHour({ address, network }: AttemptKeys): void {
    if (network !== NONE) this.keys.leaveHour(network);
    if (this.keys.leaveHour(address) === 0) this.keys.leaveHour(this.domainOf(address));
  }

  /** Call after `leaveHour`, unless the whole account was cleared. */
  leaveDay({ address, mailbox, network }: AttemptKeys): void {
    if (network !== NONE) this.keys.leaveDay(network);
    const domain = this.domainOf(address);
    if (this.keys.leaveDay(address) > 0) return;
    this.keys.leaveDay(domain);
    this.keys.leaveDay(mailbox);
  }

  domainOf(address: number): number {
    return this.#pool.get(address, HOME);
  }
}
