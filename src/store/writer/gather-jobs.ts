/** Decides when the jobs that wait go to the writer: once no others come at the same time, because a commit costs as much as several signups do. */

/** Turns of the event loop without another job. Clients that were answered need some to ask again; an idle one takes microseconds. */
const QUIET_TURNS = 4;
/** Jobs that share the cost of a commit: more gain little. */
const MANY = 128;

export interface GatherJobsOptions {
  /** Number of jobs that wait. */
  readonly waiting: () => number;
  /** Called once for each time that it began. */
  readonly handOver: () => void;
  /** Calls back in the next turn of the event loop, when everything that has come in by then was handled. */
  readonly nextTurn?: (act: () => void) => void;
}

/** Returns what begins to gather, unless it is under way. */
export function createGatherJobs({
  waiting,
  handOver,
  nextTurn = setImmediate,
}: GatherJobsOptions): () => void {
  let isUnderWay = false;

  function gather(before: number, quietTurns: number): void {
    nextTurn(() => {
      const now = waiting();
      const quiet = now > before ? 0 : quietTurns + 1;
      if (quiet < QUIET_TURNS && now < MANY) return gather(now, quiet);
      isUnderWay = false;
      handOver();
    });
  }

  return () => {
    if (isUnderWay) return;
    isUnderWay = true;
    gather(waiting(), 0);
  };
}
