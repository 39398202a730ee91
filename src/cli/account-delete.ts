/** gatehouse account delete: deletes an account with everything that belongs to it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { type AccountInventory, describeDeletion, takeInventory } from '../accounts/account-inventory.ts';
import { type Config, readConfig } from '../config/config.ts';
import { createAccountRemoval, GRACE_MS } from '../installation/account-removal.ts';
import { FolderInUse } from '../installation/data-folder.ts';
import { forgetErasures } from '../installation/erasure-list.ts';
import { whileStopped } from '../operate/backup/while-stopped.ts';
import type { Store } from '../store/store.ts';
import { auditEntry, findAccount, requireInstallation, withStore } from './installation.ts';
import { command } from './options.ts';
import { type OutputOptions, type OutputRow, printOne, toTime } from './output.ts';

interface DeleteOptions extends OutputOptions {
  readonly yes?: true;
}

const ROWS_A_STEP = 1_000;
const POLL_MS = 250;

const HELP = `
Without --yes it only shows what would be deleted: keys, hooks, lists, policies, assessments with feedback
and challenges, the audit log, memberships, and users who belong to no other account. Its keys are
refused at once. One entry stays in the audit log of the installation: who deleted the account, and how
much data it had. With the embedded database, a running service removes the rest in the background. If
no service runs, this command removes it and rewrites the database file, which needs as much free space
as the file has. With PostgreSQL it takes at least ${GRACE_MS / 1_000} seconds. If it is interrupted, the services
continue, or you run it again.

Example:
  gatehouse account delete acc_… --yes`;

export function deleteAccount(graceMs = GRACE_MS): Command {
  return command('delete', 'Delete an account with everything that belongs to it. This cannot be undone.')
    .argument('<account>', 'the account’s id')
    .option('--yes', 'delete; without it, only show what would be deleted')
    .addHelpText('after', HELP)
    .action(async (id: string, { yes, ...options }: DeleteOptions) => {
      const config = readConfig();
      requireInstallation(config);
      if (yes !== true) {
        const found = await withStore((store) => inventoryOf(store, id));
        return printOne({ would_delete: true, ...toRow(found) }, options);
      }
      printOne(await remove(config, id, graceMs), options);
    });
}

/** @throws when there is no such account, or it was deleted */
async function inventoryOf(store: Store, id: string): Promise<AccountInventory> {
  const deletion = await store.findAccountDeletion(id);
  if (deletion?.isDone === true) throw new Error(`account ${id} was deleted at ${toTime(deletion.at)}`);
  if (deletion === undefined) await findAccount(store, id);
  while ((await store.indexing()) !== null) await sleep(POLL_MS);
  return takeInventory(store, id, Date.now());
}

/** Removes an account; with the embedded database, a running service does the rest. */
async function remove(config: Config, id: string, graceMs: number): Promise<OutputRow> {
  try {
    return await whileStopped(config, () =>
      withStore(async (store) => {
        const found = await begin(store, id);
        await finish(store, config, id, config.databaseUrl === null ? 0 : graceMs);
        // So that no freed page keeps a text.
        await store.rewriteAll();
        return { deleted: true, ...toRow(found) };
      }),
    );
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    const found = await withStore((store) => begin(store, id));
    return { deleting: true, by: 'the running service, in the background', ...toRow(found) };
  }
}

async function begin(store: Store, id: string): Promise<AccountInventory> {
  const found = await inventoryOf(store, id);
  const entry = auditEntry(null, 'account_deleted', ...describeDeletion(id, found));
  await store.beginAccountDeletion(id, Date.now(), entry);
  return found;
}

async function finish(store: Store, config: Config, id: string, graceMs: number): Promise<void> {
  const removal = createAccountRemoval({
    store,
    graceMs,
    clock: () => performance.now(),
    onLast: (accountId) => forgetErasures(config, accountId),
  });
  while ((await store.findAccountDeletion(id))?.isDone === false)
    if ((await removal.prune(ROWS_A_STEP)) === 0) await sleep(POLL_MS);
}

function toRow({ listEntries, auditEntries, ...counts }: AccountInventory) {
  return { ...counts, list_entries: listEntries, audit_entries: auditEntries };
}
