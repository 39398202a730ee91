/** gatehouse user: shows the users of the dashboard, and helps them sign in. */
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { auditLogsOf, nameActor } from '../accounts/audit-log.ts';
import { linkUrl, makeFirstLink, makeOperatorLink, makeResetLink } from '../accounts/secret-link.ts';
import { type Config, readConfig } from '../config/config.ts';
import { readServiceUrl } from '../installation/data-folder.ts';
import { socketPathOf } from '../model/listen-address.ts';
import type { PeopleStore, StoredUser } from '../store/dashboard-store.ts';
import type { Store } from '../store/store.ts';
import { checkSecretPlace, handOverSecret, SECRET_JSON_HELP } from './hand-over-secret.ts';
import { auditEntry, withStore } from './installation.ts';
import { command, group } from './options.ts';
import { type OutputOptions, type OutputRow, printMany, printOne, toTime } from './output.ts';
import { localUrl } from './start.ts';

interface LinkOptions extends OutputOptions {
  readonly newOperator?: true;
}

export function user(): Command {
  return group('user', 'Show the users of the dashboard, and help them sign in.', [
    link(),
    list(),
    verify(),
    endSessions(),
    disconnect(),
    remove(),
  ]);
}

function link(): Command {
  return command(
    'link',
    'Create a link that works once, within 24 hours: for the first operator, for one more operator, or for a user who is locked out.',
    [],
    SECRET_JSON_HELP,
  )
    .argument('[user]', 'email or id of the user whose password and second factor to reset')
    .option('--new-operator', 'create one more operator')
    .action(async (name: string | undefined, options: LinkOptions, self: Command) => {
      if (name !== undefined && options.newOperator === true)
        return self.error('use an email or --new-operator, not both');
      const config = readConfig();
      checkSecretPlace(config, options);
      const { secret, effect } = await withStore((store) => makeLink(store, name, options));
      const text = linkUrl(baseOf(config), 'setup', secret);
      // Each link has a file of its own: several links work at the same time.
      const fileName = `user-link-${randomBytes(4).toString('hex')}.txt`;
      const row = { effect, works: 'once, within 24 hours' };
      handOverSecret(row, { name: 'link', text, fileName }, config, options);
    });
}

/** @throws when no user is named although there is an operator, or there is no such user */
async function makeLink(store: Store, name: string | undefined, { newOperator }: LinkOptions) {
  const now = Date.now();
  const made = (target: string, effect: string) => auditEntry(null, 'link_made', target, effect);
  if (newOperator === true) {
    const effect = 'makes one more operator';
    return { secret: await makeOperatorLink(store, now, made('operator', effect)), effect };
  }
  if (name === undefined) {
    const effect = 'makes the first operator';
    const secret = await makeFirstLink(store, now, made('operator', effect));
    if (secret === undefined)
      throw new Error('there is already an operator; name the user who is locked out, or use --new-operator');
    return { secret, effect };
  }
  const { id, email } = await findUser(store, name);
  const effect = 'sets a new password';
  return { secret: await makeResetLink(store, id, now, made(email, effect)), effect };
}

