/** gatehouse secret: replaces the key that addresses are hashed with, and shows those that are in use. */
import type { Command } from 'commander';
import { rotateHashKey } from '../accounts/hash-keys.ts';
import { readConfig } from '../config/config.ts';
import type { HashKey } from '../model/hash-key.ts';
import { isHashedKind } from '../model/list-entry.ts';
import { dayOf } from '../model/mailbox-address.ts';
import type { Store } from '../store/store.ts';
import { auditEntry, withStore } from './installation.ts';
import { command, group, wholeNumber } from './options.ts';
import { type OutputOptions, printMany, printOne, toTime } from './output.ts';

const DAY_MS = 86_400_000;
/** Time after which a whole month is dropped in PostgreSQL. */
const MONTH_MS = 31 * DAY_MS;

export function secret(): Command {
  return group('secret', 'Rotate the key that addresses are hashed with.', [rotate(), list(), drop()]);
}

const ROTATE_HELP = `
Every node hashes with the new key within a second. Nothing is lost: list entries, the dashboard and
\`gatehouse privacy\` also find what was hashed with earlier keys. For a day, the counts of a mailbox
may be too low.
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
      printMany(rows, options, 'One key since the first start: the secret itself; it was never rotated.');
    },
  );
}

interface DropOptions extends OutputOptions {
  readonly yes?: true;
}

const DROP_HELP = `
What was hashed with the key can no longer be found by address. So wait until the retention has removed
the assessments from its time (GATEHOUSE_RETENTION_DAYS) and the addresses of mailboxes
(GATEHOUSE_RETENTION_MAILBOX_DAYS), and add list entries for addresses again.
Without --yes, a key that is still needed is not dropped: the error says what needs it.

Example:
  gatehouse secret drop 0`;

function drop(): Command {
  return command('drop', 'Delete a key that addresses were hashed with, once nothing needs it.')
    .argument('<key>', 'its number in `gatehouse secret list`', wholeNumber(0, 1_000_000))
    .option('--yes', 'drop it although something still needs it')
    .addHelpText('after', DROP_HELP)
    .action((number: number, options: DropOptions) =>
      withStore(async (store) => {
        const keys = await store.hashKeys();
        const at = keys.findIndex((key) => key.number === number);
        const [key, next] = [keys[at], keys[at - 1]];
        if (key === undefined) throw new Error(`no key ${number}; \`gatehouse secret list\` shows them`);
        if (next === undefined)
          throw new Error(`key ${number} is in use; run \`gatehouse secret rotate\` first`);
        const uses = await usesOf(store, next.createdAt);
        if (uses.length > 0 && options.yes !== true)
          throw new Error(`key ${number} is still needed: ${uses.join(', ')}; add --yes to drop it anyway`);
        const audit = auditEntry(null, 'secret.drop', 'address hashes', `key ${number}`);
        await store.dropHashKey(number, audit);
        printOne({ ...toRow(key, next), keys_in_use: keys.length - 1 }, options);
      }),
    );
}

/** Data that may still be hashed with a key that was used until an instant, milliseconds since the epoch. */
async function usesOf(store: Store, until: number): Promise<string[]> {
  let entries = 0;
  for await (const change of store.listChangesSince(0))
    if ('saved' in change && isHashedKind(change.saved.kind) && change.saved.createdAt <= until) entries += 1;
  const { retentionDays: days, retentionMonths: months } = readConfig();
  const keptMs = months !== null ? (months + 1) * MONTH_MS : days === null ? null : days * DAY_MS + MONTH_MS;
  const addresses = await store.countMailboxAddresses(dayOf(until));
  const uses = [
    ...(entries === 0 ? [] : [`list entries for addresses, ${entries}`]),
    ...(addresses === 0 ? [] : [`addresses of mailboxes, ${addresses}`]),
  ];
  if (keptMs === null) return [...uses, 'assessments, which are kept for ever'];
  const goneAt = until + keptMs;
  return goneAt <= Date.now() ? uses : [...uses, `assessments until ${toTime(goneAt)?.slice(0, 10)}`];
}

/** @param next the key that replaced it */
function toRow({ number, createdAt }: HashKey, next: HashKey | undefined) {
  return { key: number, from: toTime(createdAt), until: toTime(next?.createdAt ?? null) };
}
