/** Keeps the assessments that a simulation judged last at hand, so that moving a threshold need not judge them again. */

import { setImmediate } from 'node:timers/promises';
import { type ReplayResult, type ReplayWeights, replay } from '../assess/explain/simulation.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { LogStore, ReplayableAssessment, ReplaySearch } from '../store/history-store.ts';
import { NobodyWaits } from './dashboard-gone-signal.ts';
import { toLogRow } from './dashboard-history-row.ts';
import type { WorkPlaces } from './dashboard-work-places.ts';

export interface Population {
  /** Newest first. */
  readonly results: readonly ReplayResult[];
  /** There are older ones that were left out. */
  readonly sampled: boolean;
}

export interface PopulationQuestion {
  readonly accountId: string;
  readonly search: ReplaySearch;
  readonly weights: ReplayWeights;
  /** Aborted when nobody waits for the answer any more. */
  readonly gone: AbortSignal;
}

export interface PopulationOptions {
  readonly store: Pick<LogStore, 'replayableAssessments'>;
  readonly clock: () => number;
  /** As `performance.now`. */
  readonly stopwatch: () => number;
  /** How many are judged at maxSignups. */
  readonly maxSignups: number;
  /** Each population that is judged takes one; who asks for the same takes none. */
  readonly places: WorkPlaces;
}

/** Feedback and traffic that come in meanwhile show after this. */
const FRESH_MS = 15_000;
/** How long the event loop may be held. */
const SLICE_MS = 5;
/** Judged between two looks at the time. */
const STRIDE = 32;

interface Running {
  readonly population: Promise<Population>;
  /** How many wait for it. It ends early where nobody does. */
  waiting: number;
}

export function createPopulations({ store, clock, stopwatch, maxSignups, places }: PopulationOptions) {
  const fresh = createFreshPopulation(clock);
  const running = new Map<string, Running>();

  async function judgeAll(
    { accountId, search, weights }: PopulationQuestion,
    isWanted: () => boolean,
  ): Promise<Population> {
    const results: ReplayResult[] = [];
    let slice = stopwatch();
    // One more than are judged tells whether there are more.
    for await (const chunk of store.replayableAssessments(accountId, search, maxSignups + 1)) {
      if (!isWanted()) throw new NobodyWaits();
      for (const assessment of chunk) {
        results.push(replayStored(assessment, search.mode, weights));
        if (results.length % STRIDE !== 0 || stopwatch() - slice < SLICE_MS) continue;
        await setImmediate();
        slice = stopwatch();
      }
    }
    const sampled = results.length > maxSignups;
    return { results: sampled ? results.slice(0, maxSignups) : results, sampled };
  }

  /** @throws Problem when there is no place */
  function run(name: string, question: PopulationQuestion): Running {
    const leave = places.enter(question.accountId);
    const began = clock();
    const population = judgeAll(question, () => started.waiting > 0)
      .then((whole) => fresh.keep(name, began + FRESH_MS, whole))
      .finally(() => {
        if (running.get(name) === started) running.delete(name);
        leave();
      });
    // Where everybody has gone, nobody hears of it.
    population.catch(() => {});
    const started: Running = { population, waiting: 0 };
    running.set(name, started);
    return started;
  }

  return async (question: PopulationQuestion): Promise<Population> => {
    question.gone.throwIfAborted();
    const name = nameOf(question);
    const known = fresh.find(name);
    if (known !== undefined) return known;
    const current = running.get(name) ?? run(name, question);
    current.waiting += 1;
    const leave = () => {
      current.waiting -= 1;
      // It ends: who comes now begins another.
      if (current.waiting === 0 && running.get(name) === current) running.delete(name);
    };
    question.gone.addEventListener('abort', leave, { once: true });
    try {
      return await current.population;
    } finally {
      question.gone.removeEventListener('abort', leave);
    }
  };
}

/** Keeps one population: it is large, and people look at one. */
function createFreshPopulation(clock: () => number) {
  let current: { name: string; until: number; population: Population } | undefined;
  let forgetting: NodeJS.Timeout | undefined;
  return {
    find: (name: string): Population | undefined =>
      current !== undefined && current.name === name && clock() < current.until
        ? current.population
        : undefined,
    keep(name: string, until: number, population: Population): Population {
      current = { name, until, population };
      clearTimeout(forgetting);
      forgetting = setTimeout(() => {
        current = undefined;
      }, FRESH_MS).unref();
      return population;
    },
  };
}

/** The start of a period moves with the clock: within the time that a population is fresh, it is the same one. */
function nameOf({ accountId, search: { mode, keyId, since }, weights }: PopulationQuestion): string {
  return JSON.stringify([accountId, mode, keyId, Math.floor(since / FRESH_MS), weights]);
}

function replayStored({ row, evidence }: ReplayableAssessment, mode: KeyMode, weights: ReplayWeights) {
  const { keyId, score, verdict, feedback } = row;
  const sample = {
    mode,
    keyId,
    score,
    verdict,
    feedback,
    decisionRecord: evidence,
    row: () => toLogRow(row),
  };
  return replay(sample, weights);
}
