/** Alerts in both databases: a unique index lets one be open at most, whoever sees it first. */
import type { Alert, AlertKind, SharedValue } from '../model/alert.ts';
import type { AlertStore, DescribeAlert } from './alert-store.ts';
import { eventForAllStatement, eventStatement } from './new-event.ts';
import type { SqlDatabase, SqlStatement, SqlValue } from './sql-database.ts';
import { decodeText, encodeText } from './text.ts';

type AlertRow = Readonly<Record<string, string | number | null>>;

const THOUSANDTHS = 1_000;
const MAX_RECENT = 10_000;
const NO_SHARES = '[]';
/** Places of the first value of a condition. */
const [FIRST, FIRST_FOR_ALL] = [8, 5];

/** `$11`: JSON, or empty: as stored. */
const grown = (column: string, value: string) =>
  `${column} = CASE WHEN excluded.count >= alerts.count THEN ${value} ELSE alerts.${column} END`;
const SEE = `INSERT INTO alerts (id, account_id, kind, subject, since, opened_at, seen_at, count, total, usual_thousandths, shares, note)
  SELECT $1, $2, $3, $4, CAST($5 AS bigint), CAST($6 AS bigint), CAST($6 AS bigint), CAST($7 AS bigint), CAST($8 AS bigint),
    CAST($9 AS bigint), $10, $11 WHERE $2 = '' OR EXISTS (SELECT 1 FROM accounts WHERE id = $2)
  ON CONFLICT (account_id, kind, subject) WHERE closed_at IS NULL DO UPDATE SET
    seen_at = CASE WHEN excluded.seen_at > alerts.seen_at THEN excluded.seen_at ELSE alerts.seen_at END,
    ${grown('total', 'excluded.total')}, ${grown('usual_thousandths', 'excluded.usual_thousandths')},
    ${grown('shares', `CASE WHEN excluded.shares = '' THEN alerts.shares ELSE excluded.shares END`)},
    ${grown('count', 'excluded.count')}, note = excluded.note
  RETURNING *`;
const CLOSE = `UPDATE alerts SET closed_at = $1 WHERE id = $2 AND closed_at IS NULL AND seen_at < $3 RETURNING *`;
const RECENT = `SELECT * FROM alerts WHERE closed_at IS NULL OR closed_at >= $1 ORDER BY id DESC LIMIT ${MAX_RECENT}`;
const OLD = 'SELECT id FROM alerts WHERE closed_at < $1';

export function createAlertStore(database: SqlDatabase): AlertStore {
  const { query, change } = database;
  /** Alerts of an account change one after the other, so that two nodes never tell of one twice. */
  const lock = (accountId: string) => database.lock(`alerts of ${accountId}`);
  return {
    async seeAlert(id, sighting, describe) {
      const { accountId, kind, subject, since, at, count, total, usual, shares, note } = sighting;
      const opened = { ...sighting, id, openedAt: at, seenAt: at, closedAt: null, shares: shares ?? [] };
      const isNew = (first: number) => ({
        sql: `NOT EXISTS (SELECT 1 FROM alerts AS seen WHERE seen.account_id = $${first} AND seen.kind = $${first + 1}
          AND seen.subject = $${first + 2} AND seen.closed_at IS NULL)`,
        values: [accountId, kind, encodeText(subject)],
      });
      const events = eventsOf(opened, 'alert.opened', at, describe, isNew);
      const values = [
        id,
        accountId,
        kind,
        encodeText(subject),
        since,
        at,
        count,
        total,
        Math.round(usual * THOUSANDTHS),
        shares === null ? '' : JSON.stringify(shares),
        encodeText(note),
      ];
      const [row] = await change<AlertRow>([], ...lock(accountId), ...events, { sql: SEE, values });
      return row && toAlert(row);
    },
    async closeUnseenAlerts(kinds, seenBefore, now, describe) {
      const places = kinds.map((_, at) => `$${at + 2}`).join(', ');
      const sql = `SELECT * FROM alerts WHERE closed_at IS NULL AND seen_at < $1 AND kind IN (${places}) ORDER BY id`;
      const unseen = (await query<AlertRow>(sql, [seenBefore, ...kinds])).map(toAlert);
      const closed: Alert[] = [];
      for (const alert of unseen) {
        const { id, accountId } = alert;
        const isLeft = (first: number) => ({
          sql: `EXISTS (SELECT 1 FROM alerts AS seen WHERE seen.id = $${first} AND seen.closed_at IS NULL
            AND seen.seen_at < CAST($${first + 1} AS bigint))`,
          values: [id, seenBefore],
        });
        const events = eventsOf({ ...alert, closedAt: now }, 'alert.closed', now, describe, isLeft);
        const close = { sql: CLOSE, values: [now, id, seenBefore] };
        const [row] = await change<AlertRow>([], ...lock(accountId), ...events, close);
        if (row !== undefined) closed.push(toAlert(row));
      }
      return closed;
    },
    async recentAlerts(closedSince) {
      return (await query<AlertRow>(RECENT, [closedSince])).map(toAlert);
    },
    async findAlert(accountId, id) {
      const sql = 'SELECT * FROM alerts WHERE id = $1 AND account_id = $2';
      const [row] = await query<AlertRow>(sql, [encodeText(id), accountId]);
      return row && toAlert(row);
    },
    ...createPages(database),
    ...createRemovals(database),
  };
}

