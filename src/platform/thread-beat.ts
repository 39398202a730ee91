/** How a thread shows that it still goes on from one piece of work to the next, and how that is noticed when it does not. */

/** Shared by a thread and the one that started it. */
export interface ThreadBeat {
  readonly beats: Int32Array;
  readonly everyMs: number;
}

/** A thread is stuck after so many missed beats in a row. Time is not measured: the machine may have slept. */
const MAX_MISSED_BEATS = 6;

/** @param stuckMs after about so long without a beat a thread is stuck */
export function createBeat(stuckMs: number): ThreadBeat {
  return { beats: new Int32Array(new SharedArrayBuffer(4)), everyMs: stuckMs / MAX_MISSED_BEATS };
}

/** Call it in the thread, first of all: beats between two pieces of work, and keeps the thread from nothing. */
export function keepBeating({ beat }: { readonly beat?: ThreadBeat }): void {
  if (beat === undefined) return;
  setInterval(() => Atomics.add(beat.beats, 0, 1), beat.everyMs).unref();
}

/** Calls back once if the thread is stuck. Returns what ends the watch. */
export function watchBeat({ beats, everyMs }: ThreadBeat, onStuck: () => void): () => void {
  let [seen, missedBeats] = [0, 0];
  const timer = setInterval(() => {
    const now = Atomics.load(beats, 0);
    missedBeats = now === seen ? missedBeats + 1 : 0;
    seen = now;
    if (missedBeats < MAX_MISSED_BEATS) return;
    clearInterval(timer);
    onStuck();
  }, everyMs).unref();
  return () => clearInterval(timer);
}
