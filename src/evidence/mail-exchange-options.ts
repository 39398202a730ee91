/** What the look-up of mail exchanges needs, and what it tells. */
import type { Canary } from './canary.ts';

export interface MailExchangeOptions {
  /** Name servers: `ip`, `ip:port` or `[v6]:port`. */
  readonly servers: readonly string[];
  /** How long a lookup waits at most. Default 800. */
  readonly deadlineMs?: number;
  /** Domains that surely take mail: while the servers deny most of them, nothing they deny counts. Default none. */
  readonly canaryDomains?: readonly string[];
  /** Called when the servers begin or cease to be believed. */
  readonly onCanary?: (canary: Canary) => void;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Domains remembered at most. Default 50,000. */
  readonly capacity?: number;
  /**
   * Called once a lookup with how it ended and after how long: `valid`, `none`, `null_mx`, `no_domain`; `servfail`
   * (replies without an answer); `distrusted` (a denial of servers that deny everything); `timeout` (no reply);
   * `cache`; `catch_all` (its zone answers for any name); `shared` (joined a query in flight); `breaker` (resolver dead); `silent` (nothing answers for the names
   * beside it); `busy` (no place for a query in time). And once more, `late`, when the answer follows a `timeout`.
   */
  readonly onOutcome?: (outcome: string, milliseconds: number) => void;
  /** Called for each look-up that ended `busy`. */
  readonly onRefused?: (account: string) => void;
}
