/** Events and their deliveries in both databases: whoever begins a try has it for the time of a lease, so that nothing is lost with a process. */
import type {
  Delivery,
  DeliveryState,
  Destination,
  EventVerdict,
  MessageType,
  StoredEvent,
} from '../model/event.ts';
import { type StoredDestination, toDestination } from './destinations.ts';
import type { DeliverySummary, DirectEvent, EventStore, WantedSignups } from './event-store.ts';
import { eventStatement } from './new-event.ts';
import type { SqlDatabase, SqlStatement } from './sql-database.ts';
import { decodeText, encodeText } from './text.ts';

type Row = Readonly<Record<string, string | number | null>>;

const DAY_MS = 86_400_000;

const WAITING = `SELECT * FROM event_destinations AS d WHERE disabled_at IS NULL AND paused_until <= $1
  AND EXISTS (SELECT 1 FROM event_deliveries AS w
    WHERE w.destination_id = d.id AND w.state = 'pending' AND w.next_at <= $1) ORDER BY id`;
/** Condition for the oldest pending delivery of an object. */
const NONE_BEFORE = `NOT EXISTS (SELECT 1 FROM event_deliveries AS o WHERE o.destination_id = event_deliveries.destination_id
  AND o.object = event_deliveries.object AND o.event_seq < event_deliveries.event_seq AND o.state = 'pending')`;
/** Due deliveries, the longest due first: an index gives them in this order, so that few of many that wait are read. */
export const DUE = `SELECT event_seq FROM event_deliveries
  WHERE destination_id = $1 AND state = 'pending' AND next_at <= $2 AND ${NONE_BEFORE}
  ORDER BY next_at, event_seq LIMIT $3`;
const BEGIN =
  "UPDATE event_deliveries SET tries = tries + 1, next_at = $3 WHERE destination_id = $1 AND state = 'pending'";
const FREE = `UPDATE event_deliveries SET next_at = 0 WHERE state = 'pending' AND tries > 0 AND next_at > 0 AND next_at < $1
  RETURNING event_seq`;
const END = `UPDATE event_deliveries SET state = $4, next_at = $5, tried_at = $6, status = $7, problem = $8
  WHERE event_seq = $1 AND destination_id = $2 AND tries = $3 AND state = 'pending' RETURNING event_seq`;
const FULL = `SELECT e.*, d.destination_id, d.state, d.tries, d.next_at, d.until, d.tried_at, d.status, d.problem
  FROM event_deliveries AS d JOIN events AS e ON e.seq = d.event_seq`;
const SUMMARY = `SELECT CAST(sum(CASE WHEN state = 'pending' THEN 1 ELSE 0 END) AS int) AS waiting,
    CAST(sum(CASE WHEN state = 'failed' THEN 1 ELSE 0 END) AS int) AS failed,
    max(CASE WHEN state = 'delivered' THEN tried_at END) AS delivered_at
  FROM (SELECT state, tried_at FROM event_deliveries WHERE destination_id = $1 ORDER BY event_seq DESC LIMIT 500) AS newest`;
const LAST_TRIED = `SELECT state, tried_at, status, problem FROM event_deliveries
  WHERE destination_id = $1 AND tried_at IS NOT NULL ORDER BY event_seq DESC LIMIT 1`;
const REPLAY = `UPDATE event_deliveries SET state = 'pending', tries = 0, next_at = 0, until = $4, problem = NULL
  WHERE destination_id = $1 AND event_seq = (SELECT seq FROM events WHERE id = $2 AND account_id = $3) RETURNING event_seq`;
/** Events that are old and wait for nobody: a disabled destination keeps none for ever. */
const OLD = `SELECT seq FROM events AS e WHERE at < $1 AND NOT EXISTS (SELECT 1 FROM event_deliveries AS d
  WHERE d.event_seq = e.seq AND d.state = 'pending' AND d.until >= $1) ORDER BY at LIMIT $2`;
const DIRECT_EVENT = `INSERT INTO events (id, account_id, type, object, at, data)
  SELECT $1, $2, $3, $4, CAST($5 AS bigint), $6 WHERE EXISTS (SELECT 1 FROM event_destinations WHERE id = $4 AND account_id = $2)`;
const DIGEST_EVENT = `${DIRECT_EVENT} AND EXISTS (SELECT 1 FROM event_destinations WHERE id = $4 AND digest_day < $7)`;
const DIRECT_DELIVERY = `INSERT INTO event_deliveries (event_seq, destination_id, object, until)
  SELECT seq, $2, $2, CAST($3 AS bigint) FROM events WHERE id = $1 RETURNING event_seq`;

/** @param makeEventId made of nothing that another process could make, too */
export function createEventStore(database: SqlDatabase, makeEventId: () => string): EventStore {
  const { change } = database;
  return {
    async saveEvent(event) {
      // The last statement gives the result, and a view returns none.
      await change([], eventStatement(event), { sql: 'SELECT 1 AS done', values: [] });
    },
    async saveDirectEvent(event) {
      const id = makeEventId();
      return (await change([], ...directStatements(id, event))).length > 0 ? id : undefined;
    },
    ...createDigests(database, makeEventId),
    ...createTries(database),
    ...createDeliveryLog(database),
    ...createSignupEvents(database),
  };
}

