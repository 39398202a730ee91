import { describe, expect, it } from 'vitest';
import { createIndexing, type HistoryQuestion, type Reply } from './history-indexing.ts';

const HOUR_MS = 3_600_000;
const LIMITS = { sliceMs: 100, minSlice: 10, maxSlice: 10, patienceMs: 200 };

/** A log whose index takes 20 ms for a slice of 10; time passes only while it indexes or rests. */
function createWorld({ stored = 0, sliceCost = 0, brokenFrom = Number.POSITIVE_INFINITY } = {}) {
  let [now, indexed, newest] = [0, 0, stored];
  let due: { work: () => void; at: number } | undefined;
  const rests: number[] = [];
  const replies: { at: number; reply: Reply }[] = [];
  const indexing = createIndexing({
    indexer: {
      step(limit) {
        if (indexed >= brokenFrom) throw new Error('disk full');
        const done = Math.min(limit, newest - indexed);
        now += 2 * done + sliceCost;
        indexed += done;
        return { done, more: done >= limit };
      },
      state: () => ({ oldest: 1, indexed, newest, remaining: newest - indexed }),
      oldestUnindexedAt: () => 10 * HOUR_MS,
    },
    answer: ({ id }) => replies.push({ at: now, reply: { id, answer: `with ${indexed}` } }),
    reply: (reply) => replies.push({ at: now, reply }),
    stopwatch: () => now,
    later(work, milliseconds) {
      const mine = { work, at: now + milliseconds };
      due = mine;
      rests.push(milliseconds);
      return () => {
        if (due === mine) due = undefined;
      };
    },
    limits: LIMITS,
  });
  const slice = () => {
    const next = due;
    due = undefined;
    if (next === undefined) throw new Error('nothing is planned');
    now = Math.max(now, next.at);
    next.work();
  };
  return {
    replies,
    rests,
    slice,
    /** Indexes this many slices, so that it can measure its speed. */
    slices: (count: number) => Array.from({ length: count }, slice),
    store: (count: number) => {
      newest += count;
    },
    ask: (id: number, name: HistoryQuestion['name'], ...values: unknown[]) =>
      indexing.ask({ id, name, values }),
    answers: () => replies.map(({ reply }) => ('answer' in reply ? reply.answer : reply)),
    indexed: () => indexed,
    close: indexing.close,
  };
}

describe('indexing the history', () => {
  it('answers a question when all earlier records are indexed, although more arrive all the time', () => {
    const world = createWorld({ stored: 30 });
    world.ask(1, 'findAssessments');
    for (let slice = 0; slice < 3; slice += 1) {
      expect(world.answers()).toEqual([]);
      world.slice();
      world.store(10);
    }
    expect(world.answers()).toEqual(['with 30']);
  });

  it('answers at once from the indexed part if the rest would take too long, and gives the progress', () => {
    const world = createWorld({ stored: 1_000_000 });
    world.slices(40);
    world.ask(1, 'findAssessments');
    world.ask(2, 'indexing');
    const [page, progress] = world.answers();
    expect(page).toBe('with 400');
    expect(progress).toMatchObject({ indexed: 400, total: 1_000_000 });
    // At 2 ms each, and half as much rest.
    expect((progress as { secondsLeft: number }).secondsLeft).toBeGreaterThan(2_700);
    expect((progress as { secondsLeft: number }).secondsLeft).toBeLessThan(3_100);
  });

  it('answers between two slices, not after all of them', () => {
    const world = createWorld({ stored: 2_000 });
    world.slices(40);
    world.ask(1, 'traffic');
    expect(world.answers()).toEqual(['with 400']);
  });

  it('answers after its patience at the latest', () => {
    const world = createWorld({ stored: 1_500 });
    // Expected to be fast at first: the question waits, and is answered when it has waited long enough.
    world.ask(1, 'findAssessments');
    world.ask(2, 'indexing');
    expect(world.answers()).toEqual([]);
    world.slices(11);
    expect(world.answers()).toEqual(['with 100', expect.objectContaining({ indexed: 100, total: 1_500 })]);
    expect(world.replies[0]?.at).toBe(200);
  });

  it('waits for the content of one slice, however slow earlier slices were', () => {
    const world = createWorld({ stored: 30, sliceCost: 5_000 });
    world.slices(4);
    world.store(9);
    world.ask(1, 'indexing');
    expect(world.answers()).toEqual([]);
    world.slice();
    expect(world.answers()).toEqual([null]);
  });

  it('goes on soon where the machine slept during a slice', () => {
    const world = createWorld({ stored: 30, sliceCost: 3_600_000 });
    world.slices(3);
    expect(Math.max(...world.rests)).toBe(5_000);
  });

  it.each(['findAssessment', 'reportedMistakes'] as const)(
    'answers %s at once, because it needs no index',
    (name) => {
      const world = createWorld({ stored: 50 });
      world.ask(1, name);
      expect(world.answers()).toEqual(['with 0']);
    },
  );

  it('reports a period as complete if it ended long before the unindexed records', () => {
    const world = createWorld({ stored: 1_000_000 });
    world.slices(40);
    world.ask(1, 'indexing', 9 * HOUR_MS);
    world.ask(2, 'indexing', 9 * HOUR_MS + 1);
    expect(world.answers()).toEqual([null, expect.objectContaining({ indexed: 400 })]);
  });

  it('reports everything as complete if all earlier records are indexed, although more have arrived', () => {
    const world = createWorld({ stored: 20 });
    world.ask(1, 'indexing');
    world.store(5);
    world.slices(2);
    expect(world.answers()).toEqual([null]);
  });

  it('uses a quarter of the time, two thirds when much is left and people ask, all of it while a question waits', () => {
    const world = createWorld({ stored: 5_000 });
    world.slices(30);
    expect(world.rests.at(-1)).toBe(60);
    world.ask(1, 'findAssessments');
    world.slices(30);
    expect(world.rests.at(-1)).toBe(10);
    world.slices(420);
    expect(world.rests.at(-1)).toBe(60);
    world.slices(15);
    world.ask(2, 'findAssessments');
    expect(world.rests.at(-1)).toBe(0);
  });

  it('removes records at once, even if the request had to wait for the index', () => {
    const world = createWorld({ stored: 7 });
    world.ask(1, 'rereadInIndex', [3]);
    expect(world.answers()).toEqual([]);
    world.slice();
    expect(world.answers()).toEqual(['with 7']);
    expect(world.rests.at(-1)).toBe(0);
  });

  it('polls rarely after less than a full slice', () => {
    const world = createWorld({ stored: 7 });
    world.slice();
    expect(world.rests.at(-1)).toBe(5_000);
  });

  it('answers from the indexed part while it cannot index, and says that it is behind', () => {
    const world = createWorld({ stored: 50, brokenFrom: 20 });
    world.ask(1, 'findAssessments');
    world.ask(2, 'indexing');
    world.slices(3);
    expect(world.answers()).toEqual([
      { fault: 'disk full' },
      'with 20',
      expect.objectContaining({ indexed: 20, total: 50 }),
    ]);
    expect(world.rests.at(-1)).toBe(10_000);
  });
});
