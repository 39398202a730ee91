/** Knows the usual domains of every account. */
import { USUAL_PAUSE_MS, type UsualDomain } from '../model/usual-domain.ts';
import { findAbove } from './usual-domains.ts';

export interface UsualIndex {
  /** The domain, or the one that it is below. @param at milliseconds since the epoch */
  find(accountId: string, domain: string, at: number): UsualDomain | undefined;
  /** Takes over what was just stored, before it is read again. */
  put(row: UsualDomain): void;
  /** Usual domains of all accounts. */
  all(): Iterable<UsualDomain>;
  removeAccount(accountId: string): void;
}

export function createUsualIndex(): UsualIndex {
  /** Only accounts with usual domains: all that an attempt of another account has to look up. */
  const accounts = new Map<string, Map<string, UsualDomain>>();

  return {
    find(accountId, domain, at) {
      const own = accounts.get(accountId);
      if (own === undefined) return undefined;
      const row = findAbove(domain, (name) => own.get(name));
      return row === undefined || at - row.lastAt > USUAL_PAUSE_MS ? undefined : row;
    },
    put(row) {
      const own = accounts.get(row.accountId) ?? new Map<string, UsualDomain>();
      if (row.people > 0) own.set(row.domain, row);
      else own.delete(row.domain);
      if (own.size > 0) accounts.set(row.accountId, own);
      else accounts.delete(row.accountId);
    },
    *all() {
      for (const own of accounts.values()) yield* own.values();
    },
    removeAccount: (accountId) => void accounts.delete(accountId),
  };
}