function directStatements(
  id: string,
  { destinationId, accountId, type, at, data }: DirectEvent,
): [SqlStatement, SqlStatement] {
  const event = [id, accountId, type, encodeText(destinationId), at, JSON.stringify(data)];
  return [
    { sql: DIRECT_EVENT, values: event },
    { sql: DIRECT_DELIVERY, values: [id, encodeText(destinationId), at + DAY_MS] },
  ];
}

function noteDay(destinationId: string, day: string): SqlStatement {
  return {
    sql: 'UPDATE event_destinations SET digest_day = $2 WHERE id = $1 AND digest_day < $2 RETURNING id',
    values: [destinationId, day],
  };
}

function createDigests(
  { query, change }: Pick<SqlDatabase, 'query' | 'change'>,
  makeEventId: () => string,
): Pick<EventStore, 'saveDigest' | 'skipDigest' | 'digestDestinations'> {
  return {
    async saveDigest(event, day) {
      const id = makeEventId();
      const [insert, deliver] = directStatements(id, event);
      const note = noteDay(event.destinationId, day);
      // The row is locked by the first: of two nodes the second one sees the day.
      const lock = {
        sql: 'UPDATE event_destinations SET digest_day = digest_day WHERE id = $1',
        values: [event.destinationId],
      };
      const statements = [lock, { sql: DIGEST_EVENT, values: [...insert.values, day] }, note, deliver];
      return (await change([], ...statements)).length > 0;
    },
    async skipDigest(destinationId, day) {
      await change([], noteDay(destinationId, day));
    },
    async digestDestinations() {
      const sql = `SELECT d.id, d.account_id, d.digest_hour, d.digest_day, d.since, a.time_zone FROM event_destinations AS d
        JOIN accounts AS a ON a.id = d.account_id WHERE d.disabled_at IS NULL AND d.digest_hour IS NOT NULL ORDER BY d.id`;
      return (await query<Row>(sql)).map((row) => ({
        id: row.id as string,
        accountId: row.account_id as string,
        hour: row.digest_hour as number,
        timeZone: row.time_zone as string,
        lastDay: row.digest_day as string,
        since: row.since as number,
      }));
    },
  };
}

function createTries({
  query,
  change,
}: Pick<SqlDatabase, 'query' | 'change'>): Pick<
  EventStore,
  'waitingDestinations' | 'beginTries' | 'beginTry' | 'freeTries' | 'endTry' | 'pauseDestination'
> {
  async function begun(destinationId: string, seqs: readonly number[]): Promise<Delivery[]> {
    if (seqs.length === 0) return [];
    const places = seqs.map((_, at) => `$${at + 2}`).join(', ');
    const sql = `${FULL} WHERE d.destination_id = $1 AND d.event_seq IN (${places}) ORDER BY e.seq`;
    return (await query<Row>(sql, [destinationId, ...seqs])).map(toDelivery);
  }

  return {
    async waitingDestinations(now): Promise<Destination[]> {
      return (await query<StoredDestination>(WAITING, [now])).map(toDestination);
    },
    async beginTries(destinationId, { now, leaseUntil, limit }) {
      const due = await query<{ event_seq: number }>(DUE, [destinationId, now, limit]);
      if (due.length === 0) return [];
      const places = due.map((_, at) => `$${at + 4}`).join(', ');
      // Looked at again within the statement: another node may have begun it meanwhile.
      const sql = `${BEGIN} AND next_at <= $2 AND event_seq IN (${places}) AND ${NONE_BEFORE} RETURNING event_seq`;
      const values = [destinationId, now, leaseUntil, ...due.map(({ event_seq: seq }) => seq)];
      const rows = await change<{ event_seq: number }>([], { sql, values });
      return begun(
        destinationId,
        rows.map(({ event_seq: seq }) => seq),
      );
    },
    async beginTry(destinationId, eventId, { now, leaseUntil }) {
      const sql = `${BEGIN} AND next_at <= $2 AND event_seq = (SELECT seq FROM events WHERE id = $4) RETURNING event_seq`;
      const values = [destinationId, now, leaseUntil, eventId];
      const [row] = await change<{ event_seq: number }>([], { sql, values });
      return row && (await begun(destinationId, [row.event_seq]))[0];
    },
    async freeTries(before) {
      await change([], { sql: FREE, values: [before] });
    },
    async endTry({ event, destinationId, tries }, { state, nextAt, triedAt, status, problem }) {
      const text = problem === null ? null : encodeText(problem);
      const values = [event.seq, destinationId, tries, state, nextAt, triedAt, status, text];
      await change([], { sql: END, values });
    },
    async pauseDestination(id, until) {
      const sql = 'UPDATE event_destinations SET paused_until = $2 WHERE id = $1 RETURNING id';
      await change([], { sql, values: [id, until] });
    },
  };
}

