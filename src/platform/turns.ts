/** Runs tasks one after the other, in the order in which they came. */

/** Resolves or rejects as the task does; a task that fails does not stop those behind it. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
