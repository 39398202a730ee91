/** gatehouse key set */
import type { Command } from 'commander';
import { DEFAULT_THRESHOLDS } from '../../contract/thresholds.ts';
import {
  blockOption,
  challengeOption,
  nameOption,
  type ThresholdOptions,
  thresholdsFrom,
} from '../options.ts';
import { command, printOne } from '../output.ts';
import { findAccount, findKey, showKey, withStore } from '../records.ts';

interface Options extends ThresholdOptions {
  readonly name?: string;
  readonly json?: true;
}

export function keySet(): Command {
  return command('set', 'Change a key; a running service follows within a second.')
    .argument('<id>', 'the key’s id')
    .addOption(challengeOption())
    .addOption(blockOption())
    .addOption(nameOption())
    .action(async (id: string, options: Options) => {
      await withStore(async (store) => {
        const key = await findKey(store, id);
        const account = await findAccount(store, key.accountId);
        const current = key.thresholds ?? account.thresholds ?? DEFAULT_THRESHOLDS;
        await store.changeKey(id, { name: options.name, thresholds: thresholdsFrom(options, current) });
        printOne(showKey(await findKey(store, id)), options);
      });
    });
}
