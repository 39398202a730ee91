/** gatehouse account list */
import type { Command } from 'commander';
import { command, printMany } from './output.ts';
import { showAccount, withStore } from './records.ts';

export function accountList(): Command {
  return command('list', 'Show all accounts.').action(async (options: { json?: true }) => {
    const { accounts } = await withStore((store) => store.changesSince(0));
    printMany(accounts.map(showAccount), options, 'No accounts yet: `gatehouse account create` creates one.');
  });
}
