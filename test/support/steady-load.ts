/** Sends signups at a steady rate to the nodes of a cluster, whatever they answer, and records each answer and its time. */
import type { Client } from './client.ts';

export interface Outcome {
  readonly node: number;
  /** Instant of `performance.now()`. */
  readonly sentAt: number;
  readonly milliseconds: number;
  /** 0 if the connection was lost. */
  readonly status: number;
  readonly text: string;
}

export interface SteadyLoad {
  /** In the order of their answers. */
  readonly outcomes: readonly Outcome[];
  /** Sends no more requests; resolves when every request has its answer. */
  stop(): Promise<void>;
}

export interface SteadyLoadOptions {
  readonly clients: readonly Client[];
  readonly key: string;
  /** Requests per second to all nodes together. */
  readonly perSecond: number;
}

const TICK_MS = 10;
/** From 198.18.0.0/15, which is reserved for such tests; some senders come again. */
const SENDERS = 200;
const DOMAINS = 50;

let signups = 0;

export function startSteadyLoad({ clients, key, perSecond }: SteadyLoadOptions): SteadyLoad {
  const outcomes: Outcome[] = [];
  const underWay = new Set<Promise<void>>();
  const began = performance.now();
  let sent = 0;

  async function send(node: number): Promise<void> {
    signups += 1;
    const body = {
      email: `user${signups}@steady-${signups % DOMAINS}.example.com`,
      ip: `198.18.0.${signups % SENDERS}`,
    };
    const sentAt = performance.now();
    const { status, text } = await (clients[node] as Client)
      .assess(body, key)
      .catch(() => ({ status: 0, text: '' }));
    outcomes.push({ node, sentAt, milliseconds: performance.now() - sentAt, status, text });
  }

  const sending = setInterval(() => {
    const due = ((performance.now() - began) * perSecond) / 1_000;
    for (; sent < due; sent += 1) {
      const request = send(sent % clients.length).finally(() => underWay.delete(request));
      underWay.add(request);
    }
  }, TICK_MS);
  return {
    outcomes,
    async stop() {
      clearInterval(sending);
      await Promise.all(underWay);
    },
  };
}

/** How often each status was answered; 0 means no answer. */
export function countStatuses(outcomes: readonly Pick<Outcome, 'status'>[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** @param share 0.99 for the 99th percentile; 1 for the slowest */
export function percentile(outcomes: readonly Outcome[], share: number): number {
  const sorted = outcomes.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
