/** Puts attempts of batches that overlap in time into order, as events, a part at a time: all of a busy time at once would keep signups waiting. */
import type { VelocityEvent } from '../../model/velocity-event.ts';

export interface EventOrder {
  add(attempts: readonly VelocityEvent[]): void;
  /** Events with an id before this one that are in order by now; none while they are few. */
  take(before: string): VelocityEvent[];
  /** Events that are left, in chunks. */
  rest(): Generator<VelocityEvent[]>;
}

/** `req_`, and all but the last character of the time: ids of 32 milliseconds have it in common. */
const START_OF_ID = 13;
/** Events a chunk: each chunk has a cost of its own. */
const PER_CHUNK = 1_000;

export function createEventOrder(): EventOrder {
  /** Events by the start of their ids. */
  const parts = new Map<string, VelocityEvent[]>();

  /** Takes whole parts, the first ones first, until there is a chunk. */
  function takeChunk(starts: readonly string[]): VelocityEvent[] {
    const chunk: VelocityEvent[] = [];
    for (const start of starts) {
      for (const attempt of (parts.get(start) as VelocityEvent[]).sort(byId)) chunk.push(attempt);
      parts.delete(start);
      if (chunk.length >= PER_CHUNK) break;
    }
    return chunk;
  }

  function startsBefore(end: string): string[] {
    return [...parts.keys()].filter((start) => start < end).sort();
  }

  return {
    add(attempts) {
      for (const attempt of attempts) {
        const start = attempt.id.slice(0, START_OF_ID);
        const part = parts.get(start);
        if (part === undefined) parts.set(start, [attempt]);
        else part.push(attempt);
      }
    },
    take(before) {
      const starts = startsBefore(before.slice(0, START_OF_ID));
      let count = 0;
      for (const start of starts) count += (parts.get(start) as VelocityEvent[]).length;
      return count < PER_CHUNK ? [] : takeChunk(starts);
    },
    *rest() {
      while (parts.size > 0) yield takeChunk([...parts.keys()].sort());
    },
  };
}

/** Order by id, which is that of time. */
function byId(a: VelocityEvent, b: VelocityEvent): number {
  return a.id < b.id ? -1 : 1;
}
