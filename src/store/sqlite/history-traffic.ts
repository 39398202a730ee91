/** Reads what the traffic of a time came to, from its tallies. */
import type { Verdict } from '../../contract/messages.ts';
import type { ReasonCode } from '../../contract/reasons.ts';
import type { KeyMode } from '../../model/key-mode.ts';
import { quantile } from '../history-latency-bucket.ts';
import { type DayCount, SLOT_MS, type Traffic, type TrafficSpan } from '../history-store.ts';
import type { SqliteConnection } from './connection.ts';

const DAY_SLOTS = 86_400_000 / SLOT_MS;
const SPAN = 'account_id = ? AND mode = ? AND kind = ? AND slot >= ? AND slot < ?';

interface Sum {
  readonly name: string;
  readonly count: number;
  readonly weight: number;
}

export function createReadTraffic(index: SqliteConnection) {
  const readSlots = index.prepare(`SELECT slot, name, count FROM tallies WHERE ${SPAN} ORDER BY slot`);
  const readSums = index.prepare(
    `SELECT name, sum(count) AS count, sum(weight) AS weight FROM tallies WHERE ${SPAN} GROUP BY name`,
  );
  return (accountId: string, { mode, from, to }: TrafficSpan): Traffic => {
    const span = [from / SLOT_MS, to / SLOT_MS];
    const slots = new Map<number, { at: number } & Record<Verdict, number>>();
    for (const { slot, name, count } of readSlots.all(accountId, mode, 'verdict', ...span) as SlotRow[]) {
      const counts = slots.get(slot) ?? { at: slot * SLOT_MS, allow: 0, challenge: 0, block: 0 };
      counts[name] += count;
      slots.set(slot, counts);
    }
    const reasons = (readSums.all(accountId, mode, 'reason', ...span) as Sum[])
      .map(({ name, count, weight }) => ({ code: name as ReasonCode, count, meanWeight: weight / count }))
      .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
    const latencies = (readSums.all(accountId, mode, 'latency', ...span) as Sum[])
      .map(({ name, count }) => ({ lowest: Number(name), count }))
      .sort((a, b) => a.lowest - b.lowest);
    const latency = { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) };
    return { readAt: Date.now(), slots: [...slots.values()], reasons, latency };
  };
}

interface SlotRow {
  readonly slot: number;
  readonly name: Verdict;
  readonly count: number;
}

export function createCountDays(index: SqliteConnection) {
  const read = index.prepare(
    `SELECT slot / ${DAY_SLOTS} AS day, mode, sum(count) AS count FROM tallies
     WHERE account_id = ? AND mode IN ('live', 'test') AND kind = 'verdict' AND slot >= ? AND slot < ?
     GROUP BY day, mode ORDER BY day`,
  );
  return (accountId: string, from: number, to: number): DayCount[] => {
    const days = new Map<number, { day: string; live: number; test: number }>();
    for (const row of read.all(accountId, from / SLOT_MS, to / SLOT_MS) as DayRow[]) {
      const start = row.day * DAY_SLOTS * SLOT_MS;
      const day = days.get(row.day) ?? { day: new Date(start).toISOString().slice(0, 10), live: 0, test: 0 };
      day[row.mode] += row.count;
      days.set(row.day, day);
    }
    return [...days.values()];
  };
}

interface DayRow {
  readonly day: number;
  readonly mode: KeyMode;
  readonly count: number;
}
