/** gatehouse token: creates, revokes and shows tokens of the management API. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { stateOf } from '../accounts/manage-tokens.ts';
import { createTokenAdmin, MAX_TOKEN_DAYS } from '../accounts/token-admin.ts';
import { readConfig } from '../config/config.ts';
import { createMakeId } from '../contract/identifiers.ts';
import { MANAGE_SCOPES, type ManageScope, type ManageToken } from '../model/manage-token.ts';
import type { Store } from '../store/store.ts';
import { checkSecretPlace, handOverSecret, SECRET_JSON_HELP } from './hand-over-secret.ts';
import { auditEntry, findAccount, findById, withStore } from './installation.ts';
import { command, group, nameOption, wholeNumber } from './options.ts';
import { type OutputOptions, printMany, printOne, toTime } from './output.ts';

interface CreateOptions extends OutputOptions {
  readonly name: string;
  readonly scope: readonly ManageScope[];
  readonly account?: string;
  readonly expires?: number;
}

export function token(): Command {
  const commands = [create(), revoke(), list()];
  return group('token', 'Create and revoke tokens of the management API.', commands);
}

function create(): Command {
  const options = [
    nameOption().makeOptionMandatory(),
    scopeOption().makeOptionMandatory(),
    new Option('--account <id>', 'the only account that the token may see and change; default: all'),
    new Option('--expires <days>', 'days until it expires; default: never').argParser(
      wholeNumber(1, MAX_TOKEN_DAYS),
    ),
  ];
  return command('create', 'Create a token; it is shown only once.', options, SECRET_JSON_HELP).action(
    async ({ name, scope, account, expires, ...output }: CreateOptions) => {
      const config = readConfig();
      checkSecretPlace(config, output);
      const settings = { name, scopes: scope, accountId: account ?? null, expiresInDays: expires ?? null };
      const { token: made, secret } = await withStore(async (store) => {
        if (account !== undefined) await findAccount(store, account);
        return adminOf(store).create({ ...settings, now: Date.now() });
      });
      const file = { name: 'token', text: secret, fileName: `${made.id}.txt` };
      handOverSecret(toRow(made), file, config, output, 'Store the token now: it cannot be shown again.');
    },
  );
}

const scopeOption = () =>
  new Option(
    '--scope <scope>',
    `a permission; repeat the option for each: ${MANAGE_SCOPES.join(', ')}`,
  ).argParser((text, earlier: readonly ManageScope[] = []) => {
    const scope = MANAGE_SCOPES.find((known) => known === text);
    if (scope === undefined) throw new InvalidArgumentError(`Use one of ${MANAGE_SCOPES.join(', ')}.`);
    return [...earlier, scope];
  });

function revoke(): Command {
  return command('revoke', 'Refuse a token from now on; a running service follows within a second.')
    .argument('<id>', 'the token’s id')
    .action((id: string, options: OutputOptions) =>
      withStore(async (store) => {
        const found = await findToken(store, id);
        await adminOf(store).revoke(found, Date.now());
        printOne(toRow(await findToken(store, id)), options);
      }),
    );
}

function list(): Command {
  return command('list', 'Show all tokens, never the tokens themselves.').action(
    async (options: OutputOptions) => {
      const { tokens } = await withStore((store) => store.changesSince(0));
      printMany(tokens.map(toRow), options, 'No tokens yet: `gatehouse token create` creates one.');
    },
  );
}

const findToken = async (store: Store, id: string) =>
  findById((await store.changesSince(0)).tokens, id, 'token', 'token list');

const adminOf = (store: Store) => createTokenAdmin({ store, makeId: createMakeId(), auditEntry });

function toRow(shown: ManageToken) {
  return {
    id: shown.id,
    name: shown.name,
    prefix: shown.prefix,
    scopes: shown.scopes,
    account_id: shown.accountId,
    state: stateOf(shown, Date.now()),
    created_by: shown.createdBy,
    created_at: toTime(shown.createdAt),
    expires_at: toTime(shown.expiresAt),
    last_used_at: toTime(shown.lastUsedAt),
    revoked_at: toTime(shown.revokedAt),
  };
}
