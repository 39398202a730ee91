/** Decides how what an account said about its signups is remembered: read again after a while, and nobody waits for it. */
import { createTwoGenerationCache } from './sources/two-generation-cache.ts';

export interface AccountMemoryOptions<Value> {
  readonly read: (account: string) => Promise<Value>;
  /** Value until something was read. */
  readonly empty: Value;
  /** Milliseconds; never goes back. */
  readonly clock: () => number;
  /** Default one minute. */
  readonly ttlMs?: number | undefined;
}

const ACCOUNTS = 1_000;
const TTL_MS = 60_000;

interface Known<Value> {
  value: Value;
  /** Time at which it was read last. */
  readAt: number;
}

/** @returns what was read last; the first answer after a start is `empty`, then it is read */
export function createAccountMemory<Value>(options: AccountMemoryOptions<Value>): (account: string) => Value {
  const { read, empty, clock, ttlMs = TTL_MS } = options;
  const accounts = createTwoGenerationCache<Known<Value>>(ACCOUNTS);

  function refresh(account: string, known: Known<Value>): void {
    known.readAt = clock();
    read(account).then(
      (value) => {
        known.value = value;
      },
      // The earlier value stays; a later attempt reads again.
      () => {},
    );
  }

  return (account) => {
    let known = accounts.get(account);
    if (known === undefined) {
      known = { value: empty, readAt: Number.NEGATIVE_INFINITY };
      accounts.set(account, known);
    }
    if (clock() - known.readAt >= ttlMs) refresh(account, known);
    return known.value;
  };
}
