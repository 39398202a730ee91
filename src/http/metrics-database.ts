/** What Prometheus reads about the store: connections to a database server, or the threads of the embedded one. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { PoolUse } from '../store/store.ts';

export interface DatabaseMetrics {
  /** Called at each scrape. */
  databasePools(read: () => ReadonlyMap<string, PoolUse>): void;
  /** A thread of the embedded store died. */
  threadDeath(thread: string): void;
}

export function createDatabaseMetrics(registry: Registry): DatabaseMetrics {
  let read: () => ReadonlyMap<string, PoolUse> = () => new Map();
  const gauge = (name: string, help: string, value: (use: PoolUse) => number) =>
    new Gauge({
      name,
      help: `${help}, by what they are for; none where everything is in SQLite.`,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [pool, use] of read()) this.set({ pool }, value(use));
      },
    });
  gauge('gatehouse_database_connections', 'Connections to PostgreSQL', ({ open }) => open);
  gauge(
    'gatehouse_database_connections_idle',
    'Connections to PostgreSQL that nobody uses',
    ({ idle }) => idle,
  );
  gauge(
    'gatehouse_database_waiting',
    'Calls that wait for a connection to PostgreSQL',
    ({ waiting }) => waiting,
  );
  const deaths = new Counter({
    name: 'gatehouse_store_thread_deaths_total',
    help: 'Threads of the embedded store that died and were started again, by name.',
    labelNames: ['thread'],
    registers: [registry],
  });
  return {
    threadDeath: (thread) => deaths.inc({ thread }),
    databasePools(readUse) {
      read = readUse;
    },
  };
}
