/** Shares one answer among all who ask the same, lets few long questions run at once, fewer of one account, and goes on after the patience of those who ask. */

export interface ShareAnswersOptions {
  /** How many run at once. */
  readonly atOnce: number;
  /** How many of them for one account, so that the others are served beside it. */
  readonly atOncePerAccount: number;
  /** How many may wait for their turn. */
  readonly maxWaiting: number;
  readonly maxWaitingPerAccount: number;
  /** How long somebody who asks waits. */
  readonly patienceMs: number;
  /** How long an answer that took longer than that stays for those who ask again. */
  readonly keepMs: number;
  /** What is said to those who waited for so long. */
  readonly late: () => Error;
  /** What is said where too many wait. */
  readonly full: () => Error;
}

/** @param name what is asked about the account, so that the same name has the same answer */
export type ShareAnswer = <Answer>(
  accountId: string,
  name: string,
  work: () => Promise<Answer>,
) => Promise<Answer>;

export function createShareAnswers(options: ShareAnswersOptions): ShareAnswer {
  const { patienceMs, keepMs, late, full } = options;
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
    if (same === undefined && turns.isFull(accountId)) throw full();
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(late()), patienceMs);
    });
    try {
      return await Promise.race([same ?? begin(accountId, name, work), tooLate]);
    } finally {
      clearTimeout(timer);
    }
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
  const countOf = (accountId: string) => running.filter((one) => one === accountId).length;
  const mayBegin = (accountId: string) => running.length < atOnce && countOf(accountId) < atOncePerAccount;

  function leave(accountId: string): void {
    running.splice(running.indexOf(accountId), 1);
    // The place goes to the one that waits longest of those who may have it.
    const next = waiting.findIndex((one) => mayBegin(one.accountId));
    const [one] = next < 0 ? [] : waiting.splice(next, 1);
    if (one === undefined) return;
    running.push(one.accountId);
    one.begin();
  }

  return {
    isFull: (accountId: string) =>
      waiting.length >= maxWaiting ||
      waiting.filter((one) => one.accountId === accountId).length >= maxWaitingPerAccount,
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
