/** Reads by key in groups: what is asked for within a turn of the event loop, or while too much is being read, shares one statement. */

/** Resolves with what is kept under the key. @throws what the read threw */
export type BatchLoader<T> = (key: string) => Promise<T | undefined>;

const AT_ONCE = 3;
const MAX_KEYS = 256;

/** @param read what is kept under some of the keys, by key */
export function createBatchLoader<T>(
  read: (keys: string[]) => Promise<ReadonlyMap<string, T>>,
): BatchLoader<T> {
  let waiting = new Map<
    string,
    { answer: Promise<T | undefined>; settle: (group: Promise<T | undefined>) => void }
  >();
  let underWay = 0;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || underWay >= AT_ONCE || waiting.size === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      void readGroup();
      schedule();
    });
  }

  async function readGroup(): Promise<void> {
    const group = [...waiting].slice(0, MAX_KEYS);
    waiting = new Map([...waiting].slice(MAX_KEYS));
    underWay += 1;
    const found = read(group.map(([key]) => key));
    for (const [key, { settle }] of group) settle(found.then((rows) => rows.get(key)));
    await found.catch(() => {
      // The server is in trouble: who waits has waited long enough, and hears the same.
      for (const { settle } of waiting.values()) settle(found.then(() => undefined));
      waiting.clear();
    });
    underWay -= 1;
    schedule();
  }

  return (key) => {
    const pending = waiting.get(key);
    if (pending !== undefined) return pending.answer;
    let resolveAnswer: (group: Promise<T | undefined>) => void = () => {};
    const answer = new Promise<T | undefined>((resolve) => {
      resolveAnswer = resolve;
    });
    waiting.set(key, { answer, settle: resolveAnswer });
    schedule();
    return answer;
  };
}
