/** Reads what the traffic of a time came to. */
import type { Verdict } from '../../contract/messages.ts';
import type { ReasonCode } from '../../contract/reasons.ts';
import type { KeyMode } from '../../model/key-mode.ts';
import { quantile } from '../history-latency-bucket.ts';
import { type DayCount, SLOT_MS, type Traffic, type TrafficSpan } from '../history-store.ts';
import type { Query } from './database.ts';

const DAY_MS = 86_400_000;
const DAY_SLOTS = DAY_MS / SLOT_MS;

const READ_TRAFFIC = `SELECT CASE WHEN starts_with(name, 'verdict ') THEN slot END AS slot, name,
    sum(count)::bigint AS count, sum(weight) AS weight
  FROM gatehouse_traffic_1($1, $2, $3, $4) WHERE NOT starts_with(name, 'given ') GROUP BY 1, 2 ORDER BY 1`;
const COUNT_DAYS = `SELECT slot / ${DAY_SLOTS} AS day, mode, sum(count)::bigint AS count
  FROM gatehouse_traffic_1($1, NULL, $2, $3) WHERE starts_with(name, 'verdict ') GROUP BY 1, 2 ORDER BY 1`;

interface Sum {
  /** `null` where it is of all slots. */
  readonly slot: number | null;
  /** A kind and a value. */
  readonly name: string;
  readonly count: number;
  readonly weight: number;
}

export function createReadTraffic(query: Query) {
  return async (accountId: string, { mode, from, to }: TrafficSpan): Promise<Traffic> => {
    const readAt = Date.now();
    const sums = await query<Sum>(READ_TRAFFIC, [accountId, mode, from / SLOT_MS, to / SLOT_MS]);
    const slots = new Map<number, { at: number } & Record<Verdict, number>>();
    for (const { slot, name, count } of sums) {
      if (slot === null) continue;
      const counts = slots.get(slot) ?? { at: slot * SLOT_MS, allow: 0, challenge: 0, block: 0 };
      counts[withoutKind(name) as Verdict] += count;
      slots.set(slot, counts);
    }
    const reasons = sums
      .filter(({ name }) => name.startsWith('reason '))
      .map(({ name, count, weight }) => ({
        code: withoutKind(name) as ReasonCode,
        count,
        meanWeight: weight / count,
      }))
      .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
    const latencies = sums
      .filter(({ name }) => name.startsWith('latency '))
      .map(({ name, count }) => ({ lowest: Number(withoutKind(name)), count }))
      .sort((a, b) => a.lowest - b.lowest);
    const latency = { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) };
    return { readAt, slots: [...slots.values()], reasons, latency };
  };
}

function withoutKind(name: string): string {
  return name.slice(name.indexOf(' ') + 1);
}

interface DayRow {
  readonly day: number;
  readonly mode: KeyMode;
  readonly count: number;
}

export function createCountDays(query: Query) {
  return async (accountId: string, from: number, to: number): Promise<DayCount[]> => {
    const days = new Map<number, { day: string; live: number; test: number }>();
    for (const row of await query<DayRow>(COUNT_DAYS, [accountId, from / SLOT_MS, to / SLOT_MS])) {
      const start = new Date(row.day * DAY_MS).toISOString().slice(0, 10);
      const day = days.get(row.day) ?? { day: start, live: 0, test: 0 };
      day[row.mode] += row.count;
      days.set(row.day, day);
    }
    return [...days.values()];
  };
}
