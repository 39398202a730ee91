/** gatehouse key: creates, changes, revokes and shows API keys. */
import { type Command, Option } from 'commander';
import { createDirectory } from '../accounts/directory.ts';
import { createKeyAdmin } from '../accounts/key-admin.ts';
import { readConfig } from '../config/config.ts';
import { createMakeId } from '../contract/identifiers.ts';
import type { KeyMode } from '../model/key-mode.ts';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import type { Key, Store } from '../store/store.ts';
import { checkSecretPlace, handOverSecret, SECRET_JSON_HELP } from './hand-over-secret.ts';
import { auditOf, findAccount, findById, withStore } from './installation.ts';
import {
  command,
  group,
  nameOption,
  type ThresholdOptions,
  thresholdOptions,
  thresholdsFrom,
} from './options.ts';
import { type OutputOptions, printMany, printOne, toTime } from './output.ts';

interface CreateOptions extends OutputOptions, ThresholdOptions {
  readonly account: string;
  readonly mode: KeyMode;
  readonly name: string;
  readonly shadow?: boolean;
}

interface SetOptions extends OutputOptions, ThresholdOptions {
  readonly name?: string;
}

interface ListOptions extends OutputOptions {
  readonly account: string;
}

export function key(): Command {
  return group('key', 'Create, change and revoke API keys.', [
    create(),
    set(),
    setShadow(true),
    setShadow(false),
    revoke(),
    list(),
  ]);
}

function create(): Command {
  const options = [
    new Option('--account <id>', 'the id of the account').makeOptionMandatory(),
    new Option('--mode <mode>', 'live, or test for the sandbox')
      .choices(['live', 'test'])
      .makeOptionMandatory(),
    nameOption().makeOptionMandatory(),
    new Option('--shadow', 'observe only: every answer is allow, verdicts are stored and shown'),
    ...thresholdOptions(),
  ];
  return command('create', 'Create an API key; it is shown only once.', options, SECRET_JSON_HELP).action(
    async (options: CreateOptions) => {
      const config = readConfig();
      checkSecretPlace(config, options);
      const { account, mode, name, shadow, ...more } = options;
      const made = await withStore(async (store) => {
        const { id: accountId, thresholds: current } = await findAccount(store, account);
        const thresholds = thresholdsFrom(more, current ?? DEFAULT_THRESHOLDS) ?? null;
        const settings = { accountId, mode, name, shadow, thresholds, now: Date.now() };
        return adminOf(store).create(settings, auditOf(accountId));
      });
      handOverSecret(
        toRow(made.key),
        { name: 'key', text: made.secret, fileName: `${made.key.id}.txt` },
        config,
        options,
        'Store the key now: it cannot be shown again.',
      );
    },
  );
}

function set(): Command {
  return command('set', 'Change a key; a running service follows within a second.', [
    ...thresholdOptions(),
    nameOption(),
  ])
    .argument('<id>', 'the key’s id')
    .action((id: string, options: SetOptions) =>
      withStore(async (store) => {
        const before = await findKey(store, id);
        const account = await findAccount(store, before.accountId);
        const current = before.thresholds ?? account.thresholds ?? DEFAULT_THRESHOLDS;
        const changes = { name: options.name, thresholds: thresholdsFrom(options, current) };
        await adminOf(store).change(before, changes, auditOf(account.id));
        printOne(toRow(await findKey(store, id)), options);
      }),
    );
}

function setShadow(shadow: boolean): Command {
  const [name, description] = shadow
    ? [
        'shadow',
        'Start shadow mode of a key: every answer is allow; a running service follows within a second.',
      ]
    : [
        'enforce',
        'End shadow mode of a key: answers are the verdicts; a running service follows within a second.',
      ];
  return command(name, description)
    .argument('<id>', 'the key’s id')
    .action((id: string, options: OutputOptions) =>
      withStore(async (store) => {
        const before = await findKey(store, id);
        await adminOf(store).change(before, { shadow }, auditOf(before.accountId));
        printOne(toRow(await findKey(store, id)), options);
      }),
    );
}

function revoke(): Command {
  return command('revoke', 'Refuse a key from now on; a running service follows within a second.')
    .argument('<id>', 'the key’s id')
    .action((id: string, options: OutputOptions) =>
      withStore(async (store) => {
        const before = await findKey(store, id);
        await adminOf(store).revoke(before, Date.now(), auditOf(before.accountId));
        printOne(toRow(await findKey(store, id)), options);
      }),
    );
}

function list(): Command {
  return command('list', 'Show an account’s keys, never the keys themselves.')
    .requiredOption('--account <id>', 'the account’s id')
    .action(async (options: ListOptions) => {
      const { keys } = await withStore(async (store) => {
        await findAccount(store, options.account);
        return store.changesSince(0);
      });
      const own = keys.filter(({ accountId }) => accountId === options.account);
      printMany(own.map(toRow), options, 'No keys yet: `gatehouse key create` creates one.');
    });
}

const findKey = async (store: Store, id: string) =>
  findById((await store.changesSince(0)).keys, id, 'key', 'key list --account ID');

const adminOf = (store: Store) =>
  createKeyAdmin({
    store,
    directory: createDirectory(store),
    makeId: createMakeId(),
    namesMayRepeat: true,
  });

function toRow(shown: Key) {
  return {
    id: shown.id,
    account_id: shown.accountId,
    name: shown.name,
    mode: shown.mode,
    shadow: shown.shadow,
    prefix: shown.prefix,
    challenge: shown.thresholds?.challenge ?? null,
    block: shown.thresholds?.block ?? null,
    created_at: toTime(shown.createdAt),
    last_used_at: toTime(shown.lastUsedAt),
    revoked_at: toTime(shown.revokedAt),
  };
}
