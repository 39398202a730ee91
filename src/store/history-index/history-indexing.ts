/** Decides when the history's thread indexes and when it answers: short slices at a share of the time, questions between them. */
import type { HistoryQueries } from '../history-queries.ts';
import type { IndexProgress } from '../history-store.ts';
import type { IndexState, RunIndexer } from './run-indexer.ts';
import { RUN_SIZE } from './run-segment.ts';

export interface IndexingOptions {
  readonly indexer: Pick<RunIndexer, 'step' | 'state' | 'oldestUnindexedAt'>;
  /** Replies from what is indexed; is never called with a question about the progress. */
  readonly answer: (question: HistoryQuestion) => void;
  readonly reply: (reply: Reply) => void;
  /** Clock like `performance.now`. */
  readonly stopwatch: () => number;
  /** Runs `work` after so many milliseconds, unless what it returns is called before. */
  readonly later: (work: () => void, milliseconds: number) => () => void;
  readonly limits?: Partial<IndexingLimits>;
}

/** Questions that change the index. They take several slices, and begin when the question is answered. */
export const CHANGES = [
  'removeFromIndex',
  'removeBefore',
  'removeAccount',
  'blankBefore',
  'rereadInIndex',
  'rebuildIndex',
] as const satisfies readonly (keyof RunIndexer)[];
export type IndexChange = (typeof CHANGES)[number];

/** Questions that the thread answers. */
export type Questions = HistoryQueries & Pick<RunIndexer, IndexChange>;

export interface HistoryQuestion {
  readonly id: number;
  /** `indexing`: as `HistoryStore.indexing`. */
  readonly name: keyof Questions | 'indexing';
  readonly values: readonly unknown[];
}

export type Reply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failed: string }
  | { readonly fault: string };

export interface IndexingLimits {
  /** Approximate time of a slice: a question waits for one at most. */
  readonly sliceMs: number;
  /** Assessments in a slice. */
  readonly minSlice: number;
  readonly maxSlice: number;
  /** Max. time that a question waits for what is not indexed yet. If that would take longer, it does not wait at all. */
  readonly patienceMs: number;
  /** Numbers that share a run. */
  readonly runSize: number;
}

export interface IndexingSchedule {
  /** Replies at once, or when everything stored before is indexed, or when `patienceMs` is over. */
  ask(question: HistoryQuestion): void;
  close(): void;
}

const LIMITS: IndexingLimits = {
  sliceMs: 3,
  minSlice: 64,
  maxSlice: 2_048,
  patienceMs: 3_000,
  runSize: RUN_SIZE,
};
/** Interval between slices when nobody asks: new assessments wait until there are enough for one. */
const EVERY_MS = 5_000;
const AFTER_FAULT_MS = 10_000;
/**
 * Backlog from which indexing rests less. While people look at incomplete pages and much is left, two thirds of the
 * thread's time go into indexing; all of it at a low priority, because assessments come first.
 */
const FAR_BEHIND_MS = 2_000;
const REST_WITH_PEOPLE = 0.5;
/** Time that people are expected to stay after a question: pages ask again by themselves. */
const PEOPLE_STAY_MS = 60_000;
const REST = 3;
/** Assessments a millisecond, until it is measured. */
const FIRST_SPEED = 50;
/** Share of a new measurement, 0 … 1. */
const SMOOTHING = 0.2;
/** Assessments are stored in the order of their time up to this, unless a clock was set back further. */
const OUT_OF_ORDER_MS = 3_600_000;
/** Questions that do not read the index. */
const WITHOUT_INDEX: ReadonlySet<HistoryQuestion['name']> = new Set(['findAssessment', 'reportedMistakes']);

interface WaitingQuestion {
  readonly question: HistoryQuestion;
  /** The newest assessment that the answer must include. */
  readonly target: number;
  readonly until: number;
}

