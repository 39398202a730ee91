/** Decides where an attempt is counted: at the server; after a rebuild where the server lacks the account; alone where it does not answer in time. */
import type { Counters, CountRequest, CountResult, LocalCounters, Reservation } from '../counters.ts';
import type { CountingServers } from './counting-servers.ts';
import type { createRebuild } from './rebuild.ts';
import type { RedisCounters, RedisCountResult } from './redis-counters.ts';
import { LocalReservation, type ReplayQueue } from './replay-queue.ts';
import type { ServerHealth } from './server-health.ts';

export interface SharedCountingOptions {
  readonly redis: RedisCounters;
  /** This node's own counters. */
  readonly memory: LocalCounters;
  readonly missed: ReplayQueue;
  readonly rebuild: ReturnType<typeof createRebuild>;
  readonly servers: CountingServers;
  /** Called for each attempt whose counts are lower bounds. */
  readonly onLocalFallback: () => void;
}

export function createSharedCounting(options: SharedCountingOptions): Counters['checkAndCount'] {
  const { redis, memory, missed, rebuild, servers, onLocalFallback } = options;

  function countAlone(request: CountRequest, late?: Promise<RedisCountResult>): CountResult {
    const local = memory.checkAndCount(request);
    if (local.counted === null) return local;
    const counted = new LocalReservation(request.event, local.counted, late);
    missed.note(counted);
    if (servers.of(request.event.account).link.isStateLost()) missed.doubt(request.event.account);
    onLocalFallback();
    return { rate: local.rate, credit: 'unknown', counted };
  }

  /** This node's own counters follow, for the day they are needed. */
  function follow(request: CountRequest, result: CountResult, partial: boolean): CountResult {
    const { rate, credit, counted } = result;
    if (rate?.admitted === false) return result;
    const { bucket, window, event } = request;
    if (counted === null) {
      if (window !== null) memory.admit(bucket, window, event.at);
      return result;
    }
    const local = memory.checkAndCount(request).counted;
    return { rate, credit, counted: new CountedTogether(counted, local, partial) };
  }

  async function healThenFollow(
    link: ServerHealth,
    request: CountRequest,
    result: RedisCountResult,
  ): Promise<CountResult> {
    const { event, credit } = request;
    const whole = await rebuild.heal(event.account, credit?.month);
    const counting = redis.countAnyway(request, result);
    try {
      const counted = await link.withDeadline(counting);
      if (!whole) onLocalFallback();
      return follow(request, counted, !whole);
    } catch {
      return { ...countAlone({ ...request, window: null }, counting), rate: result.rate };
    }
  }

  return async (request) => {
    const { link } = servers.of(request.event.account);
    if (!link.isUp()) return countAlone(request);
    const counting = redis.checkAndCount(request);
    const result = await link.withDeadline(counting).catch(() => undefined);
    if (result === undefined) return countAlone(request, counting);
    return result.incomplete ? healThenFollow(link, request, result) : follow(request, result, false);
  };
}

class CountedTogether implements Reservation {
  readonly counts: Reservation['counts'];
  readonly #shared: Reservation;
  readonly #local: Reservation | null;

  constructor(shared: Reservation, local: Reservation | null, partial: boolean) {
    this.counts = partial ? { ...shared.counts, partial } : shared.counts;
    this.#shared = shared;
    this.#local = local;
  }

  /** What the server cannot be told any more leaves it within a day. */
  async undo(): Promise<void> {
    await this.#local?.undo();
    await this.#shared.undo().catch(() => {});
  }
}
