/** Shares one answer among all who ask the same, lets few long questions run at once, and goes on after the patience of those who ask. */

export interface ShareAnswersOptions {
  /** How many run at once. */
  readonly atOnce: number;
  /** How many may wait for their turn. */
  readonly mostWaiting: number;
  /** How long somebody who asks waits. */
  readonly patienceMs: number;
  /** How long an answer that took longer than that stays for those who ask again. */
  readonly keepMs: number;
  /** What is said to those who waited for so long, or where too many wait. */
  readonly refuse: () => Error;
}

/** @param name what is asked, so that the same name has the same answer */
export type ShareAnswer = <Answer>(name: string, work: () => Promise<Answer>) => Promise<Answer>;

export function createShareAnswers(options: ShareAnswersOptions): ShareAnswer {
  const { atOnce, mostWaiting, patienceMs, keepMs, refuse } = options;
  const shared = new Map<string, Promise<unknown>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (running < atOnce) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place goes to the one that waits longest.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }

  function begin<Answer>(name: string, work: () => Promise<Answer>): Promise<Answer> {
    const began = performance.now();
    const answer = inTurn(work);
    shared.set(name, answer);
    const forget = () => shared.delete(name);
    answer.then(() => {
      if (performance.now() - began < patienceMs) forget();
      else setTimeout(forget, keepMs).unref();
    }, forget);
    return answer;
  }

  return async <Answer>(name: string, work: () => Promise<Answer>): Promise<Answer> => {
    const same = shared.get(name) as Promise<Answer> | undefined;
    if (same === undefined && waiting.length >= mostWaiting) throw refuse();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(refuse()), patienceMs);
    });
    try {
      return await Promise.race([same ?? begin(name, work), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
