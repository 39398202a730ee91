/** Decides which of several requests with one idempotency key is carried out: the others wait for it and get its answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationId } from '../contract/operations.ts';
import { Problem } from '../contract/problem.ts';
import type { IdempotencyClaim } from '../model/idempotency-claim.ts';
import type { KeyMode } from '../model/key-mode.ts';
import { within } from '../platform/deadline.ts';
import type { IdempotencyStore } from '../store/idempotency-store.ts';
import type { AssessmentStore } from '../store/store.ts';
import { answerBodyOf } from './rebuild-answer.ts';

const IDEMPOTENCY_HEADER = 'Idempotency-Key';
const VALID_KEY = /^[!-~]{1,255}$/;

const MALFORMED = {
  message: 'The header `Idempotency-Key` is malformed.',
  resolution: 'Send 1 to 255 visible ASCII characters without spaces, or leave the header out.',
};

/** The Problem of a key that is not valid; none where there is no key. */
export function checkIdempotencyKey(key: string | undefined): Problem | undefined {
  if (key === undefined || VALID_KEY.test(key)) return undefined;
  return new Problem('missing_field', IDEMPOTENCY_HEADER, MALFORMED);
}

export interface IdempotentRequest {
  readonly caller: { readonly account: { readonly id: string }; readonly key: { readonly mode: KeyMode } };
  /** Id of the request, and of the assessment that it may make. */
  readonly requestId: string;
  readonly operation: OperationId;
  /** A valid key. */
  readonly key: string;
  /** The members of the body that have an effect; two requests with the same ones are the same request. */
  readonly members: readonly unknown[];
}

/** The turn of the request that is to be carried out. Call `complete` or `release` once it is over. */
export interface ClaimedTurn {
  readonly outcome: 'claimed';
  /** Claim to be stored with what the request makes, in one transaction. */
  readonly claim: IdempotencyClaim;
  /** Gives its answer to the requests that wait. */
  complete(text: string): void;
  /** Lets another request have its turn: this one failed. */
  release(): void;
}

export type IdempotencyTurn =
  | ClaimedTurn
  /** An earlier request was carried out; `text` is the body of its answer. */
  | { readonly outcome: 'answered'; readonly text: string };

export interface Idempotency {
  /** @throws Problem `missing_field` for a key that was used with another body, `unavailable` when the first takes too long */
  begin(request: IdempotentRequest): Promise<IdempotencyTurn>;
}

export interface IdempotencyOptions {
  readonly store: IdempotencyStore & Pick<AssessmentStore, 'findStored'>;
  /** Keyed hash of a text. */
  readonly fingerprint: (text: string) => string;
  readonly clock: () => number;
  /** Time that a repeated request waits for the first one, milliseconds. Default: less than callers wait. */
  readonly waitMs?: number;
  /** Called for each request that gets the answer of an earlier one. */
  readonly onReplay: (operation: OperationId) => void;
  /** Called when something failed that no caller waits for. */
  readonly onFault: (error: Error) => void;
}

/** Callers are advised to wait 3 seconds. */
const WAIT_MS = 2_500;
/** Time until a request asks again whether another node has finished. */
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

/** A request that this process carries out. */
interface RunningRequest {
  readonly bodyDigest: string;
  /** `undefined` when it failed. */
  readonly answer: Promise<string | undefined>;
}

export function createIdempotency(options: IdempotencyOptions): Idempotency {
  const { store, clock, waitMs = WAIT_MS, onReplay, onFault } = options;
  /** Requests by all that names a key. */
  const running = new Map<string, RunningRequest>();

  function answered(text: string, operation: OperationId): IdempotencyTurn {
    onReplay(operation);
    return { outcome: 'answered', text };
  }

  /** Makes later requests of this process wait until `end` is called. */
  function startRunning(place: string, bodyDigest: string) {
    let resolve: (text: string | undefined) => void;
    const answer = new Promise<string | undefined>((resolveAnswer) => {
      resolve = resolveAnswer;
    });
    running.set(place, { bodyDigest, answer });
    return (text?: string) => {
      running.delete(place);
      resolve(text);
    };
  }

  return {
    async begin(request) {
      const { operation } = request;
      const name = nameOf(request, options.fingerprint);
      const { accountId, mode, keyHash, bodyDigest, requestId } = name;
      const place = `${accountId} ${mode} ${operation} ${keyHash}`;
      const until = performance.now() + waitMs;
      for (let first = running.get(place); first !== undefined; first = running.get(place)) {
        const text = await waitFor(first.answer, until);
        if (text === undefined) continue;
        if (first.bodyDigest !== bodyDigest)
          throw new Problem('missing_field', IDEMPOTENCY_HEADER, OTHER_BODY);
        return answered(text, operation);
      }
      const end = startRunning(place, bodyDigest);
      try {
        const found = await claimOrFind(store, () => ({ ...name, at: clock() }), until);
        if (typeof found === 'string') {
          end(found);
          return answered(found, operation);
        }
        return {
          outcome: 'claimed',
          claim: found,
          complete: end,
          release() {
            // Not waited for: the error is the answer. Without it, other nodes would wait until the claim has expired.
            store.releaseKey(requestId).catch(onFault);
            end();
          },
        };
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}

/** Name of a request, the same whenever it comes. */
function nameOf(
  { caller, requestId, operation, key, members }: IdempotentRequest,
  fingerprint: IdempotencyOptions['fingerprint'],
): Omit<IdempotencyClaim, 'at'> {
  const {
    account,
    key: { mode },
  } = caller;
  return {
    accountId: account.id,
    mode,
    operation,
    keyHash: fingerprint(`${IDEMPOTENCY_HEADER}:${key}`),
    bodyDigest: fingerprint(JSON.stringify(members)),
    requestId,
  };
}

/** Claims a key, at a time when no other request of this process has it; returns the stored answer of an earlier request. */
async function claimOrFind(
  store: IdempotencyOptions['store'],
  makeClaim: () => IdempotencyClaim,
  until: number,
): Promise<IdempotencyClaim | string> {
  for (;;) {
    const claim = makeClaim();
    const result = await store.claimKey(claim);
    if (result.outcome === 'claimed') return claim;
    if (result.outcome === 'conflict') throw new Problem('missing_field', IDEMPOTENCY_HEADER, OTHER_BODY);
    if (result.outcome === 'stored') {
      if (result.answer !== null) return result.answer;
      const stored = await store.findStored(result.requestId, claim);
      if (stored !== undefined) return answerBodyOf(stored);
      // The assessment was deleted since.
      await store.forgetKey(result.requestId);
    } else {
      if (performance.now() >= until) throw new Problem('unavailable', undefined, STILL_RUNNING);
      await sleep(POLL_MS);
    }
  }
}

/** The answer of another request; `undefined` when that failed. @throws Problem `unavailable` when it takes too long */
function waitFor(answer: RunningRequest['answer'], until: number): RunningRequest['answer'] {
  return within(Math.max(0, until - performance.now()), answer, () => {
    throw new Problem('unavailable', undefined, STILL_RUNNING);
  });
}
