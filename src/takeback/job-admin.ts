/** Begins jobs that hold accounts at a provider, cancels them, lets them go on, and undoes them for a month. */
import type { MakeId } from '../contract/identifiers.ts';
import {
  type AccountState,
  type ProviderConnection,
  TAKE_BACK_MS,
  type TakeBackJob,
} from '../model/take-back.ts';
import type { MakeAuditEntry } from '../store/audit-store.ts';
import type { NewTakeBackAccount, TakeBackStore } from '../store/take-back-store.ts';

/** A signup whose account is to be held. */
export interface SignupToTakeBack
  extends Pick<NewTakeBackAccount, 'requestId' | 'sessionId' | 'at' | 'userId'> {}

export interface NewJob extends Pick<TakeBackJob, 'accountId' | 'name' | 'attack' | 'by'> {
  /** `null`: the accounts are only listed. */
  readonly connection: Pick<ProviderConnection, 'id' | 'kind' | 'name'> | null;
  readonly signups: readonly SignupToTakeBack[];
}

export interface JobAdmin {
  /** Begins a job. The account of several signups of one user is held once, and all are listed. */
  start(job: NewJob, now: number, audit: MakeAuditEntry): Promise<TakeBackJob>;
  /** Each of these returns whether the job was in a state in which that can be done. */
  cancel(job: TakeBackJob, now: number, audit: MakeAuditEntry): Promise<boolean>;
  goOn(job: TakeBackJob, now: number, audit: MakeAuditEntry): Promise<boolean>;
  undo(job: TakeBackJob, now: number, audit: MakeAuditEntry): Promise<boolean>;
  /** Gives user ids to accounts that have none. @returns how many got one */
  name(
    job: TakeBackJob,
    ids: readonly { readonly requestId: string; readonly userId: string }[],
    audit: MakeAuditEntry,
  ): Promise<number>;
}

export interface JobAdminOptions {
  readonly store: TakeBackStore;
  readonly makeId: MakeId;
}

/** Whether what a job held can be released still, and nobody has asked for it. */
export function isReleasable(
  { connectionId, phase, createdAt }: Pick<TakeBackJob, 'connectionId' | 'phase' | 'createdAt'>,
  now: number,
): boolean {
  return connectionId !== null && phase === 'hold' && now <= createdAt + TAKE_BACK_MS;
}

const STOPPED = ['done', 'cancelled', 'refused'] as const;

export function createJobAdmin({ store, makeId }: JobAdminOptions): JobAdmin {
  return {
    async start({ connection, signups, ...fields }, now, audit) {
      const id = makeId('tbk', now);
      const accounts = toAccounts(signups);
      const state = connection === null ? 'done' : 'running';
      const job = { ...fields, id, connectionId: connection?.id ?? null, state, createdAt: now } as const;
      const place = connection === null ? 'listed' : `held at ${connection.kind} ${connection.name}`;
      const detail = `${accounts.length} ${accounts.length === 1 ? 'account' : 'accounts'} to be ${place}: ${fields.name}`;
      await store.saveTakeBack(job, accounts, audit('takeback.start', id, detail));
      return (await store.takeBackJob(fields.accountId, id)) as TakeBackJob;
    },
    cancel({ accountId, id, phase }, at, audit) {
      const change = { from: ['running'], fromPhase: phase, state: 'cancelled', phase, at } as const;
      return store.directTakeBack(accountId, id, change, audit('takeback.cancel', id, ''));
    },
    async goOn({ accountId, id, phase, connectionId, createdAt }, at, audit) {
      if (connectionId === null || at > createdAt + TAKE_BACK_MS) return false;
      const change = { from: STOPPED, fromPhase: phase, state: 'running', phase, at } as const;
      return store.directTakeBack(accountId, id, change, audit('takeback.continue', id, ''));
    },
    async undo(job, at, audit) {
      if (!isReleasable(job, at)) return false;
      const { accountId, id } = job;
      const from = ['running', ...STOPPED] as const;
      const change = { from, fromPhase: 'hold', state: 'running', phase: 'release', at } as const;
      return store.directTakeBack(accountId, id, change, audit('takeback.undo', id, ''));
    },
    name({ accountId, id }, ids, audit) {
      const entry = audit('takeback.name', id, `user ids of ${ids.length} signups`);
      return store.nameTakeBackAccounts(accountId, id, ids, entry);
    },
  };
}

function toAccounts(signups: readonly SignupToTakeBack[]): NewTakeBackAccount[] {
  const users = new Set<string>();
  const stateOf = ({ userId }: SignupToTakeBack): AccountState => {
    if (userId === null) return 'missing';
    // Another signup of the same user: the one that came first here is held for both.
    if (users.has(userId)) return 'already';
    users.add(userId);
    return 'waiting';
  };
  return signups.map((signup) => ({ ...signup, state: stateOf(signup) }));
}
