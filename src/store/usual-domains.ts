/** Usual domains in both databases: whoever saw the newest member is right, and services find changes by the version of campaigns. */
import { setImmediate } from 'node:timers/promises';
import type { UsualDomain } from '../model/usual-domain.ts';
import { insertVersioned, type SqlDatabase } from './sql-database.ts';
import type { UsualDomainStore } from './usual-domain-store.ts';

interface UsualRow {
  readonly account_id: string;
  readonly domain: string;
  readonly people: number;
  readonly networks: number;
  readonly since: number;
  readonly last_at: number;
  readonly version: number;
}

const PER_PAGE = 500;
const COLUMNS = ['people', 'networks', 'since', 'last_at', 'version'];
const LEARN = `WHERE true ON CONFLICT (account_id, domain) DO UPDATE
  SET ${COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}
  WHERE excluded.last_at >= usual_domains.last_at RETURNING *`;
const READ_PAGE = `SELECT * FROM usual_domains WHERE (version, account_id, domain) > ($1, $2, $3)
  ORDER BY version, account_id, domain LIMIT $4`;
const OLD = 'SELECT account_id, domain FROM usual_domains WHERE last_at < $1 ORDER BY last_at LIMIT $2';
const PRUNE = `DELETE FROM usual_domains WHERE (account_id, domain) IN (SELECT account_id, domain FROM (${OLD}) AS old)
  RETURNING domain`;

export function createUsualDomainStore(database: SqlDatabase): UsualDomainStore {
  const { query, change } = database;
  return {
    async saveUsualDomain({ accountId, domain, people, networks, since, lastAt }) {
      const row = { account_id: accountId, domain, people, networks, since, last_at: lastAt };
      const insert = insertVersioned('usual_domains', row, database.newVersion('campaigns'), LEARN);
      const [saved] = await change<UsualRow>([], ...database.nextVersion('campaigns'), insert);
      return saved && toUsualDomain(saved);
    },
    async *usualDomainsSince(version) {
      // No id is greater than this one, so reading begins after all rows of the version itself.
      let after: readonly [version: number, accountId: string, domain: string] = [version, '~', ''];
      for (;;) {
        const page = await query<UsualRow>(READ_PAGE, [...after, PER_PAGE]);
        for (const row of page) yield toUsualDomain(row);
        if (page.length < PER_PAGE) return;
        const last = page.at(-1) as UsualRow;
        after = [last.version, last.account_id, last.domain];
        await setImmediate();
      }
    },
    async pruneUsualDomains(before, maxPruned) {
      if ((await query(OLD, [before, 1])).length === 0) return 0;
      return (await change([], { sql: PRUNE, values: [before, maxPruned] })).length;
    },
  };
}

function toUsualDomain(row: UsualRow): UsualDomain {
  const { account_id: accountId, domain, people, networks, since, last_at: lastAt } = row;
  return { accountId, domain, people, networks, since, lastAt };
}
