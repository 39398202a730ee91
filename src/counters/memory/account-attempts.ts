/** Decides what one account's counts are at a moment: which attempts stand in its hour, its day, or nowhere. */
import { wasSetBack } from '../clock-step.ts';
import type { Attempt, AttemptCounts } from '../counters.ts';
import { AttemptLog, TAKEN_BACK } from './attempt-log.ts';
import { NO_SLOT, Tally } from './tally.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Smaller logs are not worth shrinking; and so nearly empty, a million's place moves in a few milliseconds. */
const SHRINK_FROM_CAPACITY = 4096;
const SHRINK_BELOW_SHARE = 1 / 256;

export class AccountAttempts {
  readonly id: string;
  readonly #log = new AttemptLog();
  #tally = new Tally();
  #now = Number.NEGATIVE_INFINITY;
  #partialUntil = Number.NEGATIVE_INFINITY;

  constructor(id: string) {
    this.id = id;
  }

  /** Attempts held, those not yet swept and the odd one taken back included. */
  get length(): number {
    return this.#log.length;
  }

  /** Moves both windows to `now`, in at most `most` steps, and returns the steps it took. */
  advance(now: number, most = Number.POSITIVE_INFINITY): number {
    if (now > this.#now) this.#now = now;
    else if (wasSetBack(now, this.#now)) this.#shift(now);
    const log = this.#log;
    if (log.length === 0) return 0;
    if (this.#now - log.timeOf(log.next - 1) >= DAY_MS) {
      this.#clear();
      return 1;
    }
    let steps = 0;
    while (steps < most && log.firstInHour < log.next && this.#now - log.timeOf(log.firstInHour) >= HOUR_MS) {
      this.#leaveHour();
      steps += 1;
    }
    while (steps < most && log.first < log.firstInHour && this.#now - log.timeOf(log.first) >= DAY_MS) {
      this.#leaveDay();
      steps += 1;
    }
    return steps;
  }

  /** Counts an attempt at the time `advance` has reached and returns its number. */
  add(attempt: Attempt): number {
    const address = this.#tally.addressSlot(attempt);
    const network = this.#tally.networkSlot(attempt.network);
    this.#tally.enterDay(address, network);
    this.#tally.enterHour(address, network);
    return this.#log.push(this.#now, address, network);
  }

  /** Makes room by forgetting the oldest attempt before its time. */
  forgetOldest(): void {
    const log = this.#log;
    if (log.addressOf(log.first) !== TAKEN_BACK) this.#partialUntil = log.timeOf(log.first) + DAY_MS;
    if (log.first === log.firstInHour) this.#leaveHour();
    this.#leaveDay();
  }

  /** The counts of an attempt that `add` has just numbered. */
  countsOf(attempt: number): AttemptCounts {
    const { networks, domains, mailboxes } = this.#tally;
    const address = this.#log.addressOf(attempt);
    const network = this.#log.networkOf(attempt);
    const domain = this.#tally.domainOf(address);
    return {
      network1h: network === NO_SLOT ? 0 : networks.hour(network),
      network24h: network === NO_SLOT ? 0 : networks.day(network),
      domain1h: domains.hour(domain),
      domain24h: domains.day(domain),
      mailbox24h: mailboxes.day(this.#tally.mailboxOf(address)),
      partial: this.#now < this.#partialUntil,
    };
  }

  /** Takes an attempt back if it is still held. Its number may be used again: call it once. */
  undo(attempt: number): void {
    const log = this.#log;
    if (attempt < log.first || attempt >= log.next) return;
    const address = log.addressOf(attempt);
    const network = log.networkOf(attempt);
    if (attempt >= log.firstInHour) this.#tally.leaveHour(address, network);
    this.#tally.leaveDay(address, network);
    log.renumber(attempt, TAKEN_BACK, NO_SLOT);
    // The newest attempt held is never one taken back, so that an empty log has length 0.
    while (log.length > 0 && log.addressOf(log.next - 1) === TAKEN_BACK) log.next -= 1;
    if (log.firstInHour > log.next) log.firstInHour = log.next;
  }

  /** Whether nothing would be lost by forgetting the account. */
  isIdle(now: number): boolean {
    return this.#log.length === 0 && now >= this.#partialUntil;
  }

  /** Gives memory back after a burst: new tables that hold only the attempts still counted. */
  shrink(): void {
    const log = this.#log;
    if (log.capacity < SHRINK_FROM_CAPACITY || log.length > log.capacity * SHRINK_BELOW_SHARE) return;
    const old = this.#tally;
    const tally = new Tally();
    for (let attempt = log.first; attempt < log.next; attempt += 1) {
      if (log.addressOf(attempt) === TAKEN_BACK) continue;
      const address = tally.adoptAddress(old, log.addressOf(attempt));
      const network = tally.adoptNetwork(old, log.networkOf(attempt));
      tally.enterDay(address, network);
      if (attempt >= log.firstInHour) tally.enterHour(address, network);
      log.renumber(attempt, address, network);
    }
    this.#tally = tally;
    log.shrink();
  }

  /** The clock was set back to `now`: everything keeps its age. */
  #shift(now: number): void {
    const back = this.#now - now;
    this.#log.shiftTimes(back);
    this.#partialUntil -= back;
    this.#now = now;
  }

  /** Everything has left: dropping the tables whole costs the same for one attempt as for a million. */
  #clear(): void {
    this.#log.clear();
    this.#tally = new Tally();
  }

  #leaveHour(): void {
    const attempt = this.#log.firstInHour;
    const address = this.#log.addressOf(attempt);
    if (address !== TAKEN_BACK) this.#tally.leaveHour(address, this.#log.networkOf(attempt));
    this.#log.firstInHour = attempt + 1;
  }

  #leaveDay(): void {
    const attempt = this.#log.first;
    const address = this.#log.addressOf(attempt);
    if (address !== TAKEN_BACK) this.#tally.leaveDay(address, this.#log.networkOf(attempt));
    this.#log.first = attempt + 1;
  }
}
