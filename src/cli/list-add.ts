/** gatehouse list add */
import type { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { createMakeId } from '../contract/identifiers.ts';
import { isCrowdedDomain } from '../intel/list-crowded-domain.ts';
import { keepListValue, type ListValue } from '../intel/list-value.ts';
import type { ListEntry } from '../model/list-entry.ts';
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
  readonly wide?: true;
  readonly json?: true;
}

export function listAdd(): Command {
  return command('add', 'Add or change an entry; a running service follows within a second.')
    .requiredOption('--account <id>', 'the account whose signups it decides')
    .addOption(valueOption('allow').conflicts('deny'))
    .addOption(valueOption('deny'))
    .addOption(textOption('--reason <text>', 'why; stored with every assessment that the entry decides'))
    .addOption(expiresOption())
    .option('--wide', 'accept a domain that many unrelated people share: co.uk, github.io, gmail.com')
    .addOption(textOption('--author <name>', 'who adds it').default('cli'))
    .action(async (options: Options, self: Command) => {
      const value = options.allow ?? options.deny;
      if (value === undefined) return self.error('use --allow or --deny');
      const now = Date.now();
      const config = readConfig();
      const saved = await withStore(async (store, fingerprint) => {
        const { id: accountId } = await findAccount(store, options.account);
        if (options.wide !== true) await refuseWide(value, config);
        const entry: ListEntry = {
          id: createMakeId()('lst', now),
          accountId,
          action: options.allow === undefined ? 'deny' : 'allow',
          ...keepListValue(value, { fingerprint, storeEmails: config.storeEmails }),
          reason: options.reason ?? null,
          author: options.author,
          createdAt: now,
          expiresAt: options.expires ?? null,
          hits: 0,
          lastHitAt: null,
        };
        const { action, shown, reason } = entry;
        return store.saveListEntry(entry, auditEntry(accountId, `list.${action}`, shown, reason ?? ''));
      });
      printOne(showEntry(saved, now), options);
    });
}

/** @throws when the entry would decide for unrelated people, and its value does not show that as `FR` or `.shop` do */
async function refuseWide(value: ListValue, config: Config): Promise<void> {
  if (value.kind !== 'domain' || !value.value.includes('.')) return;
  // Other commands and entries need no snapshot.
  const { openIntel } = await import('../app-intel-repository.ts');
  if (!isCrowdedDomain(value, await openIntel(config))) return;
  throw new Error(`${value.shown} is shared by many unrelated people; add --wide if you mean all of them`);
}
