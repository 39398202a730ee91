/** Decides how an account is rebuilt from the store when the server may have lost some of its counts. */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { VelocityEvent } from '../../model/velocity-event.ts';
import { wasSetBack } from '../clock-step.ts';
import type { RebuildPart, RedisCounters } from './redis-counters.ts';

export interface RebuildOptions {
  readonly counters: Pick<RedisCounters, 'lock' | 'recall' | 'isComplete'>;
  readonly liveAttempts: (since: number, account: string) => AsyncIterable<readonly VelocityEvent[]>;
  readonly creditsUsed: (account: string, month: string) => Promise<number>;
  /** The time of the account's server. */
  readonly clock: (account: string) => number;
  /** Max. time that an attempt waits for a rebuild. */
  readonly patienceMs: number;
  readonly onFault: (error: Error) => void;
}

/** Whether the account is complete within the patience. @param month also restores the credits of this month */
export type Rebuild = (account: string, month: string | undefined) => Promise<boolean>;

const DAY_MS = 86_400_000;
const POLL_MS = 15;
/** Time after which another node may rebuild the account, if one dies. */
const LOCK_MS = 10_000;
/** Interval at which the lock is extended: a store may be read for longer than it lasts, and have few attempts of the account. */
const EXTEND_MS = LOCK_MS / 4;
const RETRY_MS = 1_000;
const CHUNK = 200;

export function createRebuild(options: RebuildOptions): Rebuild {
  const { counters, liveAttempts, creditsUsed, clock, patienceMs, onFault } = options;
  const running = new Map<string, { readonly work: Promise<boolean>; readonly patience: Promise<boolean> }>();

  async function rebuild(account: string, month: string | undefined): Promise<boolean> {
    const token = randomUUID();
    if (!(await counters.lock(account, token, LOCK_MS))) return awaitOther(account);
    const credits = month === undefined ? undefined : { month, used: await creditsUsed(account, month) };
    let first = true;
    const send = async (attempts: readonly VelocityEvent[], last: boolean) => {
      const part: RebuildPart = { token, lockMs: LOCK_MS, first, last, credits };
      first = false;
      return counters.recall(account, attempts, part);
    };
    const now = clock(account);
    // Never the first part: one that failed would not be sent again. Where the lock is lost, what is sent next is refused.
    const extension: RebuildPart = { token, lockMs: LOCK_MS, first: false, last: false, credits };
    const extend = () => void counters.recall(account, [], extension).catch(() => {});
    const extending = setInterval(extend, EXTEND_MS);
    try {
      for await (const attempts of liveAttempts(now - DAY_MS, account)) {
        const known = attempts.filter(({ at }) => !wasSetBack(now, at));
        for (let from = 0; from < known.length; from += CHUNK)
          if (!(await send(known.slice(from, from + CHUNK), false))) return false;
      }
    } finally {
      clearInterval(extending);
    }
    return send([], true);
  }

  /** Waits while another node rebuilds the account. */
  async function awaitOther(account: string): Promise<boolean> {
    for (let waited = 0; waited < patienceMs; waited += POLL_MS) {
      await sleep(POLL_MS);
      if (await counters.isComplete(account)) return true;
    }
    return false;
  }

  /** Rebuilds an account; after a failure, this node pauses before it tries it again. */
  async function run(account: string, month: string | undefined): Promise<boolean> {
    const isRebuilt = await rebuild(account, month).catch((error: Error) => {
      onFault(error);
      return false;
    });
    if (isRebuilt) running.delete(account);
    else setTimeout(() => running.delete(account), RETRY_MS).unref();
    return isRebuilt;
  }

  /** An answer that came while this process was busy is not late. */
  async function giveUp(): Promise<boolean> {
    await sleep(patienceMs, undefined, { ref: false });
    await nextTurn();
    return false;
  }

  return (account, month) => {
    let rebuilding = running.get(account);
    if (rebuilding === undefined) {
      rebuilding = { work: run(account, month), patience: giveUp() };
      running.set(account, rebuilding);
    }
    return Promise.race([rebuilding.work, rebuilding.patience]);
  };
}
