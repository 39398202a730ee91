/** SQLite's part of the history: searches and sums from the runs, records from the database. */
import type { HistoryDatabase } from '../history-queries.ts';
import {
  DAY_SLOTS,
  type DaySum,
  type HistoryRollups,
  type StopCount,
  type TrafficSum,
} from '../history-traffic.ts';
import type { RecordSource } from '../records/record-source.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { createQuery } from '../sqlite-query.ts';
import type { StoredAssessment } from '../stored-assessment.ts';
import { createPostFeedback } from './history-feedback.ts';
import { createCountPage } from './history-groups.ts';
import { createHistoryMarks } from './history-marks.ts';
import { createHistoryRows } from './history-rows.ts';
import { createRunSource } from './history-source.ts';
import type { RollupRow, Segment } from './run-segment.ts';

/** @param segments what is indexed */
export function createHistoryDatabase(
  connection: SqliteConnection,
  source: RecordSource,
  segments: () => readonly Segment[],
): HistoryDatabase {
  const query = createQuery(connection);
  const rows = createHistoryRows(query, source);
  const postFeedback = createPostFeedback(connection);
  return {
    query,
    chooseSource: createRunSource({ segments, source, postFeedback, rows }),
    countPage: createCountPage({ segments, postFeedback, rows }),
    rollups: createRollups(segments),
    readStored: async (wanted) =>
      source.read(wanted.map(({ seq }) => seq)).map(({ seq: _, ...stored }): StoredAssessment => stored),
    marks: createHistoryMarks({ segments, query, rows }),
  };
}

function createRollups(segments: () => readonly Segment[]): HistoryRollups {
  function read(accountId: string, mode: 'live' | 'test', from: number, to: number): RollupRow[] {
    return segments().flatMap((segment) => [...segment.rollups(accountId, mode, from, to)]);
  }
  return {
    async traffic(accountId, mode, from, to) {
      const sums = new Map<string, TrafficSum>();
      for (const { slot, kind, name, shadow, count, weight } of read(accountId, mode, from, to)) {
        if (kind === 'given') continue;
        const key = `${slot} ${kind} ${name} ${shadow}`;
        const before = sums.get(key);
        sums.set(key, {
          slot,
          kind,
          value: name,
          shadow,
          count: count + (before?.count ?? 0),
          weight: weight + (before?.weight ?? 0),
        });
      }
      return [...sums.values()].sort((a, b) => (a.slot ?? 0) - (b.slot ?? 0));
    },
    async stops(accountId, mode, from, to) {
      const stopped = new Map<string, StopCount>();
      for (const { kind, name, count } of read(accountId, mode, from, to))
        if (kind === 'given' || kind === 'stopped' || kind === 'observed') {
          const of = kind === 'given' ? 'reason' : 'finding';
          const key = `${of} ${name}`;
          const before = stopped.get(key)?.stopped ?? 0;
          stopped.set(key, {
            kind: of,
            code: name,
            stopped: count + before,
          });
        }
      return [...stopped.values()].sort((a, b) => b.stopped - a.stopped || (a.code < b.code ? -1 : 1));
    },
    async days(accountId, from, to) {
      const days = new Map<string, DaySum>();
      for (const mode of ['live', 'test'] as const)
        for (const { slot, kind, count } of read(accountId, mode, from, to)) {
          if (kind !== 'verdict') continue;
          const day = Math.floor((slot as number) / DAY_SLOTS);
          const key = `${day} ${mode}`;
          days.set(key, { day, mode, count: count + (days.get(key)?.count ?? 0) });
        }
      return [...days.values()].sort((a, b) => a.day - b.day);
    },
  };
}
