/** gatehouse account create */
import type { Command } from 'commander';
import { describeAccountChanges } from '../accounts/audit-words.ts';
import { createMakeId } from '../contract/identifiers.ts';
import type { PlanName } from '../contract/messages.ts';
import type { Account } from '../store/store.ts';
import { auditEntry } from './audit-entry.ts';
import { nameOption, type OwnLimit, planOption, quotaOption, rpsOption, toStored } from './options.ts';
import { command, printOne } from './output.ts';
import { showAccount, withStore } from './records.ts';

interface Options {
  readonly name: string;
  readonly plan: PlanName;
  readonly monthlyQuota?: OwnLimit;
  readonly rps?: OwnLimit;
  readonly json?: true;
}

export function accountCreate(): Command {
  return command('create', 'Create an account.')
    .addOption(nameOption().makeOptionMandatory())
    .addOption(planOption().makeOptionMandatory())
    .addOption(quotaOption())
    .addOption(rpsOption())
    .action(async (options: Options) => {
      const now = Date.now();
      const account: Account = {
        id: createMakeId()('acc', now),
        name: options.name,
        plan: options.plan,
        overage: false,
        monthlyQuota: toStored(options.monthlyQuota) ?? null,
        requestsPerSecond: toStored(options.rps) ?? null,
        thresholds: null,
        createdAt: now,
      };
      const [monthlyQuota, requestsPerSecond] = [toStored(options.monthlyQuota), toStored(options.rps)];
      const detail = describeAccountChanges({ plan: options.plan, monthlyQuota, requestsPerSecond });
      const entry = auditEntry(account.id, 'account_created', account.name, detail);
      await withStore((store) => store.saveAccount(account, entry), 'make');
      printOne(showAccount(account), options);
    });
}
