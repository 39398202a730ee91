/** Decides which clock windows are counted by: a steady one, so that a step of the wall clock does not change the counts. */
import type { Counters, CountResult, LocalCounters, RateState } from './counters.ts';

/**
 * Counters that use the time of `clock` instead of the caller's. Times in their answers are converted back to the caller's
 * clock.
 */
export function createSteadyCounters(counters: Counters | LocalCounters, clock: () => number): Counters {
  return {
    async admit(bucket, window, now) {
      const at = clock();
      return shift(await counters.admit(bucket, window, at), now - at);
    },
    async peek(bucket, window, now) {
      const at = clock();
      return shift(await counters.peek(bucket, window, at), now - at);
    },
    async checkAndCount(request) {
      const at = clock();
      const ahead = request.event.at - at;
      const event = ahead === 0 ? request.event : { ...request.event, at };
      const result = await counters.checkAndCount(ahead === 0 ? request : { ...request, event });
      return shiftResult(result, ahead);
    },
  };
}

function shiftResult(result: CountResult, ahead: number): CountResult {
  return result.rate === null || ahead === 0 ? result : { ...result, rate: shift(result.rate, ahead) };
}

function shift(state: RateState, ahead: number): RateState {
  return ahead === 0 ? state : { ...state, retryAt: state.retryAt + ahead };
}
