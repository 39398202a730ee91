/** Decides what is kept of the domains that are usual for an account, and which changes of it are stored. */
import { withParents } from '../address/domain.ts';
import { USUAL_PAUSE_MS, type UsualDomain } from '../model/usual-domain.ts';

/** Changes that are stored: a twentieth more people, or a day later. */
const STORED_GROWTH = 1.05;
const STORED_PAUSE_MS = 86_400_000;
/** Domains of all accounts, some 200 bytes each; those that would come later are not usual. */
const MAX_DOMAINS = 50_000;

interface Entry {
  row: UsualDomain;
  stored: UsualDomain;
}

export class UsualDomains {
  readonly #entries = new Map<string, Entry>();
  #changed = new Map<string, UsualDomain>();

  /** @param stored rows of an earlier run: members up to the newest of a row are counted in it */
  constructor(stored: Iterable<UsualDomain> = []) {
    for (const row of stored) if (row.people > 0) this.#entries.set(keyOf(row), { row, stored: row });
  }

  /** The row as it was last, also long ago. */
  last(accountId: string, domain: string): UsualDomain | undefined {
    return this.#entries.size === 0 ? undefined : this.#entries.get(keyOf({ accountId, domain }))?.row;
  }

  /** @param at milliseconds since the epoch */
  find(accountId: string, domain: string, at: number): UsualDomain | undefined {
    const row = this.last(accountId, domain);
    return row === undefined || at - row.lastAt > USUAL_PAUSE_MS ? undefined : row;
  }

  /** The domain, or the one that it is below. */
  findAbove(accountId: string, domain: string, at: number): UsualDomain | undefined {
    if (this.#entries.size === 0) return undefined;
    return findAbove(domain, (name) => this.find(accountId, name, at));
  }

  begin(row: UsualDomain): void {
    if (this.#entries.size >= MAX_DOMAINS) return;
    this.#entries.set(keyOf(row), { row, stored: row });
    this.#changed.set(keyOf(row), row);
  }

  /** @param row one that began, with more people */
  grow(row: UsualDomain): void {
    const entry = this.#entries.get(keyOf(row)) as Entry;
    entry.row = row;
    const { people, lastAt } = entry.stored;
    if (row.people < people * STORED_GROWTH && row.lastAt - lastAt < STORED_PAUSE_MS) return;
    entry.stored = row;
    this.#changed.set(keyOf(row), row);
  }

  /** @param at milliseconds since the epoch */
  end(row: UsualDomain, at: number): void {
    this.#entries.delete(keyOf(row));
    this.#changed.set(keyOf(row), { ...row, people: 0, lastAt: at });
  }

  removeAccount(accountId: string): void {
    for (const rows of [this.#entries, this.#changed])
      for (const key of rows.keys()) if (key.startsWith(`${accountId} `)) rows.delete(key);
  }

  /** Rows that are to be stored since the last call. */
  takeChanged(): UsualDomain[] {
    const changed = [...this.#changed.values()];
    this.#changed = new Map();
    return changed;
  }
}

/** Looks a name up, and then those that it is below. */
export function findAbove(
  domain: string,
  find: (name: string) => UsualDomain | undefined,
): UsualDomain | undefined {
  for (const name of withParents(domain)) {
    const found = find(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function keyOf({ accountId, domain }: Pick<UsualDomain, 'accountId' | 'domain'>): string {
  return `${accountId} ${domain}`;
}
