/** Notices changes that any node made, over one listening connection that reconnects by itself. */
import type pg from 'pg';
import { within } from '../../platform/deadline.ts';
import type { ChangeStore, VersionedData } from '../store.ts';
import { connectionConfig, PostgresConnection } from './connection.ts';

export interface Changes extends Pick<ChangeStore, 'onChange'> {
  close(): Promise<void>;
}

const CHANNEL = 'gatehouse';
const ALL: readonly VersionedData[] = [
  'directory',
  'lists',
  'mail_hosts',
  'hash_keys',
  'campaigns',
  'mailboxes',
  'mailbox_removals',
];
const TIMEOUT_MS = 1_000;
const RECONNECT_MS = 500;
/** A lost connection may report nothing. */
const PROBE_MS = 5_000;

/** Connects when the first listener is added. */
export function createChanges(url: string): Changes {
  const listeners = new Set<(changed: VersionedData) => void>();
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const notify = (changed: VersionedData) => {
    for (const listener of listeners) listener(changed);
  };

  async function connect(): Promise<void> {
    const fresh = createConnection(url);
    client = fresh;
    fresh.on('error', () => reconnect(fresh));
    fresh.on('end', () => reconnect(fresh));
    fresh.on('notification', ({ payload }) => {
      const changed = ALL.find((name) => name === payload);
      if (changed !== undefined) notify(changed);
    });
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${CHANNEL}`);
      // Earlier notifications may have been missed.
      for (const each of ALL) notify(each);
      probe(fresh);
    } catch {
      reconnect(fresh);
    }
  }

  function probe(listening: pg.Client): void {
    timer = setTimeout(() => {
      listening.query('SELECT 1').then(
        () => client === listening && !closed && probe(listening),
        () => reconnect(listening),
      );
    }, PROBE_MS).unref();
  }

  /** Connects again once for each lost connection, however the loss was noticed. */
  function reconnect(lost: pg.Client): void {
    if (client !== lost || closed) return;
    client = undefined;
    clearTimeout(timer);
    void lost.end().catch(() => {});
    timer = setTimeout(connect, RECONNECT_MS).unref();
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
      await within(TIMEOUT_MS, client?.end().catch(() => {}) ?? Promise.resolve(), () => {});
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
