/** Decides which refusals are only a matter of time, and how politely they are asked again. */
import { grouped } from './format.ts';

/** A refusal that says itself when to ask again. */
export interface TemporaryProblem extends Error {
  /** Time at which it came, milliseconds since the epoch. */
  readonly at: number;
  readonly retryAfterSeconds: number;
  readonly progress?: Progress | undefined;
}

export function isTemporary(error: unknown): error is TemporaryProblem {
  return error instanceof Error && 'retryAfterSeconds' in error && error.retryAfterSeconds !== undefined;
}

/** Error that a query shows: a refusal, also while it waits by itself to ask again. */
export function shownError<Problem extends Error>(query: {
  readonly error: Problem | null;
  readonly failureReason: Problem | null;
}): Problem | null {
  return query.error ?? (isTemporary(query.failureReason) ? query.failureReason : null);
}

export interface Progress {
  readonly indexed: number;
  readonly total: number;
}

/** `Indexing 812,000 of 1,200,000 signups…` */
export function progressWords({ indexed, total }: Progress): string {
  return `Indexing ${grouped(indexed)} of ${grouped(total)} signups…`;
}

/** `about 20 s`, `about 3 min` */
export function durationWords(seconds: number): string {
  return seconds < 90 ? `about ${seconds} s` : `about ${Math.round(seconds / 60)} min`;
}
