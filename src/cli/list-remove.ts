/** gatehouse list remove */
import type { Command } from 'commander';
import { type ListValue, readListValue } from '../intel/list-value.ts';
import type { ListEntry } from '../model/list-entry.ts';
import { auditEntry } from './audit-entry.ts';
import { showEntry } from './list-entry.ts';
import { command, printOne } from './output.ts';
import { findAccount, withStore } from './records.ts';

export function listRemove(): Command {
  return command('remove', 'Remove an entry; a running service follows within a second.')
    .argument('<entry>', 'the entry’s id, or the value it was added with')
    .requiredOption('--account <id>', 'the account’s id')
    .action(async (text: string, options: { account: string; json?: true }) => {
      await withStore(async (store, fingerprint) => {
        await findAccount(store, options.account);
        const entry = findEntry(await store.listEntries(options.account), text, fingerprint);
        const list = entry.action === 'allow' ? 'Allow list' : 'Block list';
        await store.removeListEntry(entry.id, auditEntry(entry.accountId, 'list.remove', entry.shown, list));
        printOne(showEntry(entry, Date.now()), options);
      });
    });
}

/** @throws when the text matches no entry, or more than one */
function findEntry(
  entries: readonly ListEntry[],
  text: string,
  fingerprint: (text: string) => string,
): ListEntry {
  const byId = entries.find(({ id }) => id === text);
  if (byId !== undefined) return byId;
  const wanted = readWanted(text, fingerprint);
  const found = entries.filter(({ kind, value }) => kind === wanted?.kind && value === wanted.value);
  const [entry] = found;
  if (entry === undefined) {
    throw new Error(`no entry ${text}; \`gatehouse list show --account ID\` shows them`);
  }
  if (found.length > 1) {
    throw new Error(
      `${text} is both allowed and denied; use an id: ${found.map(({ action, id }) => `${id} (${action})`).join(', ')}`,
    );
  }
  return entry;
}

/** The kind and value as they are stored; `undefined` if the text is not a value. */
function readWanted(
  text: string,
  fingerprint: (text: string) => string,
): Pick<ListValue, 'kind' | 'value'> | undefined {
  try {
    const { kind, value } = readListValue(text);
    return { kind, value: kind === 'address' ? fingerprint(value) : value };
  } catch {
    return undefined;
  }
}
