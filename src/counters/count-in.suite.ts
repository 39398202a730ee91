/** Counts one attempt, and nothing else, as an arrival that was admitted before. */
import type { Attempt, CountedAttempt, Counters } from './counters.ts';

type Arrive = Pick<Counters, 'arrive'>;

export async function countIn(counters: Arrive, attempt: Attempt): Promise<CountedAttempt> {
  const { counted } = await counters.arrive(arrivalOf(attempt));
  if (counted === null) throw new Error('an arrival that asks for no more than to be counted was refused');
  return counted;
}

export function arrivalOf(attempt: Attempt) {
  return { bucket: attempt.account, window: null, credit: null, attempt };
}
