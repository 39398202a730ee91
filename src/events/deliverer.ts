/** Delivers what waits: side by side for many destinations, a few at a time for each, so that one that hangs delays no other. */
import type { Logger } from 'pino';
import type { Delivery, Destination, DisabledReason } from '../model/event.ts';
import type { MakeAuditEntry } from '../store/audit-store.ts';
import type { DeliveryOutcome, DestinationStore, EventStore } from '../store/event-store.ts';
import { destinationPause, pauseAfter } from './back-off.ts';
import type { SendResult } from './send.ts';

/** Makes the message and sends it once; `undefined`: there is nothing to tell any more. @throws when the message cannot be made */
export type Send = (
  delivery: Delivery,
  destination: Destination,
  signal: AbortSignal,
) => Promise<SendResult | undefined>;

export interface DelivererOptions {
  readonly store: EventStore & Pick<DestinationStore, 'disableDestination'>;
  readonly send: Send;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** 0 up to 1. */
  readonly random: () => number;
  /** Entry of the log of an account, for a destination that was disabled. */
  readonly auditOf: (accountId: string) => MakeAuditEntry;
  readonly forTests?: { readonly pollMs?: number; readonly leaseMs?: number } | undefined;
}

export interface Deliverer {
  start(): void;
  /** Tries one delivery now, whatever waits before it. @returns its outcome; `undefined` where there is none */
  tryNow(destination: Destination, eventId: string): Promise<SendResult | undefined>;
  /** Ends the tries under way; another process, or the next start, makes them again. */
  close(): Promise<void>;
}

/** Time after which a try that did not end is made again: more than a try may take. */
export const LEASE_MS = 60_000;
const POLL_MS = 1_000;
const AFTER_FAULT_MS = 10_000;
/** Tries under way: of all destinations, and of each. */
const MAX_TRIES = 256;
const MAX_TRIES_EACH = 4;

export function createDeliverer(options: DelivererOptions): Deliverer {
  const { store, log, clock, forTests = {} } = options;
  const { pollMs = POLL_MS, leaseMs = LEASE_MS } = forTests;
  const tryOnce = createTry(options);
  const stopping = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const triesOf = new Map<string, number>();
  let next: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;

  const countTries = (id: string, by: number) => triesOf.set(id, (triesOf.get(id) ?? 0) + by);

  function run(delivery: Delivery, destination: Destination): void {
    countTries(destination.id, 1);
    const attempt = tryOnce(delivery, destination, stopping.signal)
      .catch((error: Error) => log.error({ err: error }, 'the outcome of a delivery could not be stored'))
      .finally(() => {
        underWay.delete(attempt);
        countTries(destination.id, -1);
        if (triesOf.get(destination.id) === 0) triesOf.delete(destination.id);
        plan(0);
      });
    underWay.add(attempt);
  }

  async function poll(): Promise<void> {
    const now = clock();
    for (const destination of await store.waitingDestinations(now)) {
      const limit = Math.min(MAX_TRIES_EACH - (triesOf.get(destination.id) ?? 0), MAX_TRIES - underWay.size);
      if (limit <= 0 || stopping.signal.aborted) continue;
      const begun = await store.beginTries(destination.id, { now, leaseUntil: now + leaseMs, limit });
      for (const delivery of begun) run(delivery, destination);
    }
  }

  function plan(pauseMs: number): void {
    if (stopping.signal.aborted || polling !== undefined) return;
    clearTimeout(next);
    next = setTimeout(() => {
      let pause = pollMs;
      polling = poll()
        .catch((error: Error) => {
          pause = AFTER_FAULT_MS;
          log.error({ err: error }, 'what waits to be delivered could not be read');
        })
        .finally(() => {
          polling = undefined;
          plan(pause);
        });
    }, pauseMs).unref();
  }

  return {
    start: () => plan(pollMs),
    async tryNow(destination, eventId) {
      const now = clock();
      const lease = { now, leaseUntil: now + leaseMs };
      const begun = store.beginTry(destination.id, eventId, lease);
      const trying = begun.then((delivery) => delivery && tryOnce(delivery, destination, stopping.signal));
      return tracked(trying, underWay);
    },
    async close() {
      clearTimeout(next);
      stopping.abort();
      await polling;
      await Promise.all(underWay);
    },
  };
}

