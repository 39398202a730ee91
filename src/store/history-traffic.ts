/** Reads traffic from the rollups of half hours: verdicts over time, reasons, latencies, and days. */
import type { Verdict } from '../contract/messages.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import type { KeyMode } from '../model/key-mode.ts';
import { type AnswerSums, addAnswers, noAnswers } from './answer-counts.ts';
import { type HistoryStore, SLOT_MS, type Traffic } from './history-store.ts';

/** Reads the rollups of an account; slots are half hours since the epoch, `to` is exclusive. Each database stores them in its own form. */
export interface HistoryRollups {
  /** Verdicts by slot, in order; reasons, main findings and latencies of all slots. */
  traffic(accountId: string, mode: KeyMode, from: number, to: number): Promise<readonly TrafficSum[]>;
  /** Counts of each reason, and of each main finding, in assessments that were challenged or blocked; most frequent first. */
  stops(accountId: string, mode: KeyMode, from: number, to: number): Promise<readonly StopCount[]>;
  /** Sums in order of days, counted since the epoch. */
  days(accountId: string, from: number, to: number): Promise<readonly DaySum[]>;
}

export interface TrafficSum {
  /** `null`: of all slots. */
  readonly slot: number | null;
  readonly kind: 'verdict' | 'reason' | 'latency' | 'finding' | 'stopped' | 'observed';
  readonly value: string;
  /** A verdict that was not answered: the answer was `allow`. */
  readonly shadow: boolean;
  readonly count: number;
  /** The combined weight of a reason's findings, summed over its assessments. */
  readonly weight: number;
}

export interface StopCount {
  readonly kind: 'reason' | 'finding';
  /** A reason, or the detector of a main finding. */
  readonly code: string;
  readonly stopped: number;
}

export interface DaySum {
  readonly day: number;
  readonly mode: KeyMode;
  readonly count: number;
}

const DAY_MS = 86_400_000;
export const DAY_SLOTS = DAY_MS / SLOT_MS;
const EXACT_BELOW_MS = 64;
const BUCKETS_PER_DOUBLING = 16;

export function createTraffic(rollups: HistoryRollups): HistoryStore['traffic'] {
  return async (accountId, { mode, from, to }) => {
    const readAt = Date.now();
    const sums = await rollups.traffic(accountId, mode, from / SLOT_MS, to / SLOT_MS);
    const slots = slotsOf(sums);
    const reasons = sums
      .filter(({ kind }) => kind === 'reason')
      .map(({ value, count, weight }) => ({ code: value as ReasonCode, count, meanWeight: weight / count }))
      .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
    const countsOf = (wanted: TrafficSum['kind']) =>
      new Map(sums.flatMap(({ kind, value, count }) => (kind === wanted ? [[value, count] as const] : [])));
    const [stopped, observed] = [countsOf('stopped'), countsOf('observed')];
    const findings = [...countsOf('finding')]
      .map(([detector, count]) => {
        const counts = { stopped: stopped.get(detector) ?? 0, observed: observed.get(detector) ?? 0 };
        return { detector, count, ...counts };
      })
      .sort((a, b) => b.stopped - a.stopped || b.count - a.count || (a.detector < b.detector ? -1 : 1));
    const latencies = sums
      .filter(({ kind }) => kind === 'latency')
      .map(({ value, count }) => ({ lowest: Number(value), count }))
      .sort((a, b) => a.lowest - b.lowest);
    const latency = { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) };
    return { readAt, slots, reasons, findings, latency };
  };
}

/** Verdicts by slot, in the order of the sums. */
function slotsOf(sums: readonly TrafficSum[]): Traffic['slots'] {
  const slots = new Map<number, { at: number } & AnswerSums>();
  for (const { slot, value, shadow, count } of sums) {
    if (slot === null) continue;
    const counts = slots.get(slot) ?? { at: slot * SLOT_MS, ...noAnswers() };
    addAnswers(counts, { verdict: value as Verdict, shadow, count });
    slots.set(slot, counts);
  }
  return [...slots.values()];
}

export function createDayCounts(rollups: HistoryRollups): HistoryStore['dayCounts'] {
  return async (accountId, from, to) => {
    const days = new Map<number, { day: string; live: number; test: number }>();
    for (const { day, mode, count } of await rollups.days(accountId, from / SLOT_MS, to / SLOT_MS)) {
      const start = new Date(day * DAY_MS).toISOString().slice(0, 10);
      const counts = days.get(day) ?? { day: start, live: 0, test: 0 };
      counts[mode] += count;
      days.set(day, counts);
    }
    return [...days.values()];
  };
}

/** The smallest latency of the bucket that a latency, in whole milliseconds, is counted in: each its own at first, then 16 buckets for each doubling. */
export function latencyBucket(milliseconds: number): number {
  if (milliseconds < EXACT_BELOW_MS) return milliseconds;
  const width = bucketWidth(milliseconds);
  return Math.floor(milliseconds / width) * width;
}

/** Width of the bucket of a latency, in whole milliseconds. */
export function bucketWidth(milliseconds: number): number {
  return milliseconds < EXACT_BELOW_MS ? 1 : 2 ** Math.floor(Math.log2(milliseconds)) / BUCKETS_PER_DOUBLING;
}

interface LatencyCount {
  /** Lowest latency of the bucket. */
  readonly lowest: number;
  readonly count: number;
}

/** The smallest latency that this share of all, in order, does not exceed; within a wide bucket, by its rank there. */
function quantile(latencies: readonly LatencyCount[], share: number): number | null {
  const total = latencies.reduce((sum, { count }) => sum + count, 0);
  const rank = Math.ceil(share * total);
  let before = 0;
  for (const { lowest, count } of latencies) {
    if (before + count >= rank) {
      return lowest + Math.floor(((bucketWidth(lowest) - 1) * (rank - before)) / count);
    }
    before += count;
  }
  return null;
}
