/** Sends the same request at a steady rate, however late the answers are, and records the answers. */
import type { Answer } from './client.ts';

export interface Seen {
  /** When the request was sent; instant of `performance.now()`. */
  readonly at: number;
  readonly milliseconds: number;
  /** 0 if the connection was lost. */
  readonly status: number;
}

export interface Asking {
  /** In the order of their answers. */
  readonly seen: readonly Seen[];
  /** Resolves when every request has its answer. */
  stop(): Promise<void>;
}

export function keepAsking(ask: () => Promise<Answer<unknown>>, everyMs: number): Asking {
  const seen: Seen[] = [];
  const pending = new Set<Promise<void>>();
  const asking = setInterval(() => {
    const at = performance.now();
    const request = ask()
      .catch(() => ({ status: 0 }))
      .then(({ status }) => {
        seen.push({ at, milliseconds: performance.now() - at, status });
        pending.delete(request);
      });
    pending.add(request);
  }, everyMs);
  return {
    seen,
    async stop() {
      clearInterval(asking);
      await Promise.all(pending);
    },
  };
}