/** The same promise, which `underWay` has until it is settled: the store may be closed as soon as `close` is over. */
function tracked<T>(trying: Promise<T>, underWay: Set<Promise<unknown>>): Promise<T> {
  const settled = trying.then(noop, noop).finally(() => underWay.delete(settled));
  underWay.add(settled);
  return trying;
}

function noop(): void {}

/** A message that cannot be made. The text of the error is a sentence for the account: all else is for the log alone. */
export class UnmadeMessage extends Error {}

const WHY_DISABLED: Readonly<Record<Exclude<DisabledReason, 'person'>, string>> = {
  gone: 'it answered 410 Gone',
  left: 'nobody of the account has this address any more',
};

/** One try, and what follows from it. */
function createTry({ store, send, log, clock, random, auditOf }: DelivererOptions) {
  async function disable(destination: Destination, reason: keyof typeof WHY_DISABLED): Promise<void> {
    const { accountId, id, kind, name } = destination;
    const entry = auditOf(accountId)('destination.disable', `${kind} ${name}`, WHY_DISABLED[reason]);
    // The first of several tries at once disables it.
    if (!(await store.disableDestination(destination, { at: clock(), reason }, entry))) return;
    log.warn(
      { account: accountId, destination: id, reason: WHY_DISABLED[reason] },
      'a destination of events takes no more, and was disabled: enable it again when it works',
    );
  }

  return async (
    delivery: Delivery,
    destination: Destination,
    signal: AbortSignal,
  ): Promise<SendResult | undefined> => {
    const result = await send(delivery, destination, signal).catch((error: Error) => {
      if (!(error instanceof UnmadeMessage) && !signal.aborted)
        log.error({ err: error, destination: destination.id }, 'a message of an event could not be made');
      return asFailure(error);
    });
    const now = clock();
    if (signal.aborted && result?.outcome !== 'delivered') {
      // Not the receiver's fault: it is tried again at once by whoever is there.
      await store.endTry(delivery, {
        state: 'pending',
        nextAt: 0,
        triedAt: now,
        status: null,
        problem: null,
      });
      return result;
    }
    if (result?.outcome === 'gone') await disable(destination, result.reason);
    await store.endTry(delivery, outcomeOf(result, delivery, { now, random: random() }));
    if (result?.outcome === 'failed' && result.isAway) {
      const pause = pauseAfter(delivery.tries, random());
      await store.pauseDestination(destination.id, now + destinationPause(pause, result.retryAfterMs));
    }
    return result;
  };
}

const UNMADE = 'the message could not be made: the log of the service says why';

/** Failure of a message that cannot be made now, perhaps later. */
function asFailure(error: Error): SendResult {
  const problem = error instanceof UnmadeMessage ? error.message : UNMADE;
  return { outcome: 'failed', status: null, problem, retryAfterMs: 0, isAway: false };
}

function outcomeOf(
  result: SendResult | undefined,
  { tries, until }: Delivery,
  { now, random }: { readonly now: number; readonly random: number },
): DeliveryOutcome {
  const over = { nextAt: 0, triedAt: now, status: null, problem: null };
  if (result === undefined)
    return { ...over, state: 'dropped', problem: 'there is nothing to tell any more' };
  const { outcome, status } = result;
  if (outcome === 'delivered') return { ...over, state: 'delivered', status };
  const { problem } = result;
  if (outcome === 'gone' || outcome === 'refused') return { ...over, state: 'failed', status, problem };
  const nextAt = now + pauseAfter(tries, random, result.retryAfterMs);
  if (nextAt > until) return { ...over, state: 'failed', status, problem };
  return { state: 'pending', nextAt, triedAt: now, status, problem };
}
