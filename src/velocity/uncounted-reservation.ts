/** Decides what an event counts for that is in no count, because somebody brings the person. */
import { countsAlone, plainVoices, type VelocityEvent } from '../model/velocity-event.ts';
import type { Reservation } from './counters.ts';

/** @param undo of what was reserved for it beside */
export function uncountedReservation(
  event: Pick<VelocityEvent, 'network'>,
  undo = async () => {},
): Reservation {
  const counts = countsAlone(event);
  return { counts, voices: plainVoices(counts), undo, markBlocked: async () => {} };
}
