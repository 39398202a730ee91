/** Hears of changes that any node made, over one connection that listens and comes back by itself. */
import type pg from 'pg';
import type { ChangeStore } from '../store.ts';
import { connectionConfig, PostgresConnection } from './connection.ts';

export interface Changes extends ChangeStore {
  close(): Promise<void>;
}

type What = 'directory' | 'lists' | 'mail_hosts';

const CHANNEL = 'gatehouse';
const ALL: readonly What[] = ['directory', 'lists', 'mail_hosts'];
const TIMEOUT_MS = 1_000;
const AGAIN_MS = 500;
/** A connection may be dead without a word. */
const PROBE_MS = 5_000;

/** Connects when the first one listens. */
export function createChanges(url: string): Changes {
  const listeners = new Set<(what: What) => void>();
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const notify = (what: What) => {
    for (const listener of listeners) listener(what);
  };

  async function connect(): Promise<void> {
    const fresh = createConnection(url);
    client = fresh;
    fresh.on('error', () => again(fresh));
    fresh.on('end', () => again(fresh));
    fresh.on('notification', ({ payload }) => {
      const what = ALL.find((name) => name === payload);
      if (what !== undefined) notify(what);
    });
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${CHANNEL}`);
      // Nobody knows what was said before.
      for (const what of ALL) notify(what);
      probe(fresh);
    } catch {
      again(fresh);
    }
  }

  function probe(listening: pg.Client): void {
    timer = setTimeout(() => {
      listening.query('SELECT 1').then(
        () => client === listening && !closed && probe(listening),
        () => again(listening),
      );
    }, PROBE_MS).unref();
  }

  /** Once for each connection that is lost, in whatever way that is noticed. */
  function again(lost: pg.Client): void {
    if (client !== lost || closed) return;
    client = undefined;
    clearTimeout(timer);
    void lost.end().catch(() => {});
    timer = setTimeout(connect, AGAIN_MS).unref();
  }

  return {
    onChange(listener) {
      listeners.add(listener);
      if (client === undefined && timer === undefined && !closed) void connect();
      return () => {
        listeners.delete(listener);
      };
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      const ended = client?.end().catch(() => {});
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS).unref())]);
    },
  };
}

function createConnection(url: string): pg.Client {
  const limits = { connectMs: TIMEOUT_MS, statementMs: TIMEOUT_MS };
  return new PostgresConnection({
    ...connectionConfig({ url, name: 'gatehouse listens', ...limits }),
    query_timeout: TIMEOUT_MS,
  });
}