/** The public URL from the settings; else where the service listens, or would listen with the settings of this command. */
function baseOf({ publicUrl, dataDir, host, port }: Config): string {
  const isSocket = socketPathOf(host) !== undefined;
  const settings = isSocket ? host : `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return publicUrl ?? localUrl(readServiceUrl(dataDir) ?? settings);
}

function list(): Command {
  return command('list', 'Show who can sign in to the dashboard, with their roles.').action(
    async (options: OutputOptions) => {
      const rows = await withStore(async (store) => {
        const memberships = await store.memberships({});
        return (await store.users()).map(
          ({ id, email, verified, invitedBy, name, operator, twoFactor, createdAt }) => ({
            id,
            email,
            verified,
            invited_by: invitedBy,
            name,
            operator,
            two_factor: twoFactor,
            accounts: memberships
              .filter(({ userId }) => userId === id)
              .map(({ accountId, role }) => `${accountId} (${role})`)
              .join(', '),
            created_at: toTime(createdAt),
          }),
        );
      });
      printMany(rows, options, 'No users yet: `gatehouse user link` creates a link for the first operator.');
    },
  );
}

function verify(): Command {
  return userCommand(
    'verify',
    'Confirm that a user owns their address. Other users who claim it are then not verified.',
    async (store, found, accounts) => {
      const entries = accounts.map((id) => auditEntry(id, 'person_verified', nameActor(found, id)));
      await store.verifyUser(found.id, ...entries);
      return { verified: true };
    },
  );
}

function endSessions(): Command {
  return userCommand(
    'end-sessions',
    'Sign a user out everywhere. The password does not change.',
    async (store, found, accounts) => {
      const sessions = await store.sessions(found.id);
      const entries = accounts.map((id) => auditEntry(id, 'sessions_ended', found.email));
      await store.endSessions({ userId: found.id }, ...entries);
      return { sessions_ended: sessions.length };
    },
  );
}

function disconnect(): Command {
  return userCommand(
    'disconnect',
    'Forget who a user is at the OpenID provider, and sign them out everywhere. The next sign-in there connects them again.',
    async (store, found, accounts) => {
      const identities = await store.identitiesOf(found.id);
      const entries = accounts.map((id) => auditEntry(id, 'identity_removed', nameActor(found, id)));
      await store.removeIdentities(found.id, ...entries);
      return { disconnected: identities.length > 0 };
    },
  );
}

interface RemoveOptions extends OutputOptions {
  readonly yes?: true;
}

const REMOVE_HELP = `
Without --yes it only shows what would be deleted: the user, sessions, password, second factor,
memberships, links, and invitations of the address. Their actions stay in the audit log, with their name.

Example:
  gatehouse user delete jo@example.com --yes`;

function remove(): Command {
  return command('delete', 'Delete a user of the dashboard. This cannot be undone.')
    .argument('<user>', 'email or id')
    .option('--yes', 'delete; without it, only show what would be deleted')
    .addHelpText('after', REMOVE_HELP)
    .action((text: string, { yes, ...options }: RemoveOptions) =>
      withStore(async (store) => {
        const found = await findUser(store, text);
        const operators = (await store.users()).filter(({ operator }) => operator);
        if (found.operator && operators.length === 1)
          throw new Error(
            `${found.email} is the only operator; first create another with \`gatehouse user link --new-operator\``,
          );
        const row = {
          id: found.id,
          email: found.email,
          sessions: (await store.sessions(found.id)).length,
          memberships: (await store.memberships({ userId: found.id })).length,
        };
        if (yes !== true) return printOne({ would_delete: true, ...row }, options);
        const accounts = await auditLogsOf(store, found);
        await store.removeUser(found, ...accounts.map((id) => auditEntry(id, 'user_deleted', found.id)));
        printOne({ deleted: true, ...row }, options);
      }),
    );
}

/** @param act changes the user, and records it in the audit logs of `accounts`; returns what to print about it */
function userCommand(
  name: string,
  description: string,
  act: (store: Store, found: StoredUser, accounts: readonly (string | null)[]) => Promise<OutputRow>,
): Command {
  return command(name, description)
    .argument('<user>', 'email or id')
    .addHelpText('after', `\nExample:\n  gatehouse user ${name} jo@example.com`)
    .action((text: string, options: OutputOptions) =>
      withStore(async (store) => {
        const found = await findUser(store, text);
        const changed = await act(store, found, await auditLogsOf(store, found));
        printOne({ id: found.id, email: found.email, ...changed }, options);
      }),
    );
}

/** Finds a person by email or id. @throws when there is none, or several claim the address */
async function findUser(store: Pick<PeopleStore, 'users'>, text: string): Promise<StoredUser> {
  const wanted = text.trim();
  const found = (await store.users()).filter(
    ({ id, email }) => id === wanted || email === wanted.toLowerCase(),
  );
  if (found.length > 1)
    throw new Error(
      `several users claim ${wanted}: ${found.map(({ id }) => id).join(', ')}; use the user’s id (\`gatehouse user list\`)`,
    );
  if (found[0] === undefined) throw new Error(`no user ${text}; \`gatehouse user list\` shows them`);
  return found[0];
}
