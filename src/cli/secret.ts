/** gatehouse secret: replaces the key that addresses are hashed with, and shows those that are in use. */
import type { Command } from 'commander';
import { rotateHashKey } from '../app-hash-keys.ts';
import type { HashKey } from '../model/hash-key.ts';
import { auditEntry, withStore } from './installation.ts';
import { command, group } from './options.ts';
import { type OutputOptions, printMany, printOne, toTime } from './output.ts';

export function secret(): Command {
  return group('secret', 'Rotate the key that addresses are hashed with.', [rotate(), list()]);
}

const ROTATE_HELP = `
Every node hashes with the new key within a second. Nothing is lost: list entries, the dashboard and
\`gatehouse privacy\` also find what was hashed with earlier keys. For a day, counts of a mailbox or
domain may be too low. Upgrade all nodes first: an earlier version does not know the new key.
The secret itself (secret.key, GATEHOUSE_SECRET) stays: it encrypts these keys.

Example:
  gatehouse secret rotate`;

function rotate(): Command {
  return command('rotate', 'Hash addresses with a new key from now on; a running service follows at once.')
    .addHelpText('after', ROTATE_HELP)
    .action((options: OutputOptions) =>
      withStore(async (store, _, installationSecret) => {
        const audit = auditEntry(null, 'secret.rotate', 'address hashes', 'a new key');
        const made = await rotateHashKey(store, { secret: installationSecret, now: Date.now(), audit });
        const keys = await store.hashKeys();
        printOne({ ...toRow(made, undefined), keys_in_use: keys.length }, options);
      }),
    );
}

function list(): Command {
  return command('list', 'Show the keys that addresses are hashed with, and when each was used.').action(
    async (options: OutputOptions) => {
      const keys = await withStore((store) => store.hashKeys());
      const rows = keys.map((key, at) => toRow(key, keys[at - 1]));
      printMany(rows, options, 'One key, since the first start: the secret itself was never rotated.');
    },
  );
}

/** @param next the key that replaced it */
function toRow({ number, createdAt }: HashKey, next: HashKey | undefined) {
  return { key: number, from: toTime(createdAt), until: toTime(next?.createdAt ?? null) };
}
