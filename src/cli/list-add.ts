/** gatehouse list add */
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { createMakeId } from '../contract/identifiers.ts';
import { keepListValue, type ListValue } from '../intel/lists/list-value.ts';
import type { ListEntry } from '../store/store.ts';
import { auditEntry } from './audit-entry.ts';
import { expiresOption, showEntry, textOption, valueOption } from './list-entry.ts';
import { command, printOne } from './output.ts';
import { findAccount, withStore } from './records.ts';

interface Options {
  readonly account: string;
  readonly allow?: ListValue;
  readonly deny?: ListValue;
  readonly reason?: string;
  readonly author: string;
  readonly expires?: number;
  readonly json?: true;
}

export function listAdd(): Command {
  return command('add', 'Add an entry, or change it; a running service follows within a second.')
    .requiredOption('--account <id>', 'the account whose signups it decides')
    .addOption(valueOption('allow').conflicts('deny'))
    .addOption(valueOption('deny'))
    .addOption(textOption('--reason <text>', 'why, kept with every assessment it decides'))
    .addOption(expiresOption())
    .addOption(textOption('--author <name>', 'who says so').default('cli'))
    .action(async (options: Options, self: Command) => {
      const value = options.allow ?? options.deny;
      if (value === undefined) return self.error('either --allow or --deny is needed');
      const now = Date.now();
      const { storeEmails } = readConfig();
      const saved = await withStore(async (store, fingerprint) => {
        const entry: ListEntry = {
          id: createMakeId()('lst', now),
          accountId: (await findAccount(store, options.account)).id,
          action: options.allow === undefined ? 'deny' : 'allow',
          ...keepListValue(value, { fingerprint, storeEmails }),
          reason: options.reason ?? null,
          author: options.author,
          createdAt: now,
          expiresAt: options.expires ?? null,
          hits: 0,
          lastHitAt: null,
        };
        const { accountId, action, shown, reason } = entry;
        return store.saveListEntry(entry, auditEntry(accountId, `list.${action}`, shown, reason ?? ''));
      });
      printOne(showEntry(saved, now), options);
    });
}
