/** Counts one event and nothing else, as for a request that was admitted before. */
import type { VelocityEvent } from '../model/velocity-event.ts';
import type { Counters, Reservation } from './counters.ts';

type Counting = Pick<Counters, 'checkAndCount'>;

export async function countIn(counters: Counting, event: VelocityEvent): Promise<Reservation> {
  const { counted } = await counters.checkAndCount(countRequestOf(event));
  if (counted === null) throw new Error('a request that asks only to be counted was refused');
  return counted;
}

export function countRequestOf(event: VelocityEvent) {
  return { bucket: event.account, window: null, credit: null, event };
}
