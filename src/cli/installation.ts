/** Opens the installation for one command, and names who ran the command in its audit log. */
import { hostname, userInfo } from 'node:os';
import { type Config, readConfig } from '../config/config.ts';
import { refuseHalfRestored } from '../installation/data-folder.ts';
import type { AuditEntry, MakeAuditEntry } from '../store/audit-store.ts';
import type { Account, Store } from '../store/store.ts';
import { openStorage, type Storage } from '../wiring/storage.ts';
import { hasInstallation } from './has-installation.ts';

/**
 * Runs `work` with the installation's store, the way it hashes addresses, and its secret, beside a running service or without one.
 * @param absent what to do if there is no installation. By default none is made: the folder may be the wrong one
 */
export async function withStore<T>(
  work: (store: Store, addressHashes: Storage['addressHashes'], secret: Buffer) => Promise<T>,
  absent: 'refuse' | 'make' = 'refuse',
): Promise<T> {
  const config = readConfig();
  if (absent === 'refuse') requireInstallation(config);
  const { store, addressHashes, secret } = await openStorage(config, { create: absent === 'make' });
  try {
    return await work(store, addressHashes, secret);
  } finally {
    await store.close();
  }
}

/** @throws naming the setting to check, if there is no installation in the data folder or in DATABASE_URL */
export function requireInstallation(config: Pick<Config, 'dataDir' | 'databaseUrl'>): void {
  if (config.databaseUrl === null) requireEmbedded(config);
}

/** @throws naming the setting to check, if there is none in the data folder, whatever DATABASE_URL is */
export function requireEmbedded(config: Pick<Config, 'dataDir'>): void {
  refuseHalfRestored(config.dataDir);
  if (hasInstallation(config)) return;
  throw new Error(
    `there is no installation in ${config.dataDir}: set GATEHOUSE_DATA_DIR to its folder, or run \`gatehouse start\` to create one`,
  );
}

/** @throws when there is no such account */
export async function findAccount(store: Store, id: string): Promise<Account> {
  return findById((await store.changesSince(0)).accounts, id, 'account', 'account list');
}

/** @param list the command that shows them. @throws naming it when there is none with this id */
export function findById<Row extends { readonly id: string }>(
  rows: readonly Row[],
  id: string,
  what: string,
  list: string,
): Row {
  const row = rows.find((candidate) => candidate.id === id);
  if (row === undefined) throw new Error(`no ${what} ${id}; \`gatehouse ${list}\` shows them`);
  return row;
}

/** The user of the operating system, and the machine, as the audit log names them. */
export function commandLineUser(): string {
  return `command line (${userName()}@${hostname()})`;
}

/** @param accountId `null`: the entry concerns the whole installation, and operators read it */
export function auditEntry(
  accountId: string | null,
  action: string,
  target: string,
  detail = '',
): AuditEntry {
  return { at: Date.now(), by: commandLineUser(), accountId, action, target, detail };
}

/** Makes entries of one account. */
export const auditOf =
  (accountId: string): MakeAuditEntry =>
  (action, target, detail) =>
    auditEntry(accountId, action, target, detail);

/** Name of the user; in a container they may have a number only. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`.trim();
  }
}
