/** Decides how long a write may take: who waits too long is refused unsent, and of what was sent everybody hears within a second. */
import { Problem } from '../contract/problem.ts';

export interface PendingWrite {
  /** Instant of `performance.now()` at which it was asked for. */
  readonly since: number;
  readonly reject: (error: Error) => void;
  /** True once its caller has heard an error, whatever becomes of it. */
  answered: boolean;
}

export interface CommitDeadlines {
  /** Who waited so long unsent would not be answered in time either. */
  readonly waitMs: number;
  /** Nobody hears later than this of what was sent. */
  readonly answerMs: number;
}

/** Of a service, whose callers wait. */
export const SERVICE_DEADLINES: CommitDeadlines = { waitMs: 600, answerMs: 900 };
/** How often deadlines are checked while something is pending. */
const POLL_MS = 25;

/** Refuses those at the head of the queue that waited too long, and takes them out: they were never sent. */
export function refuseOverdue(queue: PendingWrite[], { waitMs }: CommitDeadlines, now: number): void {
  const inTime = queue.findIndex(({ since }) => now - since < waitMs);
  for (const { reject } of queue.splice(0, inTime < 0 ? queue.length : inTime))
    reject(new Problem('unavailable'));
}

/** Answers those whose commit takes too long; tells whether there was one. They may be stored after all. */
export function answerOverdue(
  sent: Iterable<PendingWrite>,
  { answerMs }: CommitDeadlines,
  now: number,
): boolean {
  let anyLate = false;
  for (const write of sent) {
    if (write.answered || now - write.since < answerMs) continue;
    write.answered = true;
    write.reject(new Error('the database did not answer in time'));
    anyLate = true;
  }
  return anyLate;
}

/** Checks deadlines as long as something is pending. @param check gives whether anything still is */
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
