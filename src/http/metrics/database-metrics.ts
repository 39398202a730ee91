/** What Prometheus reads about the connections to a database server, if there is one. */
import { Gauge, type Registry } from 'prom-client';
import type { PoolUse } from '../../store/store.ts';

export interface DatabaseMetrics {
  /** Asked whenever the figures are. */
  databasePools(read: () => ReadonlyMap<string, PoolUse>): void;
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
  return {
    databasePools(given) {
      read = given;
    },
  };
}
