/** Decides when the recall of each account runs while the service does: each night, when somebody asks, and after a kill. */
import type { Logger } from 'pino';
import type { Directory } from '../../accounts/directory.ts';
import { createMakeId, type MakeId } from '../../contract/identifiers.ts';
import { dueDay } from '../../platform/due-day.ts';
import type { Clocks } from '../../platform/steady-clock.ts';
import type { HistoryStore } from '../../store/history-store.ts';
import { createPruner, type Pruner } from '../../store/pruner.ts';
import type { RecallRun, RecallStore } from '../../store/recall-store.ts';
import { keptFrom, type Retention } from '../../store/retention.ts';
import type { Account } from '../../store/store.ts';
import { type MakeJudgeOptions, makeJudge } from './make-judge.ts';
import { LEASE_MS, type RecallRunOptions, runRecall } from './recall-run.ts';

export interface LiveRecallOptions extends Omit<MakeJudgeOptions, 'store' | 'directory'> {
  readonly store: MakeJudgeOptions['store'] &
    RecallRunOptions['store'] &
    RecallStore &
    Pick<HistoryStore, 'indexing'>;
  readonly directory: MakeJudgeOptions['directory'] & Pick<Directory, 'accounts'>;
  readonly clocks: Pick<Clocks, 'wall'>;
  readonly log: Pick<Logger, 'info' | 'error'>;
  /** Days that it looks back; `null`: recall is off. Hour of an account's day at which it runs, 0 to 23. */
  readonly config: { readonly recallDays: number | null; readonly recallHour: number };
  /** Time that signups are kept; `null`: for ever. */
  readonly retention: Retention | null;
  /** Whether no other process can have a lease. */
  readonly isAlone: boolean;
  /** Pause between two looks for what is due. Default 5 s. */
  readonly pollMs?: number;
}

const DAY_MS = 86_400_000;
const POLL_MS = 5_000;
const PRUNE_MS = 60_000;
/** A process that has just started has other work. */
const AFTER_START_MS = 600_000;

/** Is started and closed as what removes old rows is. */
export function createLiveRecall(options: LiveRecallOptions): Pruner {
  const { store, directory, clocks, log, config, isAlone, pollMs = POLL_MS } = options;
  const startedAt = clocks.wall();
  const makeId = createMakeId();
  const holder = makeId('rcl', startedAt);
  const ending = new AbortController();
  const onFault = (error: Error) => {
    if (!ending.signal.aborted) log.error({ err: error }, 'a recall could not be made; it is tried again');
  };
  const pruner = createPruner({ prune: pruneOf(options), random: Math.random, onFault, idleMs: PRUNE_MS });
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();
  let isFreed = !isAlone;

  function plan(): void {
    if (ending.signal.aborted) return;
    timer = setTimeout(() => {
      work = poll().catch(onFault).then(plan);
    }, pollMs).unref();
  }

  /** One account after the other. */
  async function poll(): Promise<void> {
    if (!isFreed) await store.freeRecalls();
    isFreed = true;
    const runs = new Map((await store.recallRuns()).map((run) => [run.accountId, run]));
    for (const account of directory.accounts()) {
      if (ending.signal.aborted) return;
      const run = await claim(account, runs.get(account.id), { holder, startedAt, makeId }, options);
      if (run !== undefined) await carryOut(run, holder, options, ending.signal);
    }
  }

  return {
    start() {
      if (config.recallDays !== null) plan();
      pruner.start();
    },
    async close() {
      ending.abort();
      clearTimeout(timer);
      await work;
      await pruner.close();
    },
  };
}

/** This process, as it claims runs. */
interface Process {
  readonly holder: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly makeId: MakeId;
}

/** Takes what is due of an account; `undefined` where nothing is, or another node has it. */
async function claim(
  account: Account,
  run: RecallRun | undefined,
  { holder, startedAt, makeId }: Process,
  options: LiveRecallOptions,
): Promise<RecallRun | undefined> {
  const { store, clocks, config } = options;
  const now = clocks.wall();
  const claimed = { accountId: account.id, holder, now, leaseUntil: now + LEASE_MS };
  if (run?.endedAt === null) return run.leaseUntil <= now ? store.resumeRecall(claimed) : undefined;
  const { timeZone, createdAt } = account;
  const isEarly = now - startedAt < AFTER_START_MS;
  const nightly = { hour: config.recallHour, timeZone, lastDay: run?.day ?? '', since: createdAt };
  const day = isEarly ? undefined : dueDay(nightly, now);
  if (day === undefined && (run?.requestedAt ?? null) === null) return undefined;
  // Signups that are not indexed yet would be missing.
  if ((await store.indexing(now)) !== null) return undefined;
  const since = keptSince(options, now);
  return store.beginRecall({ ...claimed, id: makeId('rcl', now), since, until: now }, day);
}

async function carryOut(
  run: RecallRun,
  holder: string,
  options: LiveRecallOptions,
  signal: AbortSignal,
): Promise<void> {
  const { store, clocks, log } = options;
  const started = performance.now();
  const judgeAgain = await makeJudge(options, run.accountId, clocks.wall());
  const outcome = await runRecall(run, holder, { store, judgeAgain, clock: clocks.wall, signal });
  if (outcome !== 'ended') return;
  const ended = await store.recallRun(run.accountId);
  const seconds = Math.round((performance.now() - started) / 1000);
  log.info({ account: run.accountId, judged: ended?.judged ?? 0, seconds }, 'a recall ended');
}

/** Start of the time that is looked at: The days of the setting back, and never longer than signups are kept. */
function keptSince({ config, retention }: LiveRecallOptions, now: number): number {
  const kept = retention === null ? 0 : keptFrom(retention, now);
  return Math.max(now - (config.recallDays ?? 0) * DAY_MS, kept);
}

function pruneOf(options: LiveRecallOptions) {
  return (maxPruned: number) =>
    options.store.pruneRecalled(keptSince(options, options.clocks.wall()), maxPruned);
}
