/** gatehouse user link */
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { makeFirstLink, makeOperatorLink, makeResetLink, setupUrl } from '../accounts/setup-link.ts';
import { readServiceUrl } from '../app-data-folder.ts';
import { type Config, readConfig } from '../config.ts';
import type { Store } from '../store/store.ts';
import { auditEntry } from './audit-entry.ts';
import { checkSecretPlace, handOverSecret, SECRET_JSON_HELP } from './hand-over-secret.ts';
import { localUrl } from './local-url.ts';
import { command } from './output.ts';
import { withStore } from './records.ts';
import { findPerson } from './user-find-person.ts';

interface Options {
  readonly newOperator?: true;
  readonly json?: true;
}

export function userLink(): Command {
  return command(
    'link',
    'Create a link that works once, within 24 hours: for the first operator, for one more operator, or for a user who is locked out.',
    SECRET_JSON_HELP,
  )
    .argument('[user]', 'email or id of the user whose password and second factor to reset')
    .option('--new-operator', 'create one more operator')
    .action(async (email: string | undefined, options: Options, self: Command) => {
      if (email !== undefined && options.newOperator === true)
        return self.error('use an email or --new-operator, not both');
      const config = readConfig();
      checkSecretPlace(config, options);
      const { secret, effect } = await withStore((store) => makeLink(store, email, options));
      const link = setupUrl(baseOf(config), secret);
      // Each link has a file of its own: several links work at the same time.
      const fileName = `user-link-${randomBytes(4).toString('hex')}.txt`;
      const row = { effect, works: 'once, within 24 hours' };
      handOverSecret(row, { name: 'link', text: link, fileName }, config, options);
    });
}

/** @throws when no user is named although there is an operator, or there is no such user */
async function makeLink(store: Store, email: string | undefined, { newOperator }: Options) {
  const now = Date.now();
  const made = (target: string, effect: string) => auditEntry(null, 'link_made', target, effect);
  if (newOperator === true) {
    const effect = 'makes one more operator';
    return { secret: await makeOperatorLink(store, now, made('operator', effect)), effect };
  }
  if (email === undefined) {
    const effect = 'makes the first operator';
    const secret = await makeFirstLink(store, now, made('operator', effect));
    if (secret === undefined)
      throw new Error('there is already an operator; name the user who is locked out, or use --new-operator');
    return { secret, effect };
  }
  const user = await findPerson(store, email);
  const effect = 'sets a new password';
  return { secret: await makeResetLink(store, user.id, now, made(user.email, effect)), effect };
}

/** The public URL from the settings; else where the service listens, or would listen with the settings of this command. */
function baseOf({ publicUrl, dataDir, host, port }: Config): string {
  const settings = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return publicUrl ?? localUrl(readServiceUrl(dataDir) ?? settings);
}
