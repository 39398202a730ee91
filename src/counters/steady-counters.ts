/** Decides by which clock windows are counted: one that no step of the wall clock changes, whatever callers read there. */
import type { Counters, CountResult, RateState } from './counters.ts';

/** Without the sources that only a start reads. */
export type LiveCounters = Pick<Counters, 'admit' | 'peek' | 'checkAndCount'>;

/**
 * Counters that are told the time of `clock` in place of their callers'. What they answer is in callers' time again: a wait
 * is as long on both clocks.
 */
export function createSteadyCounters(counters: LiveCounters, clock: () => number): LiveCounters {
  return {
    admit(bucket, window, now) {
      const at = clock();
      return toCallers(counters.admit(bucket, window, at), now - at);
    },
    peek(bucket, window, now) {
      const at = clock();
      return toCallers(counters.peek(bucket, window, at), now - at);
    },
    checkAndCount(arrival) {
      const at = clock();
      const ahead = arrival.event.at - at;
      const counting = counters.checkAndCount({ ...arrival, event: { ...arrival.event, at } });
      return counting instanceof Promise
        ? counting.then((result) => shiftResult(result, ahead))
        : shiftResult(counting, ahead);
    },
  };
}

function toCallers(state: RateState | Promise<RateState>, ahead: number): RateState | Promise<RateState> {
  return state instanceof Promise ? state.then((late) => shift(late, ahead)) : shift(state, ahead);
}

function shiftResult(result: CountResult, ahead: number): CountResult {
  return result.rate === null || ahead === 0 ? result : { ...result, rate: shift(result.rate, ahead) };
}

function shift(state: RateState, ahead: number): RateState {
  return ahead === 0 ? state : { ...state, retryAt: state.retryAt + ahead };
}
