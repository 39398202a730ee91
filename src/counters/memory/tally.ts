/** Decides the counts of one account's keys, from attempts entering and leaving the hour and the day. */
import type { Attempt } from '../counters.ts';
import { KeyCounts } from './key-counts.ts';
import { widened } from './key-table.ts';

/** Stands for no network. */
export const NO_SLOT = -1;

/**
 * Networks count attempts. Domains and mailboxes count addresses: an address counts its own attempts,
 * enters its domain and mailbox with its first one, and leaves them with its last.
 */
export class Tally {
  readonly networks = new KeyCounts();
  readonly domains = new KeyCounts();
  readonly mailboxes = new KeyCounts();
  readonly #addresses = new KeyCounts();
  /** Two slots per address: its domain's and its mailbox's. */
  #homes = new Int32Array(2 * 16);

  /** The slot of an attempt's address, to be entered at once. */
  addressSlot(attempt: Pick<Attempt, 'address' | 'domain' | 'mailbox'>): number {
    const address = this.#addresses.slotOf(attempt.address);
    if (this.#addresses.day(address) > 0) return address;
    if (address * 2 >= this.#homes.length) this.#homes = widened(this.#homes);
    this.#homes[address * 2] = this.domains.slotOf(attempt.domain);
    this.#homes[address * 2 + 1] = this.mailboxes.slotOf(attempt.mailbox);
    return address;
  }

  networkSlot(network: string | null): number {
    return network === null ? NO_SLOT : this.networks.slotOf(network);
  }

  domainOf(address: number): number {
    return this.#homes[address * 2] as number;
  }

  mailboxOf(address: number): number {
    return this.#homes[address * 2 + 1] as number;
  }

  enterHour(address: number, network: number): void {
    if (network !== NO_SLOT) this.networks.enterHour(network);
    if (this.#addresses.enterHour(address) === 1) this.domains.enterHour(this.domainOf(address));
  }

  leaveHour(address: number, network: number): void {
    if (network !== NO_SLOT) this.networks.leaveHour(network);
    if (this.#addresses.leaveHour(address) === 0) this.domains.leaveHour(this.domainOf(address));
  }

  enterDay(address: number, network: number): void {
    if (network !== NO_SLOT) this.networks.enterDay(network);
    if (this.#addresses.enterDay(address) > 1) return;
    this.domains.enterDay(this.domainOf(address));
    this.mailboxes.enterDay(this.mailboxOf(address));
  }

  /** Comes after `leaveHour`. */
  leaveDay(address: number, network: number): void {
    if (network !== NO_SLOT) this.networks.leaveDay(network);
    if (this.#addresses.leaveDay(address) > 0) return;
    this.domains.leaveDay(this.domainOf(address));
    this.mailboxes.leaveDay(this.mailboxOf(address));
  }

  /** The slots here of an address and of a network that stand in another tally. */
  adoptAddress(from: Tally, address: number): number {
    return this.addressSlot({
      address: from.#addresses.keyOf(address),
      domain: from.domains.keyOf(from.domainOf(address)),
      mailbox: from.mailboxes.keyOf(from.mailboxOf(address)),
    });
  }

  adoptNetwork(from: Tally, network: number): number {
    return network === NO_SLOT ? NO_SLOT : this.networks.slotOf(from.networks.keyOf(network));
  }
}
