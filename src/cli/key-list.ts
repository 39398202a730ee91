/** gatehouse key list */
import type { Command } from 'commander';
import { command, printMany } from './output.ts';
import { findAccount, showKey, withStore } from './records.ts';

interface Options {
  readonly account: string;
  readonly json?: true;
}

export function keyList(): Command {
  return command('list', 'Show an account’s keys, without their text.')
    .requiredOption('--account <id>', 'the account’s id')
    .action(async (options: Options) => {
      const { keys } = await withStore(async (store) => {
        await findAccount(store, options.account);
        return store.changesSince(0);
      });
      const own = keys.filter(({ accountId }) => accountId === options.account);
      printMany(own.map(showKey), options, 'No keys yet: `gatehouse key create` creates one.');
    });
}