export function createIndexing(options: IndexingOptions): IndexingSchedule {
  const { indexer, reply, stopwatch, later } = options;
  const limits = { ...LIMITS, ...options.limits };
  let waiting: WaitingQuestion[] = [];
  const pace = createPace(limits);
  let lastQuestionAt = Number.NEGATIVE_INFINITY;
  let cancel = later(work, 0);

  const areLooking = () => stopwatch() - lastQuestionAt < PEOPLE_STAY_MS;
  const msFor = (remaining: number) => pace.workMs(remaining) * (1 + pace.rest(remaining, areLooking()));

  function work(): void {
    let pause = EVERY_MS;
    try {
      const started = stopwatch();
      const { done, more } = indexer.step(pace.slice());
      const took = stopwatch() - started;
      // Longer only where the machine slept during the slice.
      if (more) pause = Math.min(took * pace.rest(indexer.state().remaining, areLooking()), EVERY_MS);
      pace.measure(done, took);
      const removes = answerOver(
        ({ target, until }) => indexer.state().indexed >= target || stopwatch() >= until,
      );
      if (removes) pause = 0;
    } catch (error) {
      reply({ fault: (error as Error).message });
      pause = AFTER_FAULT_MS;
      answerOver(() => true);
    }
    cancel = later(work, waiting.length > 0 ? 0 : pause);
  }

  /** Replies to those whose waiting is over. Returns whether one of them removes something. */
  function answerOver(isOver: (question: WaitingQuestion) => boolean): boolean {
    const over = waiting.filter(isOver);
    waiting = waiting.filter((question) => !over.includes(question));
    for (const { question, target } of over) finish(question, target);
    return over.some(({ question }) => isChange(question));
  }

  function wake(): void {
    cancel();
    cancel = later(work, 0);
  }

  function finish(question: HistoryQuestion, target: number): void {
    if (question.name !== 'indexing') options.answer(question);
    else reply({ id: question.id, answer: progressTo(target, indexer.state(), msFor) });
  }

  return {
    ask(question) {
      lastQuestionAt = stopwatch();
      const { remaining } = indexer.state();
      const target = targetOf(question, indexer);
      const late = remaining > pace.slice() && pace.workMs(remaining) > limits.patienceMs;
      if (remaining === 0 || target === 0 || late || WITHOUT_INDEX.has(question.name)) {
        finish(question, target);
        if (isChange(question)) wake();
        return;
      }
      waiting.push({ question, target, until: stopwatch() + limits.patienceMs });
      wake();
    },
    close() {
      cancel();
      waiting = [];
    },
  };
}

/** @param msFor estimates how long indexing takes, rests included, milliseconds */
function progressTo(
  target: number,
  { oldest, indexed, remaining }: IndexState,
  msFor: (remaining: number) => number,
): IndexProgress | null {
  if (indexed >= target) return null;
  const done = Math.max(0, indexed - oldest + 1);
  return {
    indexed: done,
    total: done + remaining,
    secondsLeft: Math.max(1, Math.ceil(msFor(remaining) / 1000)),
  };
}

function isChange({ name }: HistoryQuestion): boolean {
  return (CHANGES as readonly string[]).includes(name);
}

/** The newest assessment that the answer must include; 0: none, because the index has all that the question is about. */
function targetOf(question: HistoryQuestion, indexer: IndexingOptions['indexer']): number {
  const { newest, remaining } = indexer.state();
  return question.name === 'indexing' && remaining > 0 && isBefore(question, indexer.oldestUnindexedAt())
    ? 0
    : newest;
}

/** Whether a question is only about assessments made before an instant. */
function isBefore({ values: [to] }: HistoryQuestion, at: number): boolean {
  return typeof to === 'number' && to <= at - OUT_OF_ORDER_MS;
}

/** Measures how fast the index grows, and so how many assessments fit into a slice. */
function createPace(limits: IndexingLimits) {
  let speed = FIRST_SPEED;
  let size = limits.minSlice;
  const workMs = (remaining: number) => remaining / speed;
  return {
    slice: () => size,
    workMs,
    /** `areLooking`: whether people look at pages that are not complete. */
    rest: (remaining: number, areLooking: boolean) =>
      areLooking && workMs(remaining) >= FAR_BEHIND_MS ? REST_WITH_PEOPLE : REST,
    measure(done: number, milliseconds: number): void {
      // A few take as long as many: they say nothing about the speed.
      if (done < limits.minSlice) return;
      speed += SMOOTHING * (done / Math.max(milliseconds, 1) - speed);
      size = Math.round(Math.min(limits.maxSlice, Math.max(limits.minSlice, speed * limits.sliceMs)));
    },
  };
}
