/** Opens the store of an installation: SQLite in its data folder, or PostgreSQL. */
import { createHashKeys, type HashKeys } from '../accounts/hash-keys.ts';
import { type AddressHashes, createFingerprint, type Fingerprint } from '../address/fingerprint.ts';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../http/metrics.ts';
import { blankPersonalData } from '../signup/blank-personal-data.ts';
import type { OutageLog } from '../store/outage-log.ts';
import type { PostgresStoreOptions } from '../store/postgres/postgres.ts';
import type { Retention } from '../store/retention.ts';
import type { NewSecret } from '../store/secret-use.ts';
import { settleSecret } from '../store/sqlite/secret.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../store/sqlite/sqlite.ts';
import type { Store } from '../store/store.ts';

/** The store of an installation, and how its addresses are hashed. */
export interface Storage {
  readonly store: Store;
  readonly secret: Buffer;
  /** Hashes values that are needed for a day, such as idempotency keys; always with the installation's secret. */
  readonly fingerprint: Fingerprint;
  /** Hashes people's addresses and mailboxes. */
  readonly addressHashes: AddressHashes;
  readonly hashKeys: HashKeys;
}

/** Options of opening the store, and the events that it reports. */
export interface StorageReports
  extends Pick<
      PostgresStoreOptions,
      'create' | 'onBatch' | 'onFault' | 'onCommitHealth' | 'onWait' | 'warm' | 'starting'
    >,
    Pick<SqliteStoreOptions, 'onDeath' | 'onRemoving' | 'patientClock' | 'forTests'> {
  /** Set to start without the secret that the data were hashed with. */
  readonly newSecret?: NewSecret | undefined;
  readonly onNewSecret?: () => void;
}

/** @throws when it cannot be used, or its addresses were hashed with another secret than this one */
export async function openStorage(
  config: Pick<
    Config,
    'dataDir' | 'databaseUrl' | 'retentionDays' | 'retentionMonths' | 'retentionPersonalDays' | 'secret'
  >,
  reports: StorageReports = {},
): Promise<Storage> {
  const { dataDir, databaseUrl: url } = config;
  const kept = { retention: retentionOf(config), personalData: personalDataOf(config) };
  if (url === null) {
    let secret: Buffer | undefined;
    const settle = {
      directory: dataDir,
      configured: config.secret,
      insist: reports.newSecret,
      onNew: reports.onNewSecret,
    };
    const store = openSqliteStore({
      directory: dataDir,
      ...(reports.warm === true ? { prompt: true } : { inline: true }),
      ...kept,
      ...reports,
      onOpened(connection) {
        secret = settleSecret(connection, settle);
      },
    });
    return storageOrClose(store, async () => secret as unknown as Buffer);
  }
  // Loaded here, so that a service without PostgreSQL starts without its client.
  const { openPostgresStore } = await import('../store/postgres/postgres.ts');
  const store = await openPostgresStore({ url, ...kept, ...reports }).catch((error: Error) => {
    throw new Error(`DATABASE_URL: ${error.message}`, { cause: error });
  });
  return storageOrClose(store, () => store.secret(config.secret ?? undefined, reports.newSecret));
}

/** Reports of the store, which log and count its events. */
export function storageReports(
  metrics: Pick<Metrics, 'commit' | 'threadDeath'>,
  { log, begin, end }: OutageLog,
  newSecret: boolean,
  onCommit: () => void,
): StorageReports {
  return {
    warm: true,
    starting: true,
    onBatch(jobs, milliseconds) {
      metrics.commit(jobs, milliseconds);
      onCommit();
    },
    onFault: (error) => log.error({ err: error }, 'the store failed'),
    onDeath: metrics.threadDeath,
    newSecret: newSecret ? { onLoss: (loss) => log.warn(`the secret was replaced: ${loss}`) } : undefined,
    onNewSecret: () =>
      log.warn('secret.key was missing: created a new one, because no data needs the old one'),
    onCommitHealth(canCommit, error) {
      if (canCommit) end();
      else begin(error as Error);
    },
    onRemoving: (keptFrom) =>
      log.info(
        { before: new Date(keptFrom).toISOString() },
        'removing assessments that are older than GATEHOUSE_RETENTION_DAYS',
      ),
    onWait: () => log.info('waiting for another node that migrates the database'),
  };
}

/** `null`: as long as the assessments. */
function personalDataOf({ retentionPersonalDays: days }: Pick<Config, 'retentionPersonalDays'>) {
  return days === null ? null : { days, blank: blankPersonalData };
}

/** `null`: for ever. */
export function retentionOf(config: Pick<Config, 'retentionDays' | 'retentionMonths'>): Retention | null {
  const { retentionDays: days, retentionMonths: months } = config;
  if (months !== null) return { months };
  return days === null ? null : { days };
}

async function storageOrClose(store: Store, secretOf: () => Promise<Buffer>): Promise<Storage> {
  try {
    const secret = await secretOf();
    const hashKeys = createHashKeys(store, secret);
    await hashKeys.refresh();
    const { hashes: addressHashes } = hashKeys;
    return { store, secret, fingerprint: createFingerprint(secret), addressHashes, hashKeys };
  } catch (error) {
    await store.close();
    throw error;
  }
}
