/** The port for usual domains: those of which ordinary people have come to an account for weeks. */
import type { UsualDomain } from '../model/usual-domain.ts';

export interface UsualDomainStore {
  /**
   * Saves what was learned of a domain, and grows the version of campaigns.
   * @returns the row as it is stored now; `undefined` where the stored one has a newer member
   * @throws when there is no such account
   */
  saveUsualDomain(learned: UsualDomain): Promise<UsualDomain | undefined>;
  /** Rows of all accounts that were saved after a version of campaigns, those with 0 people included. Removed ones are not named. */
  usualDomainsSince(version: number): AsyncIterable<UsualDomain>;
  /** Removes rows whose last member is older. @returns how many */
  pruneUsualDomains(before: number, maxPruned: number): Promise<number>;
}
