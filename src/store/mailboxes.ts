/** Mailboxes with several addresses in both databases: a row an address, which only grows younger. */
import { setImmediate } from 'node:timers/promises';
import { dayOf, type MailboxAddress, type MailboxUse } from '../model/mailbox-address.ts';
import type { MailboxReport, MailboxStore } from './mailbox-store.ts';
import { readVersion, type SqlDatabase, type SqlStatement, type SqlValue } from './sql-database.ts';

interface MailboxRow {
  readonly account_id: string;
  readonly mailbox: string;
  readonly address: string;
  readonly last_day: number;
  readonly blocked: boolean | number;
  readonly good: boolean | number;
}

/** Lock by which a use is stored either before an erasure removes it, or after the erasure was noted. */
const LOCK = 'mailboxes';
/** Changed rows of a page; a write has up to as many with one version, and a mailbox may have more. */
const PER_PAGE = 1_000;

const KEY = 'account_id, mailbox, address';
/** Columns are those of `toValues`. */
const IS_KEPT = `WHERE EXISTS (SELECT 1 FROM accounts WHERE id = used.column1)
  AND NOT EXISTS (SELECT 1 FROM erasures WHERE account_id = used.column1 AND stored_until >= used.column6
    AND (replace(hashes, used.column2, '') <> hashes OR replace(hashes, used.column3, '') <> hashes))`;
const YOUNGER = 'excluded.last_day > mailbox_addresses.last_day';
const MERGE = `ON CONFLICT (${KEY}) DO UPDATE SET
    last_day = CASE WHEN ${YOUNGER} THEN excluded.last_day ELSE mailbox_addresses.last_day END,
    blocked = mailbox_addresses.blocked AND excluded.blocked, version = excluded.version
  WHERE ${YOUNGER} OR (mailbox_addresses.blocked AND NOT excluded.blocked)`;
const MARK_GOOD = `ON CONFLICT (${KEY}) DO UPDATE SET good = excluded.good, version = excluded.version
  WHERE NOT mailbox_addresses.good`;

const LAST_OF_PAGE = `SELECT max(version) AS version FROM
  (SELECT version FROM mailbox_addresses WHERE version > $1 ORDER BY version LIMIT ${PER_PAGE}) AS page`;
const READ_PAGE = `SELECT a.account_id, a.mailbox, a.address, a.last_day, a.blocked, a.good
  FROM (SELECT DISTINCT account_id, mailbox FROM mailbox_addresses WHERE version > $1 AND version <= $2) AS changed
  JOIN mailbox_addresses AS a ON a.account_id = changed.account_id AND a.mailbox = changed.mailbox
  WHERE EXISTS (SELECT 1 FROM mailbox_addresses AS o
    WHERE o.account_id = a.account_id AND o.mailbox = a.mailbox AND o.address <> a.address)`;
const OLD = `SELECT ${KEY} FROM mailbox_addresses WHERE last_day < $1 ORDER BY last_day LIMIT $2`;

export function createMailboxStore(database: SqlDatabase): MailboxStore {
  const { query, change } = database;
  const lock = database.lock(LOCK);
  const nextVersion = database.nextVersion('mailboxes');
  const newVersion = `(SELECT ${database.newVersion('mailboxes')})`;

  function insert(uses: readonly MailboxUse[], isGood: boolean, rest: string): SqlStatement {
    const values: SqlValue[] = [];
    const rows = uses.map((use) => toValues(use, isGood, values));
    return {
      sql: `INSERT INTO mailbox_addresses (${KEY}, last_day, blocked, good, version)
        SELECT column1, column2, column3, column4, column5, column7, ${newVersion}
        FROM (VALUES ${rows.join(', ')}) AS used ${IS_KEPT} ${rest} RETURNING address`,
      values,
    };
  }

  return {
    async saveMailboxUses(uses) {
      if (uses.length === 0) return;
      await change([], ...lock, ...nextVersion, insert(uses, false, MERGE));
    },
    async saveMailboxReport(report) {
      const statement = report.isGood ? insert([report], true, MARK_GOOD) : unmark(report, newVersion);
      await change([], ...lock, ...nextVersion, statement);
    },
    mailboxesVersion: () => readVersion(database, 'mailboxes'),
    mailboxRemovalsVersion: () => readVersion(database, 'mailbox_removals'),
    async *mailboxChangesSince(version) {
      for (let from = version; ; ) {
        const [last] = await query<{ version: number | null }>(LAST_OF_PAGE, [from]);
        const upTo = last?.version ?? null;
        if (upTo === null) return;
        for (const row of await query<MailboxRow>(READ_PAGE, [from, upTo])) yield toAddress(row);
        from = upTo;
        await setImmediate();
      }
    },
    async mailboxAddresses(accountId, hashes) {
      if (hashes.length === 0) return [];
      const sql = `SELECT * FROM mailbox_addresses WHERE account_id = $1 AND ${hasHash(hashes, 1)}
        ORDER BY mailbox, address`;
      return (await query<MailboxRow>(sql, [accountId, ...hashes])).map(toAddress);
    },
    ...createRemovals(database),
  };
}

