/** Destinations of events in both databases. */
import type {
  Destination,
  DestinationKind,
  DisabledReason,
  EventType,
  EventVerdict,
} from '../model/event.ts';
import type { DestinationChanges, DestinationStore } from './event-store.ts';
import type { SqlDatabase, SqlStatement, SqlValue } from './sql-database.ts';
import { decodeText, encodeText } from './text.ts';

export type StoredDestination = Readonly<Record<string, string | number | null>>;

const DISABLE = `UPDATE event_destinations SET disabled_at = $5, disabled_reason = $6 WHERE account_id = $1 AND id = $2
  AND address = $3 AND coalesce(secret, '') = $4 AND disabled_at IS NULL RETURNING id`;

const GIVE_UP = `UPDATE event_deliveries SET state = 'failed', problem = 'it waited too long while the destination was disabled'
  WHERE destination_id = (SELECT id FROM event_destinations WHERE account_id = $1 AND id = $2 AND disabled_at IS NOT NULL)
    AND state = 'pending' AND until < $3`;

export function createDestinationStore({
  query,
  change,
}: Pick<SqlDatabase, 'query' | 'change'>): DestinationStore {
  return {
    async saveDestination(destination, ...audit) {
      await change(audit, insert(destination));
    },
    async changeDestination(accountId, id, changes, ...audit) {
      const [row] = await change<StoredDestination>(
        audit,
        ...giveUp(accountId, id, changes),
        update(accountId, id, changes),
      );
      return row && toDestination(row);
    },
    async disableDestination({ accountId, id, address, secrets }, { at, reason }, ...audit) {
      const values = [accountId, id, encodeText(address), secrets.current ?? '', at, reason];
      return (await change(audit, { sql: DISABLE, values })).length > 0;
    },
    async removeDestination(accountId, id, ...audit) {
      const sql = 'DELETE FROM event_destinations WHERE account_id = $1 AND id = $2 RETURNING id';
      return (await change(audit, { sql, values: [accountId, encodeText(id)] })).length > 0;
    },
    async destinations(accountId) {
      const sql = 'SELECT * FROM event_destinations WHERE account_id = $1 ORDER BY id';
      return (await query<StoredDestination>(sql, [accountId])).map(toDestination);
    },
  };
}

export function toDestination(row: StoredDestination): Destination {
  const { previous_secret: text, previous_until: until, disabled_at: at } = row;
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    kind: row.kind as DestinationKind,
    name: decodeText(row.name as string),
    address: decodeText(row.address as string),
    types: words(row.types) as EventType[],
    verdicts: words(row.verdicts) as EventVerdict[],
    digestHour: row.digest_hour as number | null,
    secrets: {
      current: row.secret as string | null,
      previous: text === null ? null : { text: text as string, until: until as number },
    },
    createdAt: row.created_at as number,
    since: row.since as number,
    disabled: at === null ? null : { at: at as number, reason: row.disabled_reason as DisabledReason },
  };
}

function insert(destination: Destination): SqlStatement {
  const { id, accountId, kind, createdAt, since } = destination;
  const row: [string, SqlValue][] = [
    ...Object.entries({ id, account_id: accountId, kind, created_at: createdAt, since }),
    ...columnsOf({ ...destination, since: undefined }),
  ];
  const places = row.map((_, at) => `$${at + 1}`);
  return {
    sql: `INSERT INTO event_destinations (${row.map(([name]) => name).join(', ')})
      VALUES (${places.join(', ')}) RETURNING id`,
    values: row.map(([, value]) => value),
  };
}

function update(accountId: string, id: string, changes: DestinationChanges): SqlStatement {
  const columns = columnsOf(changes);
  const sets = columns.map(([name], at) => `${name} = $${at + 3}`);
  // It may be reached again.
  sets.push('paused_until = 0');
  return {
    sql: `UPDATE event_destinations SET ${sets.join(', ')} WHERE account_id = $1 AND id = $2 RETURNING *`,
    values: [accountId, encodeText(id), ...columns.map(([, value]) => value)],
  };
}

/** Deliveries that waited too long while it was disabled are no news any more. */
function giveUp(accountId: string, id: string, { disabled, since }: DestinationChanges): SqlStatement[] {
  if (disabled !== null || since === undefined) return [];
  return [{ sql: GIVE_UP, values: [accountId, encodeText(id), since] }];
}

function columnsOf(changes: DestinationChanges): [string, SqlValue][] {
  const { name, address, types, verdicts, digestHour, secrets, disabled, since } = changes;
  const columns: [string, SqlValue | undefined][] = [
    ['name', name && encodeText(name)],
    ['address', address && encodeText(address)],
    ['types', types && spaced(types)],
    ['verdicts', verdicts && spaced(verdicts)],
    ['digest_hour', digestHour],
    ['secret', secrets?.current],
    ['previous_secret', secrets && (secrets.previous?.text ?? null)],
    ['previous_until', secrets && (secrets.previous?.until ?? null)],
    ['disabled_at', disabled === undefined ? undefined : (disabled?.at ?? null)],
    ['disabled_reason', disabled === undefined ? undefined : (disabled?.reason ?? null)],
    ['since', since],
  ];
  return columns.filter((column): column is [string, SqlValue] => column[1] !== undefined);
}

/** Each word between two spaces, as the schema looks for it. */
function spaced(words: readonly string[]): string {
  return words.length === 0 ? '' : ` ${words.join(' ')} `;
}

function words(text: StoredDestination[string] | undefined): string[] {
  return String(text).split(' ').filter(Boolean);
}
