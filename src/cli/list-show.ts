/** gatehouse list show */
import type { Command } from 'commander';
import { showEntry } from './list-entry.ts';
import { command, printMany } from './output.ts';
import { findAccount, withStore } from './records.ts';

interface Options {
  readonly account: string;
  readonly json?: true;
}

export function listShow(): Command {
  return command('show', 'Show an account’s entries, and how many assessments each decided.')
    .requiredOption('--account <id>', 'the account’s id')
    .action(async (options: Options) => {
      const entries = await withStore(async (store) => {
        await findAccount(store, options.account);
        return store.listEntries(options.account);
      });
      const now = Date.now();
      const rows = entries.map((entry) => showEntry(entry, now));
      printMany(rows, options, 'No entries yet: `gatehouse list add` adds one.');
    });
}
