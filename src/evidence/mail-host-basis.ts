/** Decides how long an association by mail hosts stays the same: until something that it was made from may have changed. */
import type { HostRecords } from './mail-host-records.ts';

/** Basis of an association, besides the snapshot and the decisions of operators. */
export class AssociationBasis {
  readonly #entries: { readonly version: number }[] = [];
  #until = Number.POSITIVE_INFINITY;
  /** Whether it is made from nothing that an account saw: then every account gets it. */
  isCommon = true;

  noteRecord(records: Pick<HostRecords, 'basisOf'>, key: string): void {
    const { entry, until } = records.basisOf(key);
    this.#entries.push(entry);
    this.noteUntil(until);
  }

  /** @param until as the basis has it */
  noteUntil(until: number): void {
    this.#until = Math.min(this.#until, until);
    this.isCommon = false;
  }

  /** Milliseconds since the epoch: then it may be another one although no record has changed. */
  get until(): number {
    return this.#until;
  }

  /** Returns what says later whether all is still as it is now. `now`: milliseconds since the epoch. */
  watch(records: Pick<HostRecords, 'changes'>): (now: number) => boolean {
    const changes = this.#changes();
    // While no record of any host changes, the records of these need not be looked at.
    let seen = records.changes;
    return (now) => {
      if (now >= this.#until) return false;
      if (seen === records.changes) return true;
      if (changes !== this.#changes()) return false;
      seen = records.changes;
      return true;
    };
  }

  /** Versions only grow, so the same sum means the same versions. */
  #changes(): number {
    let sum = 0;
    for (const { version } of this.#entries) sum += version;
    return sum;
  }
}
