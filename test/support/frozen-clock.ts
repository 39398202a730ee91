/** Stops this process's wall clock at a moment, so that pages about “now” can be compared years later. */

/** Threads, other processes and `performance.now` keep their time. Returns what sets the clock going again. */
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
    /** What Node.js itself makes is a date, too. */
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof OwnDate;
    }
  }
  globalThis.Date = FrozenDate as DateConstructor;
  return () => {
    globalThis.Date = OwnDate;
  };
}
