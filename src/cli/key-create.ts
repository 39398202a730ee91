/** gatehouse key create */
import { type Command, Option } from 'commander';
import { describeKey, describeThresholds } from '../accounts/audit-words.ts';
import { makeKey } from '../accounts/keys.ts';
import { readConfig } from '../config.ts';
import { createMakeId } from '../contract/identifiers.ts';
import type { KeyMode } from '../model/key-mode.ts';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import { auditEntry } from './audit-entry.ts';
import { checkSecretPlace, handOverSecret, SECRET_JSON_HELP } from './hand-over-secret.ts';
import {
  blockOption,
  challengeOption,
  nameOption,
  type ThresholdOptions,
  thresholdsFrom,
} from './options.ts';
import { command } from './output.ts';
import { findAccount, showKey, withStore } from './records.ts';

interface Options extends ThresholdOptions {
  readonly account: string;
  readonly mode: KeyMode;
  readonly name: string;
  readonly json?: true;
}

export function keyCreate(): Command {
  return command('create', 'Create an API key; it is shown only once.', SECRET_JSON_HELP)
    .requiredOption('--account <id>', 'the id of the account')
    .addOption(
      new Option('--mode <mode>', 'live, or test for the sandbox')
        .choices(['live', 'test'])
        .makeOptionMandatory(),
    )
    .addOption(nameOption().makeOptionMandatory())
    .addOption(challengeOption())
    .addOption(blockOption())
    .action(async (options: Options) => {
      const config = readConfig();
      checkSecretPlace(config, options);
      const { key, secret } = await withStore(async (store) => {
        const account = await findAccount(store, options.account);
        const now = Date.now();
        const made = makeKey({
          id: createMakeId()('key', now),
          accountId: account.id,
          mode: options.mode,
          name: options.name,
          thresholds: thresholdsFrom(options, account.thresholds ?? DEFAULT_THRESHOLDS) ?? null,
          now,
        });
        const detail = `${made.key.prefix}…, ${describeThresholds('key', made.key.thresholds)}`;
        await store.saveKey(made.key, auditEntry(account.id, 'key.create', describeKey(made.key), detail));
        return made;
      });
      handOverSecret(
        showKey(key),
        { name: 'key', text: secret, fileName: `${key.id}.txt` },
        config,
        options,
        'Store the key now: it cannot be shown again.',
      );
    });
}
