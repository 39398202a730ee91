/** Decides when the history's thread indexes and when it answers: bounded slices at a share of the time, questions between them. */
import type { HistoryQueries } from '../history-queries.ts';
import type { IndexProgress } from '../history-store.ts';
import type { Indexer } from './history-indexer.ts';

export interface IndexingOptions {
  readonly indexer: Pick<Indexer, 'step' | 'state' | 'leftFrom'>;
  /** Replies from what is indexed; is never called with a question about the progress. */
  readonly answer: (question: HistoryQuestion) => void;
  readonly reply: (reply: Reply) => void;
  /** As `performance.now`. */
  readonly stopwatch: () => number;
  /** Runs `work` after so many milliseconds, unless what it returns is called before. */
  readonly later: (work: () => void, milliseconds: number) => () => void;
  readonly limits?: Partial<IndexingLimits>;
}

/** What the thread can be asked. */
export interface Questions extends HistoryQueries {
  removeFromIndex(requestIds: readonly string[]): Promise<void>;
}

export interface HistoryQuestion {
  readonly id: number;
  /** `indexing`: as `LogStore.indexing`. */
  readonly name: keyof Questions | 'indexing';
  readonly values: readonly unknown[];
}

export type Reply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failed: string }
  | { readonly fault: string };

export interface IndexingLimits {
  /** What a slice may take, about: a question waits at most for one. */
  readonly sliceMs: number;
  /** Assessments of a slice. With fewer it takes longer: a transaction rewrites nearly the same pages for them. */
  readonly minSlice: number;
  readonly maxSlice: number;
  /** How long a question waits for what is not indexed yet. For what would take longer, it does not wait at all. */
  readonly patienceMs: number;
}

export interface IndexingSchedule {
  /** Replies at once, or when everything is indexed that was stored before, or when patience ends. */
  ask(question: HistoryQuestion): void;
  close(): void;
}

const LIMITS: IndexingLimits = { sliceMs: 150, minSlice: 2_000, maxSlice: 4_000, patienceMs: 3_000 };
/** What is left to do between questions can wait until there is enough of it to be worth a transaction. */
const EVERY_MS = 5_000;
const AFTER_FAULT_MS = 10_000;
/**
 * How much longer than at work it is at rest. Where people look at pages that are not complete, and much is left, two thirds
 * of the thread's time go into it; all of it at a low priority, because assessments come first.
 */
const FAR_BEHIND_MS = 2_000;
const REST_WHILE_ASKED = 0.5;
/** After a question, people are there for so long: pages ask again by themselves. */
const ASKED_MS = 60_000;
const REST = 3;
/** Assessments a millisecond, until it is measured. */
const FIRST_SPEED = 10;
/** How much a new measurement counts. */
const SMOOTHING = 0.2;
/** Only a clock that was set back further makes what is stored last older than this beside what was stored before. */
const OUT_OF_ORDER_MS = 3_600_000;
/** These read nothing that is indexed. */
const WITHOUT_INDEX: ReadonlySet<HistoryQuestion['name']> = new Set(['findAssessment', 'reportedMistakes']);

interface Waiting {
  readonly question: HistoryQuestion;
  /** The newest assessment that the answer must include. */
  readonly target: number;
  readonly until: number;
}

export function createIndexing(options: IndexingOptions): IndexingSchedule {
  const { indexer, reply, stopwatch, later } = options;
  const limits = { ...LIMITS, ...options.limits };
  let waiting: Waiting[] = [];
  const pace = createPace(limits);
  let askedAt = Number.NEGATIVE_INFINITY;
  let cancel = later(work, 0);

  const restAfter = (left: number) =>
    pace.workMs(left) >= FAR_BEHIND_MS && stopwatch() - askedAt < ASKED_MS ? REST_WHILE_ASKED : REST;

  function work(): void {
    let pause = EVERY_MS;
    try {
      const started = stopwatch();
      const size = pace.slice();
      const done = indexer.step(size);
      const took = stopwatch() - started;
      // What was less than a slice was all there is.
      if (done >= size) pause = took * restAfter(indexer.state().left);
      pace.measure(done, took);
      settle(({ target, until }) => indexer.state().indexed >= target || stopwatch() >= until);
    } catch (error) {
      reply({ fault: (error as Error).message });
      pause = AFTER_FAULT_MS;
      settle(() => true);
    }
    cancel = later(work, waiting.length > 0 ? 0 : pause);
  }

  function settle(isOver: (question: Waiting) => boolean): void {
    const over = waiting.filter(isOver);
    if (over.length === 0) return;
    waiting = waiting.filter((question) => !over.includes(question));
    for (const { question, target } of over) finish(question, target);
  }

  function finish(question: HistoryQuestion, target: number): void {
    if (question.name !== 'indexing') options.answer(question);
    else reply({ id: question.id, answer: progressTo(target) });
  }

  function progressTo(target: number): IndexProgress | null {
    const { oldest, indexed, left } = indexer.state();
    if (indexed >= target) return null;
    const done = Math.max(0, indexed - oldest + 1);
    const seconds = Math.ceil((pace.workMs(left) * (1 + restAfter(left))) / 1000);
    return { indexed: done, total: done + left, secondsLeft: Math.max(1, seconds) };
  }

  return {
    ask(question) {
      askedAt = stopwatch();
      const { newest, left } = indexer.state();
      const target =
        question.name === 'indexing' && left > 0 && isBefore(question, indexer.leftFrom()) ? 0 : newest;
      const late = left > pace.slice() && pace.workMs(left) > limits.patienceMs;
      if (left === 0 || target === 0 || late || WITHOUT_INDEX.has(question.name))
        return finish(question, target);
      waiting.push({ question, target, until: stopwatch() + limits.patienceMs });
      cancel();
      cancel = later(work, 0);
    },
    close() {
      cancel();
      waiting = [];
    },
  };
}

/** Whether a question is only about what was made before an instant. */
function isBefore({ values: [to] }: HistoryQuestion, at: number): boolean {
  return typeof to === 'number' && to <= at - OUT_OF_ORDER_MS;
}

/** How fast the index grows, and so how many assessments fit into a slice. */
function createPace(limits: IndexingLimits) {
  let speed = FIRST_SPEED;
  let size = limits.minSlice;
  return {
    slice: () => size,
    workMs: (left: number) => left / speed,
    measure(done: number, milliseconds: number): void {
      // A few cost as much as many: they say nothing about the speed.
      if (done < limits.minSlice) return;
      speed += SMOOTHING * (done / Math.max(milliseconds, 1) - speed);
      size = Math.round(Math.min(limits.maxSlice, Math.max(limits.minSlice, speed * limits.sliceMs)));
    },
  };
}
