/** Stops this process's wall clock at a given time, so that pages about “now” can be compared years later. */

/** Threads, other processes and `performance.now` are not affected. Returns a function that restarts the clock. */
export function freezeClock(at: number): () => void {
  const OwnDate = globalThis.Date;
  class FrozenDate extends OwnDate {
    constructor(...values: unknown[]) {
      if (values.length === 0) super(at);
      else super(...(values as [number]));
    }
    static override now(): number {
      return at;
    }
    /** Dates that Node.js itself makes are also instances. */
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof OwnDate;
    }
  }
  globalThis.Date = FrozenDate as DateConstructor;
  return () => {
    globalThis.Date = OwnDate;
  };
}
