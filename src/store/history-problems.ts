/** The problems of a history that cannot answer now: why, its progress, and when to try again. */
import { Problem } from '../contract/problem.ts';
import type { IndexProgress } from './history-store.ts';

const BUSY_RETRY_S = 5;
/** Min. time after which clients ask again while indexing goes on. */
const MIN_RETRY_S = 2;
const MAX_RETRY_S = 30;

/** Problem of results that would be wrong without the assessments that are not indexed yet. */
export function stillIndexing({ indexed, total, secondsLeft }: IndexProgress): Problem {
  const seconds = Math.min(MAX_RETRY_S, Math.max(MIN_RETRY_S, secondsLeft));
  return new Problem('unavailable', undefined, {
    message: `${indexed} of ${total} signups are indexed so far.`,
    resolution: tryAgainIn(seconds),
    retryAfterSeconds: seconds,
    progress: { indexed, total },
  });
}

export function tooManyQuestions(): Problem {
  return toBusyProblem('Too many searches are waiting.');
}

/** Problem of questions to a thread that died. */
export function readerStarting(): Problem {
  return toBusyProblem('Signups cannot be read now: the thread that reads them is starting again.');
}

export function tookTooLong(deadlineMs: number): Problem {
  const message = `The signups could not be read within ${deadlineMs / 1_000} seconds.`;
  return toBusyProblem(message, `Choose a shorter period, or try again in ${BUSY_RETRY_S} seconds.`);
}

function toBusyProblem(message: string, resolution = tryAgainIn(BUSY_RETRY_S)): Problem {
  return new Problem('unavailable', undefined, { message, resolution, retryAfterSeconds: BUSY_RETRY_S });
}

export function tryAgainIn(seconds: number): string {
  return `Try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`;
}
