/** Limits long questions: equal ones share an answer, few run at once, fewer for one account, and they go on after their callers have given up. */
import { within } from '../../platform/deadline.ts';

export interface ShareAnswersOptions {
  /** Max. questions that run at once. */
  readonly atOnce: number;
  /** Max. of them for one account, so that others are served, too. */
  readonly atOncePerAccount: number;
  /** Max. questions that wait for their turn. */
  readonly maxWaiting: number;
  readonly maxWaitingPerAccount: number;
  /** Max. time that a caller waits. */
  readonly patienceMs: number;
  /** Time that an answer is kept for callers who ask again, if it took longer than they waited. */
  readonly keepMs: number;
  /** The error for callers who waited that long. */
  readonly toLateError: () => Error;
  /** The error where too many wait. */
  readonly toFullError: () => Error;
}

/** @param name identifies the question about the account: equal names share an answer */
export type ShareAnswer = <Answer>(
  accountId: string,
  name: string,
  work: () => Promise<Answer>,
) => Promise<Answer>;

export function createShareAnswers(options: ShareAnswersOptions): ShareAnswer {
  const { patienceMs, keepMs, toLateError, toFullError } = options;
  const shared = new Map<string, Promise<unknown>>();
  const turns = createTurns(options);

  function begin<Answer>(accountId: string, name: string, work: () => Promise<Answer>): Promise<Answer> {
    const began = performance.now();
    const answer = turns.take(accountId, work);
    shared.set(name, answer);
    const forget = () => shared.delete(name);
    answer.then(() => {
      if (performance.now() - began < patienceMs) forget();
      else setTimeout(forget, keepMs).unref();
    }, forget);
    return answer;
  }

  return async <Answer>(accountId: string, what: string, work: () => Promise<Answer>): Promise<Answer> => {
    const name = JSON.stringify([accountId, what]);
    const same = shared.get(name) as Promise<Answer> | undefined;
    if (same === undefined && turns.isFull(accountId)) throw toFullError();
    return within(patienceMs, same ?? begin(accountId, name, work), () => {
      throw toLateError();
    });
  };
}

type Bounds = Pick<
  ShareAnswersOptions,
  'atOnce' | 'atOncePerAccount' | 'maxWaiting' | 'maxWaitingPerAccount'
>;

function createTurns({ atOnce, atOncePerAccount, maxWaiting, maxWaitingPerAccount }: Bounds) {
  const waiting: { readonly accountId: string; begin(): void }[] = [];
  /** The account of each that runs. */
  const running: string[] = [];
  const countOf = (accountId: string) => running.filter((id) => id === accountId).length;
  const mayBegin = (accountId: string) => running.length < atOnce && countOf(accountId) < atOncePerAccount;

  function leave(accountId: string): void {
    running.splice(running.indexOf(accountId), 1);
    // The longest waiting question that may run gets the place.
    const next = waiting.findIndex((turn) => mayBegin(turn.accountId));
    const [turn] = next < 0 ? [] : waiting.splice(next, 1);
    if (turn === undefined) return;
    running.push(turn.accountId);
    turn.begin();
  }

  return {
    isFull: (accountId: string) =>
      waiting.length >= maxWaiting ||
      waiting.filter((turn) => turn.accountId === accountId).length >= maxWaitingPerAccount,
    async take<Answer>(accountId: string, work: () => Promise<Answer>): Promise<Answer> {
      if (mayBegin(accountId)) running.push(accountId);
      else await new Promise<void>((begin) => waiting.push({ accountId, begin }));
      try {
        return await work();
      } finally {
        leave(accountId);
      }
    },
  };
}
