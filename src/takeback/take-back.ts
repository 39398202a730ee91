/** Decides what a process does about accounts that are to be held: work on jobs that are due, one of each connection at a time, and remove old ones. */
import type { Logger } from 'pino';
import type { SecretBox } from '../accounts/secret-box.ts';
import { createMakeId } from '../contract/identifiers.ts';
import { createLoop } from '../events/loop.ts';
import { TAKE_BACK_MS, type TakeBackJob } from '../model/take-back.ts';
import { createPruner } from '../store/pruner.ts';
import type { ProviderConnectionStore, TakeBackStore } from '../store/take-back-store.ts';
import { type ConnectionAdmin, createConnectionAdmin } from './connection-admin.ts';
import { createJobAdmin, type JobAdmin } from './job-admin.ts';
import { createPace } from './pace.ts';
import type { AccountProvider, ProviderSettings } from './provider.ts';
import { settingsOf, UNREADABLE_SECRET } from './settings-of.ts';
import { type TurnEnd, workTurn } from './work-turn.ts';

export interface TakeBackOptions {
  readonly store: TakeBackStore & ProviderConnectionStore;
  readonly box: SecretBox;
  readonly providerOf: (settings: ProviderSettings) => AccountProvider;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Whether no other process works on jobs: then turns of an earlier one are over when this one starts. */
  readonly isAlone: boolean;
  /** Whether connections may lead to private addresses, and without TLS. */
  readonly allowsPrivate: boolean;
  /** Days that ids of people may be kept; `null`: as long as jobs. */
  readonly personalDays: number | null;
  /** Ends idle connections to providers. */
  readonly closeProviders?: () => void;
  readonly forTests?: TakeBackForTests | undefined;
}

/** Default of each: as in an installation. */
export interface TakeBackForTests {
  readonly pollMs?: number;
  readonly leaseMs?: number;
}

export interface TakeBack {
  readonly connections: ConnectionAdmin;
  readonly jobs: JobAdmin;
  start(): Promise<void>;
  /** Ends the turns under way; another process, or the next start, goes on. */
  close(): Promise<void>;
}

/** Time after which another process may go on: longer than any call of a provider takes. */
const LEASE_MS = 90_000;
const POLL_MS = 1_000;
const PRUNE_MS = 60_000;
const DAY_MS = 86_400_000;
const MAX_JOBS = 8;
/** Pause of a job that met a fault of this service. */
const AFTER_FAULT_MS = 10_000;

export function createTakeBack(options: TakeBackOptions): TakeBack {
  const { store, log, clock, personalDays, forTests = {} } = options;
  const { pollMs = POLL_MS, leaseMs = LEASE_MS } = forTests;
  const keptMs = Math.min(TAKE_BACK_MS, (personalDays ?? Number.POSITIVE_INFINITY) * DAY_MS);
  const stopping = new AbortController();
  const turns = new Set<Promise<void>>();
  /** Whether a lease may be stored that no turn has: the database did not answer in time. */
  let isUnsure = false;
  const work = createWorkJob({ ...options, leaseMs, signal: stopping.signal });

  const loop = createLoop({
    async step() {
      if (turns.size >= MAX_JOBS || stopping.signal.aborted) return false;
      if (isUnsure && options.isAlone && turns.size === 0) {
        await store.freeTakeBacks();
        isUnsure = false;
      }
      const now = clock();
      const job = await store.claimTakeBack(now, now + leaseMs).catch((error) => {
        isUnsure = true;
        throw error;
      });
      if (job === undefined) return false;
      const turn = work(job)
        .catch((error: Error) => {
          isUnsure = true;
          log.error({ err: error, job: job.id }, FAULT);
        })
        .finally(() => turns.delete(turn));
      turns.add(turn);
      return true;
    },
    pollMs,
    log,
    fault: FAULT,
  });
  const pruner = createPruner({
    prune: (maxPruned) => store.pruneTakeBacks(clock() - keptMs, maxPruned),
    random: Math.random,
    onFault: (error) => log.error({ err: error }, 'expired rows could not be removed'),
    idleMs: PRUNE_MS,
  });

  const makeId = createMakeId();
  return {
    connections: createConnectionAdmin({ ...options, makeId }),
    jobs: createJobAdmin({ store, makeId }),
    async start() {
      if (options.isAlone) await store.freeTakeBacks();
      loop.start();
      pruner.start();
    },
    async close() {
      stopping.abort();
      await Promise.all([loop.close(), pruner.close()]);
      await Promise.all(turns);
      options.closeProviders?.();
    },
  };
}

const FAULT = 'accounts are not taken back for now';

interface WorkOptions extends Pick<TakeBackOptions, 'store' | 'box' | 'providerOf' | 'clock'> {
  readonly leaseMs: number;
  readonly signal: AbortSignal;
}

function createWorkJob(options: WorkOptions): (job: TakeBackJob) => Promise<void> {
  const { store, clock } = options;

  async function work(job: TakeBackJob): Promise<TurnEnd> {
    const all = await store.connections(job.accountId);
    const connection = all.find(({ id }) => id === job.connectionId);
    if (connection === undefined) return refused('The connection to the provider was removed.');
    const settings = settingsOf(connection, options.box);
    if (settings === undefined) return refused(UNREADABLE_SECRET);
    const pace = createPace(connection.perSecond, () => performance.now());
    return workTurn(job, { ...options, provider: options.providerOf(settings), pace });
  }

  return async (job) => {
    const turn = { jobId: job.id, run: job.run };
    const later = { state: 'running', nextAt: clock() + AFTER_FAULT_MS, problem: null } as const;
    let end: TurnEnd = later;
    try {
      end = await work(job);
    } finally {
      await store.endTurn(turn, job.phase, { ...end, at: clock() });
    }
  };
}

function refused(problem: string): TurnEnd {
  return { state: 'refused', nextAt: 0, problem };
}
