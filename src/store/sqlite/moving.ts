/** Decides when assessments that older versions stored are moved into batches: in the background, some milliseconds of the writer at a time. */
import type { SqliteConnection } from './connection.ts';
import type { StatementsJob } from './jobs.ts';

export interface RecordMover {
  /** Nothing moves until `work` is over. */
  hold<T>(work: AsyncIterable<T>): AsyncIterable<T>;
  /** Resolves when nothing moves any more. */
  close(): Promise<void>;
}

export interface RecordMoverOptions {
  readonly reads: SqliteConnection;
  readonly submit: (job: StatementsJob) => PromiseLike<{ readonly result?: { readonly changes: number } }>;
  /** Called at the beginning, now and then, and at the end. */
  readonly onProgress: (progress: MovingProgress) => void;
  readonly onFault: (error: Error) => void;
  /** After the opening. Default: when the start of the service is over. */
  readonly startMs?: number | undefined;
}

/** Assessments. */
export interface MovingProgress {
  readonly moved: number;
  readonly remaining: number;
}

/** The start of a service comes first: velocity reads the newest assessments. */
const START_MS = 15_000;
/** About 5 ms of the writer, which assessments that come meanwhile wait for. */
const SLICE_RECORDS = 64;
/** How much longer it rests than it works, and at least this. */
const REST = 4;
const MIN_REST_MS = 20;
const HELD_MS = 200;
const AFTER_FAULT_MS = 10_000;
const PROGRESS_MS = 30_000;

/** A command leaves it to the service. */
export const NO_RECORD_MOVER: RecordMover = { hold: (work) => work, close: async () => {} };

export function startRecordMover(options: RecordMoverOptions): RecordMover {
  const { reads, submit, onProgress, onFault } = options;
  const countRemaining = reads.prepare('SELECT count(*) AS remaining FROM assessments');
  const readAny = reads.prepare('SELECT 1 FROM assessments LIMIT 1');
  let moved = 0;
  let holders = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let reported = '';
  let closed = false;
  let working = Promise.resolve();
  let next: NodeJS.Timeout | undefined;

  function report(remaining?: number): void {
    const now = performance.now();
    if (remaining === undefined && now - reportedAt < PROGRESS_MS) return;
    reportedAt = now;
    onProgress({ moved, remaining: remaining ?? (countRemaining.get() as { remaining: number }).remaining });
  }

  /** @returns how long to rest; `undefined` where nothing is left */
  async function step(): Promise<number | undefined> {
    if (holders > 0) return HELD_MS;
    report();
    const started = performance.now();
    const { result } = await submit({ statements: [], moved: SLICE_RECORDS });
    moved += result?.changes ?? 0;
    reported = '';
    if (result?.changes === 0) return report(0) as undefined;
    return Math.max(MIN_REST_MS, REST * (performance.now() - started));
  }

  /** The same fault is reported once. */
  function failed(error: Error): number {
    if (!closed && error.message !== reported) onFault(error);
    reported = error.message;
    return AFTER_FAULT_MS;
  }

  function plan(pauseMs: number | undefined): void {
    if (closed || pauseMs === undefined) return;
    next = setTimeout(() => {
      working = step().catch(failed).then(plan);
    }, pauseMs).unref();
  }

  if (readAny.get() !== undefined) plan(options.startMs ?? START_MS);
  return {
    async *hold(work) {
      holders += 1;
      try {
        yield* work;
      } finally {
        holders -= 1;
      }
    },
    async close() {
      closed = true;
      clearTimeout(next);
      await working;
    },
  };
}