/** Deliveries of a destination, newest first. */
export function readDeliveries(
  accountId: string,
  destinationId: string,
  {
    state,
    after,
    limit,
  }: { readonly state?: DeliveryState | undefined; readonly after: number | null; readonly limit: number },
): SqlStatement {
  const values: (string | number)[] = [accountId, encodeText(destinationId), limit];
  const bind = (value: string | number) => `$${values.push(value)}`;
  const conditions = [
    ...(state === undefined ? [] : [`AND d.state = ${bind(state)}`]),
    ...(after === null ? [] : [`AND d.event_seq < ${bind(after)}`]),
  ];
  const sql = `${FULL} WHERE e.account_id = $1 AND d.destination_id = $2 ${conditions.join(' ')}
    ORDER BY d.event_seq DESC LIMIT $3`;
  return { sql, values };
}

function createDeliveryLog({
  query,
  change,
}: Pick<SqlDatabase, 'query' | 'change'>): Pick<
  EventStore,
  'deliverySummary' | 'deliveries' | 'replayDelivery' | 'pruneEvents'
> {
  return {
    async deliverySummary(destinationId): Promise<DeliverySummary> {
      const values = [encodeText(destinationId)];
      const [counts] = await query<Row>(SUMMARY, values);
      const [last] = await query<Row>(LAST_TRIED, values);
      return {
        waiting: (counts?.waiting ?? 0) as number,
        failed: (counts?.failed ?? 0) as number,
        deliveredAt: (counts?.delivered_at ?? null) as number | null,
        last: last === undefined ? null : toOutcome(last),
      };
    },
    async deliveries(accountId, destinationId, { state, after = null, limit }) {
      const { sql, values } = readDeliveries(accountId, destinationId, { state, after, limit: limit + 1 });
      const found = (await query<Row>(sql, values)).map(toDelivery);
      const page = found.slice(0, limit);
      return { deliveries: page, next: found.length > limit ? (page.at(-1) as Delivery).event.seq : null };
    },
    async replayDelivery(accountId, destinationId, eventId, now, ...audit) {
      const values = [encodeText(destinationId), encodeText(eventId), accountId, now + DAY_MS];
      return (await change(audit, { sql: REPLAY, values })).length > 0;
    },
    async pruneEvents(before, maxPruned) {
      const values = [before, maxPruned];
      if ((await query(OLD, [before, 1])).length === 0) return 0;
      const sql = `DELETE FROM events WHERE seq IN (SELECT seq FROM (${OLD}) AS old) RETURNING seq`;
      return (await change([], { sql, values })).length;
    },
  };
}

function createSignupEvents({
  query,
  change,
}: Pick<SqlDatabase, 'query' | 'change'>): Pick<EventStore, 'wantedSignups' | 'saveSignupEvents'> {
  return {
    async wantedSignups(): Promise<WantedSignups | undefined> {
      const sql = `SELECT account_id, verdicts, since, (SELECT value FROM meta WHERE name = 'signup_events_until') AS until
        FROM event_destinations WHERE disabled_at IS NULL AND verdicts <> '' AND types LIKE '% signup.assessed %'`;
      const rows = await query<Row>(sql);
      if (rows.length === 0) return undefined;
      const verdicts = new Map<string, Set<EventVerdict>>();
      for (const { account_id: account, verdicts: words } of rows) {
        const wanted = verdicts.get(account as string) ?? new Set();
        for (const word of String(words).trim().split(' ')) wanted.add(word as EventVerdict);
        verdicts.set(account as string, wanted);
      }
      const since = Math.min(...rows.map((row) => row.since as number));
      return { since: Math.max(since, (rows[0] as Row).until as number), verdicts };
    },
    async saveSignupEvents(events, until) {
      const note = {
        sql: `UPDATE meta SET value = $1 WHERE name = 'signup_events_until' AND value < $1 RETURNING value`,
        values: [until],
      };
      await change([], ...events.map((event) => eventStatement(event)), note);
    },
  };
}

function toDelivery(row: Row): Delivery {
  return {
    event: toEvent(row),
    destinationId: row.destination_id as string,
    tries: row.tries as number,
    nextAt: row.next_at as number,
    until: row.until as number,
    ...toOutcome(row),
  };
}

function toOutcome(row: Row): Pick<Delivery, 'state' | 'triedAt' | 'status' | 'problem'> {
  return {
    state: row.state as DeliveryState,
    triedAt: row.tried_at as number | null,
    status: row.status as number | null,
    problem: row.problem === null ? null : decodeText(row.problem as string),
  };
}

function toEvent(row: Row): StoredEvent {
  return {
    seq: row.seq as number,
    id: row.id as string,
    accountId: row.account_id as string,
    type: row.type as MessageType,
    object: row.object as string,
    at: row.at as number,
    data: JSON.parse(row.data as string) as Record<string, unknown>,
  };
}
