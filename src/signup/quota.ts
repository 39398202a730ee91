/** Estimates how much of its month an account has used, to refuse early; the store decides exactly. */
import type { Limits } from '../accounts/plans.ts';
import type { Account, AssessmentStore } from '../store/store.ts';

/** A question about an account's month, at a moment. */
export interface QuotaRequest {
  readonly caller: { readonly account: Pick<Account, 'id'>; readonly limits: Limits };
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The UTC month of `at`, `2026-05`. */
  readonly month: string;
}

export interface Quota {
  /** Live credits used in the month. At the cap the store is read again, as often as `verify` allows. */
  used(request: QuotaRequest): Promise<number>;
  /**
   * Use of the month as of `used`, but at once if the month was read before, and without waiting for a slow store:
   * without an answer in time it is the last known number, or 0. A commit returns the exact count.
   */
  usedSoon(request: QuotaRequest): Promise<number>;
  /**
   * Reads the store, at most once a second an account, where the counters report that the cap is reached; `undefined`
   * when it was read just now. `first` is true for only one of the callers that wait for the same answer.
   */
  verify(request: QuotaRequest): { readonly first: boolean; readonly used: Promise<number> } | undefined;
  /** Whether the cap is reached. */
  isFull(caller: QuotaRequest['caller'], used: number): boolean;
  /** Takes over the exact count that a commit returned. */
  learn(request: QuotaRequest, used: number): void;
  /** Whole seconds until the UTC month ends, at least 1. */
  secondsToReset(now: number): number;
}

/** The known credits of an account's month. */
interface MonthUse {
  readonly month: string;
  used: number;
  /** The most that was learned since the last read began: it may come back after a commit it did not see. */
  learned: number;
  verifiedAt: number;
  reading: Promise<number> | undefined;
}

const VERIFY_MS = 1_000;
/** Together with the longest wait for a commit it stays within a second. */
const SOON_MS = 20;
const UNKNOWN = -1;

export function createQuota(store: Pick<AssessmentStore, 'creditsUsed'>): Quota {
  const months = new Map<string, MonthUse>();

  function open({ caller, month }: QuotaRequest): MonthUse {
    const { id } = caller.account;
    const found = months.get(id);
    if (found?.month === month) return found;
    const opened = unread(month);
    months.set(id, opened);
    return opened;
  }

  function read(accountId: string, known: MonthUse): Promise<number> {
    if (known.reading !== undefined) return known.reading;
    known.learned = 0;
    known.reading = store
      .creditsUsed(accountId, known.month)
      .then((used) => {
        known.used = Math.max(used, known.learned);
        return known.used;
      })
      .finally(() => {
        known.reading = undefined;
      });
    return known.reading;
  }

  function verify(request: QuotaRequest) {
    const known = open(request);
    if (known.reading !== undefined) return { first: false, used: known.reading };
    // The clock may have been set back since.
    if (Math.abs(request.at - known.verifiedAt) < VERIFY_MS) return undefined;
    known.verifiedAt = request.at;
    return { first: true, used: read(request.caller.account.id, known) };
  }

  function isFull({ limits }: QuotaRequest['caller'], used: number): boolean {
    return limits.cap !== null && used >= limits.cap;
  }

  /** The store's figure, if the known one is not sufficient. */
  function readIfNeeded(request: QuotaRequest): Promise<number> | undefined {
    const { caller } = request;
    const known = open(request);
    if (known.used === UNKNOWN) return read(caller.account.id, known);
    return isFull(caller, known.used) ? verify(request)?.used : undefined;
  }

  return {
    used: async (request) => readIfNeeded(request) ?? open(request).used,
    async usedSoon(request) {
      const usedNow = () => Math.max(0, open(request).used);
      const reading = readIfNeeded(request);
      return reading === undefined ? usedNow() : soon(reading, usedNow);
    },
    verify,
    isFull,
    learn(request, used) {
      const known = open(request);
      known.used = Math.max(known.used, used);
      known.learned = Math.max(known.learned, used);
    },
    secondsToReset(now) {
      return Math.max(1, Math.ceil((monthBounds(now).end - now) / 1000));
    },
  };
}

function unread(month: string): MonthUse {
  return { month, used: UNKNOWN, learned: 0, verifiedAt: Number.NEGATIVE_INFINITY, reading: undefined };
}

function soon<T>(answer: Promise<T>, otherwise: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(otherwise()), SOON_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** First millisecond of the UTC month of `now`, and of the next one. */
export function monthBounds(now: number): { start: number; end: number } {
  const date = new Date(now);
  return {
    start: Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1),
    end: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1),
  };
}
