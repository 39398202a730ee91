/** gatehouse key set */
import type { Command } from 'commander';
import { describeThresholds } from '../accounts/audit-words.ts';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import type { AuditEntry } from '../store/dashboard-store.ts';
import type { Key, KeyChanges } from '../store/store.ts';
import { auditEntry } from './audit-entry.ts';
import {
  blockOption,
  challengeOption,
  nameOption,
  type ThresholdOptions,
  thresholdsFrom,
} from './options.ts';
import { command, printOne } from './output.ts';
import { findAccount, findKey, showKey, withStore } from './records.ts';

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
        const changes = { name: options.name, thresholds: thresholdsFrom(options, current) };
        await store.changeKey(id, changes, ...entriesOf(key, changes));
        printOne(showKey(await findKey(store, id)), options);
      });
    });
}

/** As on the dashboard: a new name and new thresholds are two entries. */
function entriesOf(key: Key, { name, thresholds }: KeyChanges): AuditEntry[] {
  const entry = (action: string, target: string, detail: string) =>
    auditEntry(key.accountId, action, target, detail);
  const shown = name ?? key.name;
  return [
    ...(name === undefined ? [] : [entry('key.rename', `key ${name}`, `was ${key.name}`)]),
    ...(thresholds === undefined
      ? []
      : [entry('thresholds.set', `key ${shown}`, describeThresholds('key', thresholds))]),
  ];
}
