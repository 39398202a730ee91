/** Keeps the assessments that a simulation judged last at hand, so that moving a threshold need not judge them again. */
import { setImmediate } from 'node:timers/promises';
import { type ReplayResult, type ReplayWeights, replay } from '../../../assess/explain/simulation.ts';
import type { JudgedAssessment, JudgedSearch, LogStore } from '../../../store/log-store.ts';
import { toLogRow } from '../log/log-row.ts';

export interface Population {
  /** Newest first. */
  readonly judged: readonly ReplayResult[];
  /** There are older ones that were left out. */
  readonly sampled: boolean;
}

export interface PopulationQuestion {
  readonly accountId: string;
  readonly search: JudgedSearch;
  readonly weights: ReplayWeights;
}

export interface PopulationOptions {
  readonly store: Pick<LogStore, 'judgedEvidence'>;
  readonly clock: () => number;
  /** As `performance.now`. */
  readonly stopwatch: () => number;
  /** How many are judged at most. */
  readonly most: number;
}

/** Feedback and traffic that come in meanwhile show after this. */
const FRESH_MS = 15_000;
/** How long the event loop may be held. */
const SLICE_MS = 5;
/** Judged between two looks at the time. */
const STRIDE = 32;

export function createPopulations({ store, clock, stopwatch, most }: PopulationOptions) {
  /** One at a time: a population is large, and people look at one. */
  let kept: { name: string; until: number; population: Promise<Population> } | undefined;
  let forgetting: NodeJS.Timeout | undefined;

  async function judgeAll({ accountId, search, weights }: PopulationQuestion): Promise<Population> {
    const judged: ReplayResult[] = [];
    let slice = stopwatch();
    // One more than are judged tells whether there are more.
    for await (const chunk of store.judgedEvidence(accountId, search, most + 1)) {
      for (const one of chunk) {
        judged.push(replayOne(one, search.mode, weights));
        if (judged.length % STRIDE !== 0 || stopwatch() - slice < SLICE_MS) continue;
        await setImmediate();
        slice = stopwatch();
      }
    }
    const sampled = judged.length > most;
    return { judged: sampled ? judged.slice(0, most) : judged, sampled };
  }

  return (question: PopulationQuestion): Promise<Population> => {
    const name = nameOf(question);
    if (kept !== undefined && kept.name === name && clock() < kept.until) return kept.population;
    const population = judgeAll(question);
    kept = { name, until: clock() + FRESH_MS, population };
    clearTimeout(forgetting);
    forgetting = setTimeout(() => {
      kept = undefined;
    }, FRESH_MS).unref();
    population.catch(() => {
      if (kept?.population === population) kept = undefined;
    });
    return population;
  };
}

/** The start of a period moves with the clock: within the time that a population is fresh, it is the same one. */
function nameOf({ accountId, search: { mode, keyId, since }, weights }: PopulationQuestion): string {
  return JSON.stringify([accountId, mode, keyId, Math.floor(since / FRESH_MS), weights]);
}

function replayOne({ row, evidence }: JudgedAssessment, mode: 'live' | 'test', weights: ReplayWeights) {
  const { keyId, score, verdict, feedback } = row;
  const sample = { mode, keyId, score, verdict, feedback, grounds: evidence, row: () => toLogRow(row) };
  return replay(sample, weights);
}
