/** Decides how an account of which the server may have lost something is made whole again, from what is stored. */

import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { VelocityEvent } from '../../model/velocity-event.ts';
import { wasSetBack } from '../clock-step.ts';
import type { RebuildPart, RedisCounters } from './redis-counters.ts';

export interface RebuildOptions {
  readonly counters: Pick<RedisCounters, 'lock' | 'recall' | 'isComplete'>;
  readonly liveAttempts: (since: number, account: string) => AsyncIterable<VelocityEvent>;
  readonly creditsUsed: (account: string, month: string) => Promise<number>;
  /** What the clock of the account's server shows. */
  readonly clock: (account: string) => number;
  /** How long an attempt waits for it. */
  readonly patienceMs: number;
  readonly onFault: (error: Error) => void;
}

export interface Rebuild {
  /** Whether the account is whole, as far as can be waited for. `month`: whose credits are to be known, too. */
  heal(account: string, month: string | undefined): Promise<boolean>;
}

const DAY_MS = 86_400_000;
const POLL_MS = 15;
/** A node that dies leaves an account to others after this. */
const LOCK_MS = 10_000;
const RETRY_MS = 1_000;
const CHUNK = 200;

export function createRebuild(options: RebuildOptions): Rebuild {
  const { counters, liveAttempts, creditsUsed, clock, patienceMs, onFault } = options;
  const running = new Map<string, { readonly work: Promise<boolean>; readonly patience: Promise<boolean> }>();

  async function rebuild(account: string, month: string | undefined): Promise<boolean> {
    const token = randomUUID();
    if (!(await counters.lock(account, token, LOCK_MS))) return awaitOther(account);
    const credits = month === undefined ? undefined : { month, used: await creditsUsed(account, month) };
    let chunk: VelocityEvent[] = [];
    let first = true;
    const send = async (last: boolean) => {
      const part: RebuildPart = { token, lockMs: LOCK_MS, first, last, credits };
      const sent = chunk;
      chunk = [];
      first = false;
      return counters.recall(account, sent, part);
    };
    const now = clock(account);
    for await (const attempt of liveAttempts(now - DAY_MS, account)) {
      if (wasSetBack(now, attempt.at)) continue;
      chunk.push(attempt);
      if (chunk.length >= CHUNK && !(await send(false))) return false;
    }
    return send(true);
  }

  /** Another node is at it. */
  async function awaitOther(account: string): Promise<boolean> {
    for (let waited = 0; waited < patienceMs; waited += POLL_MS) {
      await sleep(POLL_MS);
      if (await counters.isComplete(account)) return true;
    }
    return false;
  }

  /** After a failure nobody begins anew for a moment. */
  async function run(account: string, month: string | undefined): Promise<boolean> {
    const done = await rebuild(account, month).catch((error: Error) => {
      onFault(error);
      return false;
    });
    if (done) running.delete(account);
    else setTimeout(() => running.delete(account), RETRY_MS).unref();
    return done;
  }

  /** What came in while this process was busy is not late. */
  async function losePatience(): Promise<boolean> {
    await sleep(patienceMs, undefined, { ref: false });
    await nextTurn();
    return false;
  }

  return {
    heal(account, month) {
      let one = running.get(account);
      if (one === undefined) {
        one = { work: run(account, month), patience: losePatience() };
        running.set(account, one);
      }
      return Promise.race([one.work, one.patience]);
    },
  };
}
