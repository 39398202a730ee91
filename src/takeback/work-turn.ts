/** Works on one job until nothing is left, the provider wants a pause, or somebody ends it: each step is stored before the next, so that any process can go on after a kill. */
import type { AccountBefore } from '../model/account-provider.ts';
import type { TakeBackAccount, TakeBackJob, TakeBackState } from '../model/take-back.ts';
import type { TakeBackStore } from '../store/take-back-store.ts';
import type { WaitForPlace } from './pace.ts';
import { type AccountProvider, ProviderBusy, ProviderRefused } from './provider.ts';

export interface TurnOptions {
  readonly store: Pick<
    TakeBackStore,
    'renewTakeBack' | 'dueTakeBackAccounts' | 'nextTakeBackAccount' | 'rememberAccount' | 'noteAccount'
  >;
  readonly provider: AccountProvider;
  readonly pace: WaitForPlace;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly leaseMs: number;
  readonly signal: AbortSignal;
}

/** How a turn ended. */
export interface TurnEnd {
  readonly state: TakeBackState;
  readonly nextAt: number;
  readonly problem: string | null;
}

type Step = Pick<TakeBackAccount, 'state' | 'tries' | 'nextAt' | 'problem'>;

/** Accounts under way at once: a slow answer does not halve the pace. */
const LANES = 4;
const ACCOUNTS_A_READ = 50;
const MAX_TRIES = 6;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 15 * 60_000;
/** Failures in a row after which the provider seems to be away, and the pause of the whole job then. */
const MAX_FAILURES = 8;
const AWAY_MS = 30_000;
const MAX_PROBLEM_LENGTH = 300;
/** Name of the time of the hold, where a provider needs it to know our hold again. */
const HELD_AT = 'held_at';

export async function workTurn(job: TakeBackJob, options: TurnOptions): Promise<TurnEnd> {
  const { store, clock, pace, leaseMs, signal } = options;
  const turn = { jobId: job.id, run: job.run };
  const work = createWork(job, options);
  let end: TurnEnd | undefined;
  let failures = 0;
  /** Error of the store: the turn ends with it. */
  let fault: { readonly error: unknown } | undefined;
  const stops = () => signal.aborted || end !== undefined || fault !== undefined;

  async function handle(account: TakeBackAccount): Promise<void> {
    try {
      await work(account);
      failures = 0;
    } catch (error) {
      if (error instanceof LostTurn || signal.aborted) end ??= GOES_ON;
      else if (error instanceof ProviderBusy) end = laterOf(end, clock() + error.retryAfterMs);
      else if (error instanceof ProviderRefused)
        end = { state: 'refused', nextAt: 0, problem: error.message.slice(0, MAX_PROBLEM_LENGTH) };
      else {
        failures += 1;
        if (failures >= MAX_FAILURES) end = laterOf(end, clock() + AWAY_MS);
      }
    }
  }

  async function lane(queue: TakeBackAccount[]): Promise<void> {
    for (let account = queue.shift(); account !== undefined; account = queue.shift()) {
      await pace(signal);
      if (stops()) return;
      if (await store.renewTakeBack(turn, job.phase, clock() + leaseMs)) await handle(account);
      else end ??= GOES_ON;
    }
  }

  while (!stops()) {
    const queue = [...(await store.dueTakeBackAccounts(turn, job.phase, clock(), ACCOUNTS_A_READ))];
    if (queue.length === 0) break;
    const lanes = Array.from({ length: LANES }, () => lane(queue));
    // None may go on when another one has failed.
    await Promise.all(
      lanes.map((each) =>
        each.catch((error) => {
          fault ??= { error };
        }),
      ),
    );
    if (fault !== undefined) throw fault.error;
  }
  if (end !== undefined || signal.aborted) return end ?? GOES_ON;
  const nextAt = await store.nextTakeBackAccount(turn, job.phase);
  return nextAt === undefined ? { ...GOES_ON, state: 'done' } : { ...GOES_ON, nextAt };
}