function createRemovals({
  query,
  change,
  lock,
  nextVersion,
  newVersion,
}: SqlDatabase): Pick<
  MailboxStore,
  'removeMailboxAddresses' | 'countMailboxAddresses' | 'pruneMailboxAddresses'
> {
  return {
    async removeMailboxAddresses(accountId, hashes, untilDay) {
      if (hashes.length === 0) return;
      const sql = `DELETE FROM mailbox_addresses WHERE account_id = $1 AND last_day <= $2
        AND ${hasHash(hashes, 2)}`;
      // The result is the new version, also where no row is left to remove.
      const told = { sql: `SELECT ${newVersion('mailbox_removals')} AS version`, values: [] };
      const removal = { sql, values: [accountId, untilDay, ...hashes] };
      await change([], ...lock(LOCK), ...nextVersion('mailbox_removals'), removal, told);
    },
    async countMailboxAddresses(untilDay) {
      const sql = 'SELECT count(*) AS count FROM mailbox_addresses WHERE last_day <= $1';
      return (await query<{ count: number }>(sql, [untilDay]))[0]?.count ?? 0;
    },
    async pruneMailboxAddresses(beforeDay, maxPruned) {
      if ((await query(OLD, [beforeDay, 1])).length === 0) return 0;
      const sql = `DELETE FROM mailbox_addresses WHERE (${KEY}) IN (SELECT * FROM (${OLD}) AS old) RETURNING address`;
      return (await change([], { sql, values: [beforeDay, maxPruned] })).length;
    },
  };
}

function unmark({ accountId, mailbox, address }: MailboxReport, version: string): SqlStatement {
  return {
    sql: `UPDATE mailbox_addresses SET good = NOT good, version = ${version}
      WHERE account_id = $1 AND mailbox = $2 AND address = $3 AND good RETURNING address`,
    values: [accountId, mailbox, address],
  };
}

/** @param before number of values before the hashes */
function hasHash(hashes: readonly string[], before: number): string {
  const places = hashes.map((_, at) => `$${before + at + 1}`).join(', ');
  return `(mailbox IN (${places}) OR address IN (${places}))`;
}

/** PostgreSQL asks for the types; the last but one is the instant, which is not stored. @param values gets those of the row */
function toValues(use: MailboxUse, isGood: boolean, values: SqlValue[]): string {
  const { accountId, mailbox, address, at, isBlocked } = use;
  const bind = (value: SqlValue, type: string) => `CAST($${values.push(value)} AS ${type})`;
  const hashes = [accountId, mailbox, address].map((text) => bind(text, 'text'));
  const flag = (is: boolean) => bind(is ? 1 : 0, 'boolean');
  const rest = [bind(dayOf(at), 'bigint'), flag(isBlocked), bind(at, 'bigint'), flag(isGood)];
  return `(${[...hashes, ...rest].join(', ')})`;
}

function toAddress(row: MailboxRow): MailboxAddress {
  return {
    accountId: row.account_id,
    mailbox: row.mailbox,
    address: row.address,
    lastDay: row.last_day,
    isBlocked: Boolean(row.blocked),
    isGood: Boolean(row.good),
  };
}
