/** Metrics of resources that can run short: connections to the database, threads, places for DNS queries, memory. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { BackupState } from '../model/backup-state.ts';
import type { PoolUse } from '../store/store.ts';

export interface VelocityUse {
  readonly velocityBytes: number;
  readonly maxVelocityBytes: number;
  /** Attempts forgotten before their time, since the start. */
  readonly forgotten: number;
}

export interface ResourceMetrics {
  /** Connections to a database server; `read` is called at each scrape. */
  databasePools(read: () => ReadonlyMap<string, PoolUse>): void;
  /** A thread of the embedded store, or that of the feeds, died or was stuck. */
  threadDeath(thread: string): void;
  /** A look-up of this account found no place for a query in time. */
  dnsRefused(account: string): void;
  /** Scheduled backups; `read` is called at each scrape. */
  backups(read: () => BackupState | null): void;
  /** The memory in which this node counts velocity; `read` is called at each scrape. */
  velocityMemory(read: () => VelocityUse): void;
}

/** @param namesAccounts false where anybody may see the metrics: then there is one number for all accounts */
export function createResourceMetrics(registry: Registry, namesAccounts: boolean): ResourceMetrics {
  return {
    ...createDatabaseMetrics(registry),
    ...createDnsMetrics(registry, namesAccounts),
    ...createVelocityMetrics(registry),
    ...createBackupMetrics(registry),
  };
}

function createDatabaseMetrics(registry: Registry): Pick<ResourceMetrics, 'databasePools' | 'threadDeath'> {
  let read: () => ReadonlyMap<string, PoolUse> = () => new Map();
  const gauge = (name: string, help: string, value: (use: PoolUse) => number) =>
    new Gauge({
      name,
      help: `${help}, by purpose; absent with SQLite.`,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [pool, use] of read()) this.set({ pool }, value(use));
      },
    });
  gauge('gatehouse_database_connections', 'Connections to PostgreSQL', ({ open }) => open);
  gauge('gatehouse_database_connections_idle', 'Idle connections to PostgreSQL', ({ idle }) => idle);
  gauge(
    'gatehouse_database_waiting',
    'Calls that wait for a connection to PostgreSQL',
    ({ waiting }) => waiting,
  );
  const deaths = new Counter({
    name: 'gatehouse_store_thread_deaths_total',
    help: 'Threads of the embedded store, and the thread of the feeds, that died or were stuck and were started again, by name.',
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

/** Each account is a series for as long as the process lives. */
const MAX_ACCOUNTS = 50;
const OTHERS = 'other';

/** The first accounts get a series of their own, if accounts may be named. */
function createDnsMetrics(registry: Registry, namesAccounts: boolean): Pick<ResourceMetrics, 'dnsRefused'> {
  const named = new Set<string>();
  const refused = new Counter({
    name: 'gatehouse_dns_refused_total',
    help: 'MX look-ups that stayed unknown because their account had its share of open DNS queries, by account where metrics have a port of their own; "other" after 50 accounts.',
    labelNames: namesAccounts ? ['account'] : [],
    registers: [registry],
  });
  return {
    dnsRefused(account) {
      if (!namesAccounts) {
        refused.inc();
        return;
      }
      if (named.size < MAX_ACCOUNTS) named.add(account);
      refused.inc({ account: named.has(account) ? account : OTHERS });
    },
  };
}

function createVelocityMetrics(registry: Registry): Pick<ResourceMetrics, 'velocityMemory'> {
  let read: () => VelocityUse = () => ({ velocityBytes: 0, maxVelocityBytes: 0, forgotten: 0 });
  let reported = 0;
  const registers = [registry];
  const gauge = (name: string, help: string, value: (use: VelocityUse) => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value(read()));
      },
    });
  gauge(
    'gatehouse_velocity_bytes',
    'Memory that this node uses to count velocity.',
    ({ velocityBytes }) => velocityBytes,
  );
  gauge(
    'gatehouse_velocity_max_bytes',
    'Memory that this node may use to count velocity.',
    ({ maxVelocityBytes }) => maxVelocityBytes,
  );
  new Counter({
    name: 'gatehouse_velocity_forgotten_total',
    help: 'Attempts younger than 24 hours that this node forgot because that memory was full.',
    registers,
    collect() {
      const { forgotten } = read();
      this.inc(forgotten - reported);
      reported = forgotten;
    },
  });
  return {
    velocityMemory(readUse) {
      read = readUse;
    },
  };
}

function createBackupMetrics(registry: Registry): Pick<ResourceMetrics, 'backups'> {
  let read: () => BackupState | null = () => null;
  const gauge = (name: string, help: string, value: (state: BackupState) => number) =>
    new Gauge({
      name,
      help: `${help}; absent where the service makes none.`,
      registers: [registry],
      collect() {
        const state = read();
        if (state === null) this.remove();
        else this.set(value(state));
      },
    });
  gauge(
    'gatehouse_backup_last_success_timestamp_seconds',
    'Time of the data in the newest good scheduled backup, 0: there is none',
    ({ lastAt }) => (lastAt ?? 0) / 1_000,
  );
  gauge(
    'gatehouse_backup_missing_from_timestamp_seconds',
    'Time from which the lack of a newer scheduled backup is unusual',
    ({ missingFrom }) => missingFrom / 1_000,
  );
  gauge('gatehouse_backup_bytes', 'Length of the newest good scheduled backup', ({ lastBytes }) => lastBytes);
  gauge('gatehouse_backup_kept', 'Good scheduled backups that are kept', ({ kept }) => kept);
  gauge(
    'gatehouse_backup_failures',
    'Scheduled backups that failed since the start of the service',
    ({ failures }) => failures,
  );
  return {
    backups(readState) {
      read = readState;
    },
  };
}