const GOES_ON: TurnEnd = { state: 'running', nextAt: 0, problem: null };

/** A refusal goes before a pause, and a longer pause before a shorter one. */
function laterOf(end: TurnEnd | undefined, nextAt: number): TurnEnd {
  if (end?.state === 'refused') return end;
  return { ...GOES_ON, nextAt: Math.max(end?.nextAt ?? 0, nextAt) };
}

/** Another process has the job, or somebody cancelled it: nothing more may be written. */
class LostTurn extends Error {}

/** Holds or releases one account, and stores what came of it. @throws what the provider threw, and LostTurn */
function createWork(job: TakeBackJob, options: TurnOptions): (account: TakeBackAccount) => Promise<void> {
  const { store, clock, signal } = options;
  const turn = { jobId: job.id, run: job.run };
  const step = job.phase === 'hold' ? createHold(job, options) : createRelease(job, options);

  async function note(requestId: string, outcome: Step): Promise<void> {
    if (!(await store.noteAccount(turn, requestId, outcome))) throw new LostTurn();
  }

  return async (account) => {
    const known = { ...account };
    try {
      const state = await step(known, note);
      await note(account.requestId, { state, tries: 0, nextAt: 0, problem: null });
    } catch (error) {
      const isOver =
        error instanceof LostTurn || error instanceof ProviderBusy || error instanceof ProviderRefused;
      if (!isOver && !signal.aborted) await note(account.requestId, failureOf(known, error, clock()));
      throw error;
    }
  };
}

type Known = { -readonly [Member in keyof TakeBackAccount]: TakeBackAccount[Member] };
type StepOf = (
  known: Known,
  note: (requestId: string, outcome: Step) => Promise<void>,
) => Promise<TakeBackAccount['state']>;

/** Holds an account, whose state is durable before. */
function createHold({ id, run }: TakeBackJob, { store, provider, signal }: TurnOptions): StepOf {
  return async (known) => {
    const { userId, requestId, before } = known;
    if (userId === null) return 'missing';
    const { outcome } = await provider.hold(
      userId,
      async (found) => {
        const first = firstOf(before, found);
        if (!(await store.rememberAccount({ jobId: id, run }, requestId, first))) throw new LostTurn();
        known.state = 'sent';
      },
      signal,
    );
    // Held by an earlier try, whose answer never came.
    return outcome === 'already' && before !== null ? 'held' : outcome;
  };
}

/** State before the first try, which is never overwritten; only the time of the hold is that of the last try. */
function firstOf(before: AccountBefore | null, found: AccountBefore): AccountBefore {
  const { [HELD_AT]: heldAt } = found;
  return { ...(before ?? found), ...(heldAt !== undefined && { [HELD_AT]: heldAt }) };
}

function createRelease(_: TakeBackJob, { provider, signal }: TurnOptions): StepOf {
  return async (known, note) => {
    const { userId, requestId, before, state, tries, nextAt } = known;
    if (userId === null || before === null) return 'missing';
    if (state === 'held') {
      await note(requestId, { state: 'releasing', tries, nextAt, problem: null });
      known.state = 'releasing';
    }
    const { outcome } = await provider.release(userId, before, signal);
    // An earlier try released it, or never held it.
    return outcome === 'changed' && state !== 'held' ? 'released' : outcome;
  };
}

function failureOf({ state, tries: before }: Known, error: unknown, now: number): Step {
  const tries = before + 1;
  const problem = (error instanceof Error ? error.message : String(error)).slice(0, MAX_PROBLEM_LENGTH);
  const pauseMs = Math.min(FIRST_PAUSE_MS * 4 ** (tries - 1), MAX_PAUSE_MS);
  return { state: tries < MAX_TRIES ? state : 'failed', tries, nextAt: now + pauseMs, problem };
}
