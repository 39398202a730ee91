/** gatehouse hook: creates, rotates, revokes and shows what auth providers call before they create a user, and mail providers after a bounce. */
import { type Command, Option } from 'commander';
import { createHookAdmin, type HookAdmin, type HookWithSecret, hookPath } from '../accounts/hook-admin.ts';
import { SECRET_FORMS } from '../accounts/hook-secrets.ts';
import { createSecretBox } from '../accounts/secret-box.ts';
import { type Config, readConfig } from '../config/config.ts';
import { createMakeId } from '../contract/identifiers.ts';
import { HOOK_SOURCES, type Hook, type HookAnswer, type HookSource } from '../model/hook.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { Store } from '../store/store.ts';
import { checkSecretPlace, handOverSecret, SECRET_JSON_HELP } from './hand-over-secret.ts';
import { auditOf, findAccount, findById, withStore } from './installation.ts';
import { command, group, nameOption } from './options.ts';
import { type OutputOptions, printLine, printMany, printOne, toTime, wantsJson } from './output.ts';

interface CreateOptions extends OutputOptions {
  readonly account: string;
  readonly provider: HookSource;
  readonly name: string;
  readonly mode: KeyMode;
  readonly secret?: string;
  readonly challengeAs: HookAnswer;
  readonly onError: HookAnswer;
}

interface RotateOptions extends OutputOptions {
  readonly secret?: string;
  readonly atOnce?: boolean;
}

interface ListOptions extends OutputOptions {
  readonly account: string;
}

export function hook(): Command {
  const commands = [create(), rotate(), revoke(), list()];
  return group(
    'hook',
    'Create, rotate and revoke hooks, which auth providers call before they create a user, and mail providers after a bounce.',
    commands,
  );
}

const secretOption = () =>
  new Option('--secret <secret>', 'the secret in the provider’s own form; default: a new one');
const answerOption = (flags: string, description: string) =>
  new Option(flags, description).choices(['allow', 'deny']).default('allow');

function create(): Command {
  const options = [
    new Option('--account <id>', 'the id of the account').makeOptionMandatory(),
    new Option('--provider <provider>', 'the auth or mail provider that calls the hook')
      .choices(HOOK_SOURCES)
      .makeOptionMandatory(),
    nameOption().makeOptionMandatory(),
    new Option('--mode <mode>', 'live, or test for the sandbox').choices(['live', 'test']).default('live'),
    secretOption(),
    answerOption('--challenge-as <answer>', 'the answer for the verdict challenge'),
    answerOption('--on-error <answer>', 'the answer when there is no verdict in time'),
  ];
  return command('create', 'Create a hook; its secret is shown only once.', options, SECRET_JSON_HELP).action(
    async ({ account, provider, name, mode, secret, challengeAs, onError, ...output }: CreateOptions) => {
      const config = readConfig();
      checkSecretPlace(config, output);
      const made = await withHooks(async (store, admin) => {
        const { id } = await findAccount(store, account);
        const settings = { provider, name, mode, secret, challengeAs, onError, reach: 'anywhere' } as const;
        return admin.create({ ...settings, accountId: id }, Date.now(), auditOf(id));
      });
      handOver(made, config, output);
    },
  );
}

function rotate(): Command {
  const options = [
    secretOption(),
    new Option('--at-once', 'refuse the old secret at once; without this option, it stays valid for a day'),
  ];
  return command('rotate', 'Replace a hook’s secret; it is shown only once.', options, SECRET_JSON_HELP)
    .argument('<id>', 'the hook’s id')
    .action(async (id: string, { secret, atOnce = false, ...output }: RotateOptions) => {
      const config = readConfig();
      checkSecretPlace(config, output);
      const rotated = await withHooks(async (store, admin) => {
        const found = await findHook(store, id);
        if (found.revokedAt !== null)
          throw new Error(`hook ${id} is revoked; \`gatehouse hook create\` creates a new one`);
        const rotation = { secret, reach: 'anywhere', atOnce } as const;
        return admin.rotate(found, rotation, Date.now(), auditOf(found.accountId));
      });
      handOver(rotated, config, output);
    });
}

function revoke(): Command {
  return command('revoke', 'Refuse a hook’s requests from now on; a running service follows within a second.')
    .argument('<id>', 'the hook’s id')
    .action((id: string, options: OutputOptions) =>
      withHooks(async (store, admin) => {
        const found = await findHook(store, id);
        await admin.revoke(found, Date.now(), auditOf(found.accountId));
        printOne(toRow(await findHook(store, id)), options);
      }),
    );
}

function list(): Command {
  return command('list', 'Show an account’s hooks, without their secrets.')
    .requiredOption('--account <id>', 'the account’s id')
    .action(async (options: ListOptions) => {
      const { hooks } = await withStore(async (store) => {
        await findAccount(store, options.account);
        return store.changesSince(0);
      });
      const own = hooks.filter(({ accountId }) => accountId === options.account);
      printMany(own.map(toRow), options, 'No hooks yet: `gatehouse hook create` creates one.');
    });
}

function withHooks<T>(work: (store: Store, admin: HookAdmin) => Promise<T>): Promise<T> {
  return withStore((store, _, secret) =>
    work(store, createHookAdmin({ store, box: createSecretBox(secret), makeId: createMakeId() })),
  );
}

const findHook = async (store: Store, id: string) =>
  findById((await store.changesSince(0)).hooks, id, 'hook', 'hook list --account ID');

function handOver({ hook: made, secret }: HookWithSecret, config: Config, options: OutputOptions): void {
  if (secret !== null) {
    const file = { name: 'secret', text: secret, fileName: `${made.id}.txt` };
    handOverSecret(toRow(made), file, config, options, 'Store the secret now: it cannot be shown again.');
    return;
  }
  printOne({ ...toRow(made), secret }, options);
  if (wantsJson(options)) return;
  const { description } = SECRET_FORMS[made.provider];
  printLine(
    `\nThe hook refuses everything until \`gatehouse hook rotate ${made.id} --secret …\` sets its secret: ${description}.`,
  );
}

function toRow(shown: Hook) {
  return {
    id: shown.id,
    path: hookPath(shown),
    account_id: shown.accountId,
    provider: shown.provider,
    name: shown.name,
    mode: shown.mode,
    has_secret: shown.secrets.current !== null,
    old_secret_until: toTime(shown.secrets.previous?.until ?? null),
    challenge_as: shown.challengeAs,
    on_error: shown.onError,
    created_at: toTime(shown.createdAt),
    last_used_at: toTime(shown.lastUsedAt),
    revoked_at: toTime(shown.revokedAt),
  };
}
