/** gatehouse account set */
import { type Command, Option } from 'commander';
import { describeAccountChanges, describeThresholds } from '../accounts/audit-words.ts';
import type { PlanName } from '../contract/messages.ts';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import type { AuditEntry } from '../store/dashboard-store.ts';
import type { Account, AccountChanges } from '../store/store.ts';
import { auditEntry } from './audit-entry.ts';
import {
  blockOption,
  challengeOption,
  nameOption,
  type OwnLimit,
  planOption,
  quotaOption,
  rpsOption,
  type ThresholdOptions,
  thresholdsFrom,
  toStored,
} from './options.ts';
import { command, printOne } from './output.ts';
import { findAccount, showAccount, withStore } from './records.ts';

interface Options extends ThresholdOptions {
  readonly name?: string;
  readonly plan?: PlanName;
  readonly overage?: 'on' | 'off';
  readonly monthlyQuota?: OwnLimit;
  readonly rps?: OwnLimit;
  readonly json?: true;
}

export function accountSet(): Command {
  return command('set', 'Change an account; a running service follows within a second.')
    .argument('<id>', 'the account’s id')
    .addOption(planOption())
    .addOption(
      new Option('--overage <state>', 'accept requests above the monthly quota').choices(['on', 'off']),
    )
    .addOption(challengeOption())
    .addOption(blockOption())
    .addOption(quotaOption())
    .addOption(rpsOption())
    .addOption(nameOption())
    .action(async (id: string, options: Options) => {
      await withStore(async (store) => {
        const account = await findAccount(store, id);
        const changes = changesOf(account, options);
        await store.changeAccount(id, changes, ...auditEntriesOf(account, changes));
        printOne(showAccount(await findAccount(store, id)), options);
      });
    });
}

/** @throws when the change does not fit the plan or the thresholds */
function changesOf(account: Account, options: Options): AccountChanges {
  const plan = options.plan ?? account.plan;
  if (plan === 'free' && options.overage === 'on') throw new Error('plan free does not allow overage');
  const overage = options.overage === undefined ? undefined : options.overage === 'on';
  return {
    name: options.name,
    plan: options.plan,
    overage: options.plan === 'free' ? false : overage,
    monthlyQuota: toStored(options.monthlyQuota),
    requestsPerSecond: toStored(options.rps),
    thresholds: thresholdsFrom(options, account.thresholds ?? DEFAULT_THRESHOLDS),
  };
}

/** As on the dashboard: new limits and new thresholds are two entries. */
function auditEntriesOf(account: Account, changes: AccountChanges): AuditEntry[] {
  const { name, thresholds } = changes;
  const limits = describeAccountChanges(changes);
  return [
    ...(limits === '' && name === undefined
      ? []
      : [auditEntry(account.id, 'account_changed', name ?? account.name, limits)]),
    ...(thresholds === undefined
      ? []
      : [auditEntry(account.id, 'thresholds.set', 'account', describeThresholds('account', thresholds))]),
  ];
}
