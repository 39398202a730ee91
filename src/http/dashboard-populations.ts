/** Keeps the results of the last simulation in memory, so that moving a threshold does not evaluate the assessments again. */
import { setImmediate } from 'node:timers/promises';
import type { KeyMode } from '../model/key-mode.ts';
import { type ReplayResult, type ReplayWeights, replay } from '../signup/simulation.ts';
import type { HistoryStore, ReplayableAssessment, ReplaySearch } from '../store/history-store.ts';
import { NobodyWaits } from './core/problems.ts';
import { toAssessmentRow } from './dashboard-history.ts';
import type { WorkPlaces } from './dashboard-work-places.ts';

export interface Population {
  /** Newest first. */
  readonly results: readonly ReplayResult[];
  /** True when older assessments were left out. */
  readonly sampled: boolean;
}

export interface PopulationQuestion {
  readonly accountId: string;
  readonly search: ReplaySearch;
  readonly weights: ReplayWeights;
  /** Aborted when the client has disconnected. */
  readonly gone: AbortSignal;
}

export interface PopulationOptions {
  readonly store: Pick<HistoryStore, 'replayableAssessments'>;
  readonly clock: () => number;
  /** Time as of `performance.now`. */
  readonly stopwatch: () => number;
  /** Maximum number of signups to evaluate. */
  readonly maxSignups: number;
  /** Each running evaluation takes a place; further requests for the same one take none. */
  readonly places: WorkPlaces;
}

/** Time after which new feedback and traffic are included. */
const FRESH_MS = 15_000;
/** Maximum time to block the event loop. */
const SLICE_MS = 5;
/** Evaluations between two checks of the time. */
const STRIDE = 32;

interface Running {
  readonly population: Promise<Population>;
  /** Requests that wait for it; at 0 it is aborted. */
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
    // Reads one more than the maximum, to find out whether there are more.
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
    // After the last client has disconnected, nobody handles the rejection.
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
      // The evaluation is aborted: a later request starts another.
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

/** Keeps one population only, because it is large. */
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

function replayStored({ row, stored }: ReplayableAssessment, mode: KeyMode, weights: ReplayWeights) {
  const { keyId, score, verdict, feedback } = row;
  const sample = {
    mode,
    keyId,
    mailboxHash: stored.mailboxHash,
    score,
    verdict,
    feedback,
    stored,
    row: () => toAssessmentRow(row),
  };
  return replay(sample, weights);
}
