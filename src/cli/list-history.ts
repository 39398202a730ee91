/** gatehouse list history: who added, changed and removed an entry, and how that is erased. */
import type { Command } from 'commander';
import { eraseEntryHistory } from '../accounts/list-admin.ts';
import { readListValues } from '../evidence/list-value.ts';
import { isHashedKind } from '../model/list-entry.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { Store } from '../store/store.ts';
import { auditOf, findAccount, withStore } from './installation.ts';
import { command } from './options.ts';
import { type OutputOptions, printMany, printOne, toTime } from './output.ts';

interface HistoryOptions extends OutputOptions {
  readonly account: string;
}

interface EraseOptions extends HistoryOptions {
  readonly yes?: true;
}

const CHANGES: Readonly<Record<string, string>> = {
  'list.allow': 'added to or changed in the Allow list',
  'list.deny': 'added to or changed in the Block list',
  'list.office': 'added to or changed in the shared offices',
  'list.remove': 'removed',
};

export function history(): Command {
  return historyCommand(
    'history',
    'Show who added, changed and removed an entry, also if it no longer exists.',
  )
    .addHelpText('after', '\nExample:\n  gatehouse list history --account acc_… partner.example')
    .action((text: string, options: HistoryOptions) =>
      withStore(async (store) => {
        await findAccount(store, options.account);
        const entries = await store.listHistory(options.account, await shownAs(store, options.account, text));
        printMany(entries.map(toRow), options, 'The audit log has no changes of such an entry.');
      }),
    );
}

const ERASE_HELP = `
Removes the value and the reasons from the audit log; the log still shows who changed the lists, and when.
The entry itself stays: to remove it too, run \`gatehouse list remove\` first, because the log records that
with the value. If addresses are stored masked, this erases the history of all addresses with this mask.

Example:
  gatehouse list erase-history --account acc_… jo@example.com --yes`;

export function eraseHistory(): Command {
  return historyCommand('erase-history', 'Erase the history of an entry. This cannot be undone.')
    .option('--yes', 'erase it; without it, only show how much it is')
    .addHelpText('after', ERASE_HELP)
    .action((text: string, { yes, ...options }: EraseOptions) =>
      withStore(async (store) => {
        const { id } = await findAccount(store, options.account);
        const shown = await shownAs(store, id, text);
        if (yes !== true) {
          const { length: entries } = await store.listHistory(id, shown);
          return printOne({ would_erase: true, entries }, options);
        }
        const entries = await eraseEntryHistory(store, id, shown, auditOf(id));
        printOne({ erased: true, entries }, options);
      }),
    );
}

const historyCommand = (name: string, description: string) =>
  command(name, description)
    .argument('<entry>', 'the entry’s id while it exists, or its value')
    .requiredOption('--account <id>', 'the account’s id');

/** Forms of a value that the audit log may have: an address masked or whole, by the settings at that time. */
async function shownAs(store: Store, accountId: string, text: string): Promise<string[]> {
  const entry = (await store.listEntries(accountId)).find(({ id }) => id === text);
  if (entry !== undefined) return [entry.shown];
  const values = readListValues(text);
  if (values.length === 0) return [text];
  const forms = values.flatMap(({ kind, value, shown }) => (isHashedKind(kind) ? [shown, value] : [shown]));
  return [...new Set(forms)];
}

function toRow({ at, by, action, target, detail }: AuditEntry) {
  return { at: toTime(at), by, change: CHANGES[action], value: target, reason: detail };
}
