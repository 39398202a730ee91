/** Checks the idempotency key of a request, and carries the request out once: a repeated one waits for the first and gets its answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { answerBodyOf } from '../assess/rebuild.ts';
import type { OperationId } from '../contract/operations.ts';
import { Problem } from '../contract/problem.ts';
import { within } from '../deadline.ts';
import type { IdempotencyClaim } from '../model/idempotency-claim.ts';
import type { IdempotencyStore } from '../store/idempotency-store.ts';
import type { AssessmentStore } from '../store/store.ts';
import type { RateLimitContext } from './rate-limit.ts';

/** A request that may have an idempotency key. */
export interface IdempotentRequest extends RateLimitContext {
  /** Id of the request, and of the assessment it may make. */
  readonly id: string;
  /** As the header has it; `undefined` where the request may be carried out as often as it comes. */
  readonly idempotencyKey: string | undefined;
}

const IDEMPOTENCY_HEADER = 'Idempotency-Key';
const VALID_KEY = /^[!-~]{1,255}$/;

const MALFORMED = {
  message: 'The header `Idempotency-Key` is malformed.',
  resolution: 'Send 1 to 255 visible ASCII characters without spaces, or leave the header out.',
};

/** The Problem of a key that is not valid; none where there is no key. */
export function checkIdempotencyKey({ idempotencyKey }: IdempotentRequest): Problem | undefined {
  if (idempotencyKey === undefined || VALID_KEY.test(idempotencyKey)) return undefined;
  return new Problem('missing_field', IDEMPOTENCY_HEADER, MALFORMED);
}

export interface OnceDependencies {
  readonly store: IdempotencyStore & Pick<AssessmentStore, 'findStored'>;
  /** Keyed hash of a text. */
  readonly fingerprint: (text: string) => string;
  readonly clock: () => number;
  /** How long a repeated request waits for the first one, milliseconds. Default: less than callers wait. */
  readonly waitMs?: number;
  readonly onReplay: (operation: OperationId) => void;
  /** Called when something failed that no caller waits for. */
  readonly onFault: (error: Error) => void;
}

export interface OnceOptions {
  readonly operation: OperationId;
  /** The members of the body that have an effect; two requests with the same ones are the same request. */
  readonly members: readonly unknown[];
  /** Carries out the request, and stores the claim in the same transaction. If it throws, the key stays free. */
  readonly carryOut: (claim: IdempotencyClaim) => Promise<string>;
}

export interface OnceResult {
  /** The body of the answer. */
  readonly text: string;
  /** Whether an earlier request was carried out, not this one; then the header of the answer says so. */
  readonly isReplay: boolean;
}

/** @throws Problem `missing_field` for a key that was used with another body, `unavailable` when the first takes too long */
export type Once = (request: IdempotentRequest, options: OnceOptions) => Promise<OnceResult>;

/** Callers are advised to wait 3 seconds. */
const WAIT_MS = 2_500;
/** How often a request asks whether another node has finished. */
const POLL_MS = 50;

const OTHER_BODY = {
  message: 'This `Idempotency-Key` was used with another body in the last 24 hours.',
  resolution: 'Send a new key with a new request, and the same key only with the same body.',
};
const STILL_RUNNING = {
  message: 'Another request with this `Idempotency-Key` is not finished yet.',
  resolution: 'Retry with the same key after a short delay.',
  retryAfterSeconds: 1,
};

/** A request that is being answered by this process. */
interface RunningRequest {
  readonly bodyDigest: string;
  readonly result: Promise<OnceResult>;
}

export function createOnce(options: OnceDependencies): Once {
  const { fingerprint, clock, waitMs = WAIT_MS, onReplay } = options;
  const resolveClaim = createResolveClaim(options);
  /** By all that names a key. */
  const running = new Map<string, RunningRequest>();

  async function resolveOnce(name: Omit<IdempotencyClaim, 'at'>, carryOut: OnceOptions['carryOut']) {
    const { accountId, mode, operation, keyHash, bodyDigest } = name;
    const place = `${accountId} ${mode} ${operation} ${keyHash}`;
    const until = performance.now() + waitMs;
    for (let first = running.get(place); first !== undefined; first = running.get(place)) {
      const result = await waitFor(first.result, until);
      if (result === undefined) continue;
      if (first.bodyDigest !== bodyDigest) throw new Problem('missing_field', IDEMPOTENCY_HEADER, OTHER_BODY);
      return { text: result.text, isReplay: true };
    }
    const result = resolveClaim(() => ({ ...name, at: clock() }), carryOut, until);
    running.set(place, { bodyDigest, result });
    try {
      return await result;
    } finally {
      running.delete(place);
    }
  }

  return async (request, { operation, members, carryOut }) => {
    const { account, key } = request.caller;
    const name = {
      accountId: account.id,
      mode: key.mode,
      operation,
      keyHash: fingerprint(`${IDEMPOTENCY_HEADER}:${request.idempotencyKey}`),
      bodyDigest: fingerprint(JSON.stringify(members)),
      requestId: request.id,
    };
    const result = await resolveOnce(name, carryOut);
    if (result.isReplay) {
      request.header('Idempotent-Replayed', 'true');
      onReplay(operation);
    }
    return result;
  };
}

/** Answers the request of a claim, at a time when no other of this process has its key. */
function createResolveClaim({ store, onFault }: OnceDependencies) {
  async function readAnswer(requestId: string, claim: IdempotencyClaim): Promise<string | undefined> {
    const stored = await store.findStored(requestId, claim);
    return stored === undefined ? undefined : answerBodyOf(stored);
  }

  async function carryOutClaimed(claim: IdempotencyClaim, carryOut: OnceOptions['carryOut']) {
    try {
      return await carryOut(claim);
    } catch (error) {
      // Not waited for: the error is the answer. Without it, other nodes would wait until the claim has expired.
      store.releaseKey(claim.requestId).catch(onFault);
      throw error;
    }
  }

  return async (
    makeClaim: () => IdempotencyClaim,
    carryOut: OnceOptions['carryOut'],
    until: number,
  ): Promise<OnceResult> => {
    for (;;) {
      const claim = makeClaim();
      const result = await store.claimKey(claim);
      if (result.outcome === 'claimed')
        return { text: await carryOutClaimed(claim, carryOut), isReplay: false };
      if (result.outcome === 'conflict') throw new Problem('missing_field', IDEMPOTENCY_HEADER, OTHER_BODY);
      if (result.outcome === 'stored') {
        const text = result.answer ?? (await readAnswer(result.requestId, claim));
        if (text !== undefined) return { text, isReplay: true };
        // The assessment was deleted since.
        await store.forgetKey(result.requestId);
      } else {
        if (performance.now() >= until) throw new Problem('unavailable', undefined, STILL_RUNNING);
        await sleep(POLL_MS);
      }
    }
  };
}

/** The result of another request; `undefined` when that failed. @throws Problem `unavailable` when it takes too long */
function waitFor(other: Promise<OnceResult>, until: number): Promise<OnceResult | undefined> {
  const result = other.catch(() => undefined);
  return within(Math.max(0, until - performance.now()), result, () => {
    throw new Problem('unavailable', undefined, STILL_RUNNING);
  });
}
