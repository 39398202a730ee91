/** Decides how long a write may take: a write that waits too long is never sent, and every caller is answered within a second. */
import { Problem } from '../contract/problem.ts';
import { asStoreFailure } from './store-failure.ts';

export interface PendingWrite {
  /** Time of `performance.now()` at which it was submitted. */
  readonly since: number;
  /** Answers its caller. No effect on one that was answered. */
  reject(error: Error): void;
  /** True once its caller got an error, although it may still be stored. */
  answered: boolean;
}

export interface CommitDeadlines {
  /** Wait after which a write is not sent: its answer would come too late. */
  readonly waitMs: number;
  /** The latest answer about a write that was sent. */
  readonly answerMs: number;
}

/** Deadlines of a service, whose callers wait. */
export const SERVICE_DEADLINES: CommitDeadlines = { waitMs: 600, answerMs: 900 };
/** Deadlines of a command, which does better late than never. */
export const COMMAND_DEADLINES: CommitDeadlines = { waitMs: 60_000, answerMs: 60_000 };

/** Deadlines of a start: a command's, until the service runs. Nobody waits for an answer before that. */
export interface StartDeadlines<Deadlines extends CommitDeadlines> {
  /** Deadlines in force; an object that changes. */
  readonly current: Deadlines;
  endStart(): void;
}

/** @param start `undefined`: those of the service from the beginning */
export function createStartDeadlines<Deadlines extends CommitDeadlines>(
  start: Deadlines | undefined,
  service: Deadlines,
): StartDeadlines<Deadlines> {
  if (start === undefined) return { current: service, endStart: () => {} };
  const current = { ...start };
  return { current, endStart: () => void Object.assign(current, service) };
}

/** Pause between checks of deadlines while something is pending. */
const POLL_MS = 25;

/** Refuses the writes at the head of the queue that waited too long, and removes them: they were never sent. */
export function refuseOverdue(queue: PendingWrite[], { waitMs }: CommitDeadlines, now: number): void {
  const inTime = queue.findIndex(({ since }) => now - since < waitMs);
  for (const write of queue.splice(0, inTime < 0 ? queue.length : inTime))
    write.reject(asStoreFailure(new Problem('unavailable')));
}

/** Answers writes whose commit takes too long; they may still be stored. @returns whether there was any */
export function answerOverdue(
  sent: Iterable<PendingWrite>,
  { answerMs }: CommitDeadlines,
  now: number,
): boolean {
  let anyLate = false;
  for (const write of sent) {
    if (write.answered || now - write.since < answerMs) continue;
    write.answered = true;
    write.reject(asStoreFailure(new Error('the database did not answer in time')));
    anyLate = true;
  }
  return anyLate;
}

/** Checks deadlines as long as something is pending. @param check returns whether anything still is */
export function createDeadlineWatch(check: (now: number) => boolean) {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    start(): void {
      timer ??= setInterval(() => {
        if (!check(performance.now())) stop();
      }, POLL_MS);
    },
    stop,
  };
}

/** Writes that wait for one commit in an overload; fewer are a pause of the database. */
const BEHIND_WRITES = 1_000;
/** Half of the time that a write may wait. */
const BEHIND_SHARE = 0.5;

/** Whether so many writes wait for so long that another would probably be refused as too late. @param waiting oldest first */
export function isBehind(waiting: readonly PendingWrite[], { waitMs }: CommitDeadlines): boolean {
  if (waiting.length < BEHIND_WRITES) return false;
  return performance.now() - (waiting[0] as PendingWrite).since > waitMs * BEHIND_SHARE;
}
