/** Decides what people and programs see of jobs that take accounts back, and whose accounts a choice of signups means. */
import type { Directory } from '../accounts/directory.ts';
import type { TakeBackRow } from '../contract/dashboard-take-back.ts';
import { Problem } from '../contract/problem.ts';
import { type ProviderConnection, TAKE_BACK_MS, type TakeBackJob } from '../model/take-back.ts';
import type { HistoryEntry } from '../store/history-store.ts';
import type { ProviderConnectionStore, TakeBackStore } from '../store/take-back-store.ts';
import type { JobAdmin } from '../takeback/job-admin.ts';
import { userIdOf } from '../takeback/user-id.ts';
import { instantOrNull, toInstant } from './dashboard-history.ts';

type Store = Pick<ProviderConnectionStore, 'connections'> & Pick<TakeBackStore, 'takeBackCounts'>;

export const TAKE_BACK_PLACES = {
  what: 'searches for accounts',
  perAccount: 2,
  inAll: 6,
  retryAfterSeconds: 5,
};

/** Actions of people about a job, by the end of their path. */
export const JOB_ACTIONS = { cancel: 'cancel', continue: 'goOn', undo: 'undo' } as const satisfies Record<
  string,
  keyof JobAdmin
>;

export async function showJob(store: Store, job: TakeBackJob): Promise<TakeBackRow> {
  return showJobAmong(store, job, await store.connections(job.accountId));
}

/** @param connections those of its account */
export async function showJobAmong(
  store: Pick<Store, 'takeBackCounts'>,
  job: TakeBackJob,
  connections: readonly ProviderConnection[],
): Promise<TakeBackRow> {
  const counts = await store.takeBackCounts(job.accountId, job.id);
  const connection = connections.find(({ id }) => id === job.connectionId);
  const isUndoable = job.phase === 'hold' && connection !== undefined && counts.held + counts.sent > 0;
  const waits = job.state === 'running' && job.nextAt > 0;
  return {
    id: job.id,
    name: job.name,
    attack: job.attack,
    by: job.by,
    connection: connection?.name ?? null,
    holds: job.connectionId !== null,
    phase: job.phase,
    state: job.state,
    problem: job.problem,
    total: Object.values(counts).reduce((sum, count) => sum + count, 0),
    counts,
    created_at: toInstant(job.createdAt),
    ended_at: instantOrNull(job.endedAt),
    waits_until: waits ? toInstant(job.nextAt) : null,
    undo_until: isUndoable ? toInstant(job.createdAt + TAKE_BACK_MS) : null,
  };
}

/** Signups with their user ids at the provider, where these are known. */
export function toSignups(
  rows: readonly HistoryEntry[],
  connection: ProviderConnection | null,
  { hooksOf }: Pick<Directory, 'hooksOf'>,
  accountId: string,
) {
  const providers = new Map(hooksOf(accountId).map(({ id, provider }) => [id, provider]));
  return rows.map((row) => ({
    requestId: row.requestId,
    sessionId: row.sessionId,
    at: row.at,
    userId: connection === null ? null : userIdOf(row, connection, (id) => providers.get(id)),
  }));
}

export function nobodyWasLetIn(): Problem {
  return new Problem('conflict', undefined, {
    message: 'None of these signups was let in.',
    resolution: 'Choose signups that were answered with allow.',
  });
}

/** @param advice what to do */
export function isInAnotherState(advice: string): Problem {
  return new Problem('conflict', undefined, {
    message: 'The job is in another state by now, or too old.',
    resolution: advice,
  });
}
