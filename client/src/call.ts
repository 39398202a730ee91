/** Makes one call of the API within its time: sends, retries where that is safe, and asks the circuit breaker first. */
import type { Answer } from './answer-meta.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { AbortedError, CircuitOpenError, GatehouseError, TimeoutError } from './errors.ts';
import { type ApiRequest, exchange, type FetchLike } from './exchange.ts';
import type { Redact } from './redact.ts';

/** The dependencies of a call. */
export interface CallWorld {
  readonly fetch: FetchLike;
  readonly breaker: CircuitBreaker;
  /** A clock in milliseconds. */
  readonly nowMs: () => number;
  /** Random number between 0 and 1. */
  readonly random: () => number;
}

export interface CallLimits {
  /** Max. time of all tries together, waits included. */
  readonly timeoutMs: number;
  /** Tries after the first. */
  readonly maxRetries: number;
  /** Whether the same request may be sent again when nobody knows if it arrived. */
  readonly isRepeatable: boolean;
  /** Ends the call early. */
  readonly signal?: AbortSignal | undefined;
}

const BASE_WAIT_MS = 100;
const MAX_WAIT_MS = 1000;
const REPEATABLE_STATUSES = [500, 502, 503, 504];

/** @throws GatehouseError for every failure */
export async function call<T extends object>(
  world: CallWorld,
  request: ApiRequest<T>,
  limits: CallLimits,
  redact: Redact,
): Promise<Answer<T>> {
  const admission = world.breaker.admit();
  if ('waitMs' in admission)
    throw new CircuitOpenError(
      'circuit_open',
      'The last calls failed, so nothing is sent until the next trial.',
      { retryAfterMs: admission.waitMs, tries: 0 },
    );
  const timer = startTimer(world.nowMs, limits);
  try {
    const answer = await sendUntilAnswered(world, request, limits, timer, redact);
    admission.record('success');
    return answer;
  } catch (error) {
    admission.record(outcomeOf(error));
    throw error;
  } finally {
    timer.stop();
  }
}

/** Ends a call: by the time that is over, or by the caller. */
interface CallTimer {
  readonly signal: AbortSignal;
  remainingMs(): number;
  /** Ends early, with the reason, when the call ends. */
  wait(ms: number): Promise<void>;
  /** The reason why the call ended; `undefined` while it runs. */
  failure(tries: number): GatehouseError | undefined;
  stop(): void;
}

async function sendUntilAnswered<T extends object>(
  world: CallWorld,
  request: ApiRequest<T>,
  limits: CallLimits,
  timer: CallTimer,
  redact: Redact,
): Promise<Answer<T>> {
  for (let tries = 1; ; tries += 1) {
    const ended = timer.failure(tries - 1);
    if (ended !== undefined) throw ended;
    try {
      return await exchange(world.fetch, request, tries, timer.signal, redact);
    } catch (error) {
      const failure = timer.failure(tries);
      if (failure !== undefined) throw failure;
      if (!(error instanceof GatehouseError)) throw error;
      if (tries > limits.maxRetries || !mayRepeat(error, limits.isRepeatable)) throw error;
      // Full jitter: callers that failed together do not come back together.
      const backOffMs = world.random() * Math.min(MAX_WAIT_MS, BASE_WAIT_MS * 2 ** (tries - 1));
      const waitMs = backOffMs + (error.retryAfterMs ?? 0);
      if (waitMs >= timer.remainingMs()) throw error;
      await timer.wait(waitMs);
    }
  }
}

function mayRepeat(error: GatehouseError, isRepeatable: boolean): boolean {
  // Refused before anything was done: always safe.
  if (error.code === 'rate_limit') return true;
  if (!isRepeatable) return false;
  return error.code === 'connection_failed' || REPEATABLE_STATUSES.includes(error.status ?? 0);
}

/** The result for the breaker: any answer except 5xx means that the service is available. */
function outcomeOf(error: unknown): 'success' | 'failure' | 'unknown' {
  if (!(error instanceof GatehouseError) || error.code === 'aborted') return 'unknown';
  const isAnswered = error.status !== undefined && error.status < 500 && error.code !== 'unexpected_response';
  return isAnswered ? 'success' : 'failure';
}

function startTimer(nowMs: () => number, { timeoutMs, signal: outer }: CallLimits): CallTimer {
  const controller = new AbortController();
  const endsAtMs = nowMs() + timeoutMs;
  let reason: 'timeout' | 'aborted' | undefined;
  const end = (why: 'timeout' | 'aborted') => {
    reason ??= why;
    controller.abort();
  };
  const abort = () => end('aborted');
  const timeout = setTimeout(() => end('timeout'), timeoutMs);
  if (outer?.aborted === true) abort();
  else outer?.addEventListener('abort', abort, { once: true });

  return {
    signal: controller.signal,
    remainingMs: () => endsAtMs - nowMs(),
    wait: (ms) =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(waiting);
          controller.signal.removeEventListener('abort', done);
          resolve();
        };
        const waiting = setTimeout(done, ms);
        controller.signal.addEventListener('abort', done);
      }),
    failure(tries) {
      if (reason === 'timeout')
        return new TimeoutError('timeout', `No answer within ${timeoutMs} ms.`, { tries });
      if (reason === 'aborted') return new AbortedError('aborted', 'The caller ended the call.', { tries });
      return undefined;
    },
    stop() {
      clearTimeout(timeout);
      outer?.removeEventListener('abort', abort);
    },
  };
}
