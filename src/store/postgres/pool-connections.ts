/** Hands out a pool's connections, and ends the pool so that no call waits for one in vain. */
import type pg from 'pg';
import { within } from '../../platform/deadline.ts';

export interface PoolConnections {
  /** @throws Error when none could be had in time, or the pool ended first */
  connect(): Promise<pg.PoolClient>;
  /**
   * Ends the pool: calls that wait for a connection get theirs, those that wait longer than `CLOSE_MS` fail. Resolves
   * after twice that time at the latest.
   */
  end(): Promise<void>;
}

const CLOSE_MS = 1_000;
const ENDED = 'connection pool ended';

/** A pool of `pg` that ends serves no call that waits in its queue, nor does it fail it before the call's own deadline. */
export function createPoolConnections(pool: pg.Pool): PoolConnections {
  /** Calls that wait for a connection, by what fails them. */
  const waiting = new Set<(error: Error) => void>();
  let onServed: (() => void) | undefined;

  function leave(fail: (error: Error) => void): boolean {
    const left = waiting.delete(fail);
    if (waiting.size === 0) onServed?.();
    return left;
  }

  return {
    connect: () =>
      new Promise((resolve, reject) => {
        waiting.add(reject);
        pool.connect().then(
          (client) => (leave(reject) ? resolve(client) : client.release()),
          (error: Error) => {
            leave(reject);
            reject(error);
          },
        );
      }),
    async end() {
      if (waiting.size > 0) {
        const served = new Promise<void>((resolve) => {
          onServed = resolve;
        });
        await within(CLOSE_MS, served, () => {});
      }
      const ended = pool.end();
      for (const fail of waiting) fail(new Error(ENDED));
      waiting.clear();
      await within(CLOSE_MS, ended, () => {});
    },
  };
}