function createPages({ query }: Pick<SqlDatabase, 'query'>): Pick<AlertStore, 'alerts'> {
  return {
    async alerts(accountId, { state, after = null, limit }) {
      const values: SqlValue[] = [accountId, limit + 1];
      const conditions = [
        ...(state === undefined ? [] : [`AND closed_at IS ${state === 'open' ? '' : 'NOT'} NULL`]),
        ...(after === null ? [] : [`AND id < $${values.push(encodeText(after))}`]),
      ];
      const sql = `SELECT * FROM alerts WHERE account_id IN ($1, '') ${conditions.join(' ')} ORDER BY id DESC LIMIT $2`;
      const found = (await query<AlertRow>(sql, values)).map(toAlert);
      const page = found.slice(0, limit);
      return { alerts: page, next: found.length > limit ? (page.at(-1) as Alert).id : null };
    },
  };
}

/** Faults of the installation concern the signups of every account. */
function eventsOf(
  alert: Alert,
  type: 'alert.opened' | 'alert.closed',
  at: number,
  describe: DescribeAlert,
  conditionFrom: (first: number) => NonNullable<Parameters<typeof eventStatement>[1]>,
): SqlStatement[] {
  const { id: object, accountId } = alert;
  const event = { type, object, at, data: describe(alert) };
  if (accountId === '') return [eventForAllStatement(event, conditionFrom(FIRST_FOR_ALL))];
  return [eventStatement({ ...event, accountId }, conditionFrom(FIRST))];
}

function createRemovals({
  query,
  change,
}: SqlDatabase): Pick<AlertStore, 'blankAlerts' | 'blankOldAlerts' | 'pruneAlerts'> {
  const hasOld = async (sql: string, before: number) => (await query(`${sql} LIMIT 1`, [before])).length > 0;
  const someOf = (sql: string) => `SELECT id FROM (${sql} ORDER BY id LIMIT $2) AS old`;
  return {
    async blankAlerts(ids) {
      if (ids.length === 0) return;
      const places = ids.map((_, at) => `$${at + 1}`).join(', ');
      const sql = `UPDATE alerts SET shares = '${NO_SHARES}' WHERE id IN (${places}) RETURNING id`;
      const forget = { sql: `DELETE FROM events WHERE object IN (${places})`, values: ids };
      await change([], forget, { sql, values: ids });
    },
    async blankOldAlerts(before, maxBlanked) {
      const old = `${OLD} AND shares <> '${NO_SHARES}'`;
      if (!(await hasOld(old, before))) return 0;
      const sql = `UPDATE alerts SET shares = '${NO_SHARES}' WHERE id IN (${someOf(old)}) RETURNING id`;
      return (await change([], { sql, values: [before, maxBlanked] })).length;
    },
    async pruneAlerts(before, maxPruned) {
      if (!(await hasOld(OLD, before))) return 0;
      const sql = `DELETE FROM alerts WHERE id IN (${someOf(OLD)}) RETURNING id`;
      return (await change([], { sql, values: [before, maxPruned] })).length;
    },
  };
}

function toAlert(row: AlertRow): Alert {
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    kind: row.kind as AlertKind,
    subject: decodeText(row.subject as string),
    since: row.since as number,
    openedAt: row.opened_at as number,
    seenAt: row.seen_at as number,
    closedAt: row.closed_at as number | null,
    count: row.count as number,
    total: row.total as number,
    usual: (row.usual_thousandths as number) / THOUSANDTHS,
    shares: JSON.parse((row.shares as string) || NO_SHARES) as SharedValue[],
    note: decodeText(row.note as string),
  };
}
