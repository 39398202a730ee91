/** Decides by which clock windows are counted: one that no step of the wall clock changes, whatever callers read there. */
import type { Counters, CountResult, LocalCounters, RateState } from './counters.ts';

/** Without the sources that only a start reads. */
export type LiveCounters = Pick<Counters, 'admit' | 'peek' | 'checkAndCount'>;

/**
 * Counters that are told the time of `clock` in place of their callers'. What they answer is in callers' time again: a wait
 * is as long on both clocks.
 */
export function createSteadyCounters(
  counters: LiveCounters | LocalCounters,
  clock: () => number,
): LiveCounters {
  return {
    async admit(bucket, window, now) {
      const at = clock();
      return shift(await counters.admit(bucket, window, at), now - at);
    },
    async peek(bucket, window, now) {
      const at = clock();
      return shift(await counters.peek(bucket, window, at), now - at);
    },
    async checkAndCount(arrival) {
      const at = clock();
      const result = await counters.checkAndCount({ ...arrival, event: { ...arrival.event, at } });
      return shiftResult(result, arrival.event.at - at);
    },
  };
}

function shiftResult(result: CountResult, ahead: number): CountResult {
  return result.rate === null || ahead === 0 ? result : { ...result, rate: shift(result.rate, ahead) };
}

function shift(state: RateState, ahead: number): RateState {
  return ahead === 0 ? state : { ...state, retryAt: state.retryAt + ahead };
}
