/** What SQLite provides for the history: statements on the database, and sources and rollups from the index. */
import type { HistoryDatabase } from '../history-queries.ts';
import { type ChooseSource, isWithin } from '../history-search.ts';
import {
  COLUMNS,
  conditionsOf,
  createBind,
  type HistoryRow,
  type HistorySql,
  LOOK_UPS,
} from '../history-sql.ts';
import type { HistoryPosition } from '../history-store.ts';
import {
  DAY_SLOTS,
  type DaySum,
  type HistoryRollups,
  type StopCount,
  type TrafficSum,
} from '../history-traffic.ts';
import type { SqliteConnection } from './connection.ts';
import { createChoosePositions } from './history-sources.ts';
import { createQuery } from './sql-database.ts';
import { createReadStored } from './stored-assessments.ts';

const MAX_SCAN_ROWS = 2_000;
const SPAN = 'account_id = ? AND mode = ? AND kind = ? AND slot >= ? AND slot < ?';

/** Finds what the index includes. */
export function createHistoryDatabase(log: SqliteConnection, index: SqliteConnection): HistoryDatabase {
  const query = createQuery(log);
  const sql: HistorySql = {
    query,
    position: 'instr',
    joinAssessment: `JOIN (SELECT ${COLUMNS} FROM assessments) AS a ON a.seq = f.seq`,
    readStored: createReadStored({ query }),
    // SQL cannot compare addresses: the rows are compared when they are read.
    inBlock: () => 'a.ip IS NOT NULL',
  };
  return { sql, chooseSource: createChooseSource(sql, log, index), rollups: createRollups(index) };
}

function createChooseSource(sql: HistorySql, log: SqliteConnection, index: SqliteConnection): ChooseSource {
  const choosePositions = createChoosePositions(log, index);

  async function readRows(
    accountId: string,
    search: Parameters<ChooseSource>[1],
    positions: readonly HistoryPosition[],
  ): Promise<readonly HistoryRow[]> {
    const { bind, values } = createBind();
    const rows = await sql.query<HistoryRow>(
      `SELECT ${COLUMNS}, ${LOOK_UPS} FROM json_each(${bind(JSON.stringify(positions.map(({ seq }) => seq)))}) AS place
        CROSS JOIN assessments AS a ON a.seq = place.value
      WHERE ${conditionsOf(sql, accountId, search, bind)} ORDER BY a.at DESC, a.seq DESC`,
      values,
    );
    const { ip } = search;
    return ip === undefined ? rows : rows.filter((row) => isWithin(row.ip as string, ip));
  }

  return async (accountId, search, { before, from }) => {
    const source = choosePositions(accountId, search, before, from);
    return {
      maxScanRows: MAX_SCAN_ROWS,
      async scan({ before, from }, count) {
        const positions = source.read(before, from, count);
        const rows = await readRows(accountId, search, positions);
        return { rows, rowsRead: positions.length, last: positions.at(-1) ?? before };
      },
    };
  };
}

function createRollups(index: SqliteConnection): HistoryRollups {
  const readSlots = index.prepare(
    `SELECT slot, kind, name AS value, count, weight FROM tallies WHERE ${SPAN} ORDER BY slot`,
  );
  const readSums = index.prepare(
    `SELECT NULL AS slot, kind, name AS value, sum(count) AS count, sum(weight) AS weight FROM tallies
     WHERE ${SPAN} GROUP BY name`,
  );
  const readStops = index.prepare(
    `SELECT name AS code, sum(count) AS stopped FROM tallies WHERE ${SPAN} GROUP BY name ORDER BY stopped DESC, name`,
  );
  const readDays = index.prepare(
    `SELECT slot / ${DAY_SLOTS} AS day, mode, sum(count) AS count FROM tallies
     WHERE account_id = ? AND mode IN ('live', 'test') AND kind = 'verdict' AND slot >= ? AND slot < ?
     GROUP BY day, mode ORDER BY day`,
  );
  return {
    async traffic(accountId, mode, from, to) {
      const sums = ['reason', 'latency'].flatMap((kind) => readSums.all(accountId, mode, kind, from, to));
      return [...readSlots.all(accountId, mode, 'verdict', from, to), ...sums] as TrafficSum[];
    },
    async stops(accountId, mode, from, to) {
      return readStops.all(accountId, mode, 'given', from, to) as StopCount[];
    },
    async days(accountId, from, to) {
      return readDays.all(accountId, from, to) as DaySum[];
    },
  };
}
