/** Decides where an attempt is counted: on the server; after a rebuild if the account is incomplete there; on this node if the server does not answer in time. */
import type { VelocityEvent } from '../../model/velocity-event.ts';
import type { Counters, CountRequest, CountResult, LocalCounters, Reservation } from '../counters.ts';
import { uncountedReservation } from '../uncounted-reservation.ts';
import type { CountingServers } from './counting-servers.ts';
import type { Rebuild } from './rebuild-account.ts';
import type { RedisCounters, RedisCountResult } from './redis-counters.ts';
import { LocalReservation, type ReplayQueue } from './replay-queue.ts';
import type { ServerHealth } from './server-health.ts';

export interface SharedCountingOptions {
  readonly redis: RedisCounters;
  /** This node's own counters. */
  readonly memory: LocalCounters;
  readonly replayQueue: ReplayQueue;
  readonly rebuild: Rebuild;
  readonly servers: CountingServers;
  /** Called for each attempt whose counts are only lower bounds. */
  readonly onLocalFallback: () => void;
}

export function createSharedCounting(options: SharedCountingOptions): Counters['checkAndCount'] {
  const { redis, memory, replayQueue, rebuild, servers, onLocalFallback } = options;

  function countLocally(request: CountRequest, late?: Promise<RedisCountResult>): CountResult {
    const local = memory.checkAndCount(request);
    // An attempt that is in no count need not be sent to the server later.
    if (local.counted === null || request.event.broughtBy !== undefined) return local;
    const counted = new LocalReservation(request.event, local.counted, late);
    replayQueue.add(counted);
    if (servers.serverOf(request.event.account).health.isStateLost())
      replayQueue.markIncomplete(request.event.account);
    onLocalFallback();
    return { rate: local.rate, credit: 'unknown', counted };
  }

  /** Counts in this node's own counters too, in case the server fails later. */
  function follow(request: CountRequest, result: CountResult, partial: boolean): CountResult {
    const { rate, credit, counted } = result;
    if (rate?.admitted === false) return result;
    const { bucket, window, event } = request;
    if (counted === null) {
      if (window !== null) memory.admit(bucket, window, event.at);
      return result;
    }
    const local = memory.checkAndCount(request).counted;
    return {
      rate,
      credit,
      counted: new SharedReservation(counted, local, { partial, onMissed: sendLater(event) }),
    };
  }

  /** Sends an event that the server has once more: it recognises the event, and takes over that it was blocked. */
  function sendLater(event: VelocityEvent): () => void {
    return () => {
      const missed = new LocalReservation(event, uncountedReservation(event), undefined);
      missed.blocked = true;
      replayQueue.add(missed);
    };
  }

  async function rebuildThenFollow(
    health: ServerHealth,
    request: CountRequest,
    result: RedisCountResult,
  ): Promise<CountResult> {
    const { event, credit } = request;
    const whole = await rebuild(event.account, credit?.month);
    const counting = redis.countAnyway(request, result);
    try {
      const counted = await health.withDeadline(counting);
      if (!whole) onLocalFallback();
      return follow(request, counted, !whole);
    } catch {
      return { ...countLocally({ ...request, window: null }, counting), rate: result.rate };
    }
  }

  return async (request) => {
    const { health } = servers.serverOf(request.event.account);
    if (!health.isUp()) return countLocally(request);
    const counting = redis.checkAndCount(request);
    const result = await health.withDeadline(counting).catch(() => undefined);
    if (result === undefined) return countLocally(request, counting);
    return result.incomplete ? rebuildThenFollow(health, request, result) : follow(request, result, false);
  };
}

interface SharedDetails {
  readonly partial: boolean;
  /** Called where the server did not learn that the attempt was blocked. */
  readonly onMissed: () => void;
}

class SharedReservation implements Reservation {
  readonly counts: Reservation['counts'];
  readonly voices: Reservation['voices'];
  readonly #shared: Reservation;
  readonly #local: Reservation | null;
  readonly #onMissed: () => void;

  constructor(shared: Reservation, local: Reservation | null, { partial, onMissed }: SharedDetails) {
    this.counts = partial ? { ...shared.counts, partial } : shared.counts;
    this.voices = shared.voices;
    this.#shared = shared;
    this.#local = local;
    this.#onMissed = onMissed;
  }

  /** Takes the attempt back; where the server cannot be reached, it expires within a day. */
  async undo(): Promise<void> {
    await this.#local?.undo();
    await this.#shared.undo().catch(() => {});
  }

  async markBlocked(): Promise<void> {
    await this.#local?.markBlocked();
    await this.#shared.markBlocked().catch(this.#onMissed);
  }
}
