/** Decides who may have a DNS query open, so that name servers that do not answer one tenant take no places from the others. */

/** One of the places for open queries. Both methods may be called more than once. */
export interface QueryPlace {
  /** Nobody waits for the reply any more: the place may be given to somebody else. */
  yield(): void;
  release(): void;
}

/** The tenant of the questions that test the resolver: a few, which always get a place. */
export const CONTROL = 'control';

interface OpenPlace extends QueryPlace {
  readonly tenant: string;
  readonly onLost: () => void;
}

export class QueryPlaces {
  readonly #capacity: number;
  readonly #maxWaiting: number;
  /** Places somebody waits for, and how many of them each tenant has. */
  readonly #awaited = new Set<OpenPlace>();
  readonly #countByTenant = new Map<string, number>();
  /** Yielded places, in the order in which they were yielded. */
  readonly #yielded = new Set<OpenPlace>();
  /** Queues by tenant; the tenant whose turn is next comes first. */
  readonly #queues = new Map<string, Set<() => void>>();
  #closed = false;

  /** `maxWaiting`: turns that one tenant may wait for at once. */
  constructor({ capacity, maxWaiting }: { readonly capacity: number; readonly maxWaiting: number }) {
    this.#capacity = capacity;
    this.#maxWaiting = maxWaiting;
  }

  /** A place at once, or `undefined`. @param onLost called when a place that was yielded goes to somebody else */
  take(tenant: string, onLost: () => void): QueryPlace | undefined {
    if (this.#closed || !this.#fits(tenant)) return undefined;
    if (this.#awaited.size + this.#yielded.size >= this.#capacity) this.#evict();
    const place: OpenPlace = {
      tenant,
      onLost,
      yield: () => {
        if (!this.#leave(place)) return;
        this.#yielded.add(place);
        this.#serve();
      },
      release: () => {
        if (this.#leave(place)) this.#serve();
        else this.#yielded.delete(place);
      },
    };
    this.#awaited.add(place);
    this.#countByTenant.set(tenant, this.#countOf(tenant) + 1);
    return place;
  }

  /**
   * Calls `onTurn` once, as soon as `take` has a place for the tenant: first come, first served within a
   * tenant, tenants in turns. Returns how to leave the queue, or `undefined` when the tenant has too many waiting. Leaving
   * returns whether the turn had not come yet.
   */
  wait(tenant: string, onTurn: () => void): (() => boolean) | undefined {
    const queue = this.#queues.get(tenant) ?? new Set();
    if (this.#closed || queue.size >= this.#maxWaiting) return undefined;
    // An entry of its own, so that the same function may wait twice.
    const turn = () => onTurn();
    queue.add(turn);
    this.#queues.set(tenant, queue);
    return () => {
      const waited = queue.delete(turn);
      if (queue.size === 0 && this.#queues.get(tenant) === queue) this.#queues.delete(tenant);
      return waited;
    };
  }

  /** Calls `onTurn` of everybody who waits; `take` then has no place. */
  close(): void {
    this.#closed = true;
    const queues = [...this.#queues.values()];
    this.#queues.clear();
    for (const queue of queues) {
      for (const turn of queue) {
        queue.delete(turn);
        turn();
      }
    }
  }

  #countOf(tenant: string): number {
    return this.#countByTenant.get(tenant) ?? 0;
  }

  /**
   * A tenant may have as many places as are free: one alone gets half of them, two a third each, ten an eleventh. So
   * some are always free for the next tenant, and the number of tenants need not be known.
   */
  #fits(tenant: string): boolean {
    return tenant === CONTROL || this.#countOf(tenant) < this.#capacity - this.#awaited.size;
  }

  /** Whether it was awaited until now. */
  #leave(place: OpenPlace): boolean {
    if (!this.#awaited.delete(place)) return false;
    const remaining = this.#countOf(place.tenant) - 1;
    if (remaining === 0) this.#countByTenant.delete(place.tenant);
    else this.#countByTenant.set(place.tenant, remaining);
    return true;
  }

  #evict(): void {
    const [oldest] = this.#yielded;
    if (oldest === undefined) return;
    this.#yielded.delete(oldest);
    oldest.onLost();
  }

  /** A tenant that got its turn goes to the end of the map, where this loop meets it again. */
  #serve(): void {
    for (const [tenant, queue] of this.#queues) {
      if (!this.#fits(tenant)) continue;
      const [turn] = queue;
      this.#queues.delete(tenant);
      if (turn === undefined) continue;
      queue.delete(turn);
      if (queue.size > 0) this.#queues.set(tenant, queue);
      turn();
    }
  }
}
