/** gatehouse list: adds, removes and shows the entries of an account's own lists. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createListAdmin, type NewListEntry, type SavedListEntry } from '../accounts/list-admin.ts';
import { type Config, readConfig } from '../config/config.ts';
import { createMakeId } from '../contract/identifiers.ts';
import { isCrowdedEntry, mayBeCrowded } from '../evidence/list-trial.ts';
import {
  hashesOfPerson,
  keepListValue,
  type ListValue,
  readListValueFor,
  readListValues,
} from '../evidence/list-value.ts';
import { isHashedKind, LIST_ACTIONS, type ListAction, type ListEntry } from '../model/list-entry.ts';
import type { Store } from '../store/store.ts';
import type { Storage } from '../wiring/storage.ts';
import { auditOf, findAccount, withStore } from './installation.ts';
import { readFutureInstant } from './instants.ts';
import { eraseHistory, history } from './list-history.ts';
import { command, group, textOption } from './options.ts';
import {
  type OutputOptions,
  printJson,
  printLine,
  printMany,
  printOne,
  toTime,
  wantsJson,
} from './output.ts';

interface ListOptions extends OutputOptions {
  readonly account: string;
}

interface AddOptions extends ListOptions, Partial<Record<ListAction, string>> {
  readonly reason?: string;
  readonly author: string;
  readonly expires?: number;
  readonly wide?: true;
  readonly exact?: true;
}

const MAX_TEXT = 200;

export function list(): Command {
  return group('list', 'Allow and deny signups with an account’s own lists, and name its shared offices.', [
    add(),
    remove(),
    show(),
    history(),
    eraseHistory(),
  ]);
}

function add(): Command {
  return command('add', 'Add or change an entry; a running service follows within a second.')
    .requiredOption('--account <id>', 'the account whose signups it decides')
    .addOption(valueOption('allow', DECIDED).conflicts(['deny', 'office']))
    .addOption(valueOption('deny', DECIDED).conflicts('office'))
    .addOption(valueOption('office', OFFICE))
    .addOption(
      textOption('--reason <text>', 'why; stored with every assessment that the entry decides', MAX_TEXT),
    )
    .addOption(expiresOption())
    .option(
      '--exact',
      'an address means this spelling alone; default: every spelling that reaches its mailbox, such as other dots and tags',
    )
    .option('--wide', 'accept a domain that many unrelated people share: co.uk, github.io, gmail.com')
    .addOption(textOption('--author <name>', 'who adds it', MAX_TEXT).default('cli'))
    .action(async (options: AddOptions, self: Command) => {
      const action = LIST_ACTIONS.find((each) => options[each] !== undefined);
      if (action === undefined) return self.error('use --allow, --deny or --office');
      const text = options[action] as string;
      const value = readListValueFor(action, text);
      const isAddress = isHashedKind(value.kind);
      if (options.exact === true && !isAddress) return self.error('--exact is for an address');
      const meant = isAddress ? readListValueFor(action, text, options.exact) : value;
      const now = Date.now();
      const config = readConfig();
      const saved = await withStore(async (store, addressHashes) => {
        const { id: accountId } = await findAccount(store, options.account);
        if (options.wide !== true) await refuseWide(value, config);
        const keep = { hashes: addressHashes, storeEmails: config.storeEmails };
        const entry: NewListEntry = {
          accountId,
          action,
          reason: options.reason ?? null,
          author: options.author,
          read: (saved) => ({
            ...keepListValue(meant, keep, saved),
            ...hashesOfPerson(meant, addressHashes),
            expiresAt: options.expires ?? null,
          }),
        };
        return adminOf(store).save(entry, now, auditOf(accountId));
      });
      printSaved(saved, now, options);
    });
}

const DECIDED =
  'an address, domain (.xyz: a whole top-level domain), IP, CIDR block, AS number (AS64500) or country (FR)';
const OFFICE =
  'do not count bursts against people who share a place: an IP, a CIDR block, or a domain with one or with an AS number (example.com + 203.0.113.7)';

const valueOption = (action: ListAction, what: string) =>
  new Option(`--${action} <value>`, action === 'office' ? what : `${action} ${what}`).argParser(
    (text): string => {
      try {
        readListValueFor(action, text);
        return text;
      } catch (error) {
        throw new InvalidArgumentError((error as Error).message);
      }
    },
  );

const expiresOption = () =>
  new Option(
    '--expires <when>',
    'when it expires: 2027-01-31, 2027-01-31T12:00Z, or in 30d, 12h, 45m',
  ).argParser(readFutureInstant);

/** @throws when the entry would decide for unrelated people, and its value does not show that as `FR` or `.shop` do */
async function refuseWide(value: ListValue, config: Config): Promise<void> {
  if (mayBeCrowded(value) === undefined) return;
  // Other commands and entries need no snapshot.
  const { openIntel } = await import('../wiring/intel.ts');
  if (!isCrowdedEntry(value, await openIntel(config))) return;
  throw new Error(`${value.shown} is shared by many unrelated people; add --wide if you mean all of them`);
}

function remove(): Command {
  return command('remove', 'Remove an entry; a running service follows within a second.')
    .argument('<entry>', 'the entry’s id, or the value it was added with')
    .requiredOption('--account <id>', 'the account’s id')
    .action((text: string, options: ListOptions) =>
      withStore(async (store, addressHashes) => {
        await findAccount(store, options.account);
        const entry = findEntry(await store.listEntries(options.account), text, addressHashes);
        await adminOf(store).remove(entry, auditOf(entry.accountId));
        printOne(toRow(entry, Date.now()), options);
      }),
    );
}

/** @throws when the text matches no entry, or more than one */
function findEntry(
  entries: readonly ListEntry[],
  text: string,
  addressHashes: Storage['addressHashes'],
): ListEntry {
  const byId = entries.find(({ id }) => id === text);
  if (byId !== undefined) return byId;
  const wanted = readWanted(text, addressHashes);
  const found = entries.filter((entry) =>
    wanted.some(({ kind, values }) => kind === entry.kind && values.includes(entry.value)),
  );
  const [entry] = found;
  if (entry === undefined)
    throw new Error(`no entry ${text}; \`gatehouse list show --account ID\` shows them`);
  if (found.length > 1) {
    const ids = found
      .map(({ action, kind, id }) => `${id} (${action}${kind === 'address' ? ', exact' : ''})`)
      .join(', ');
    throw new Error(`${text} has more than one entry; use an id: ${ids}`);
  }
  return entry;
}

/** The kinds, each with the values that it may be stored as: two for an address, none if the text is not a value. */
function readWanted(text: string, { hashUnderAllKeys }: Storage['addressHashes']) {
  return readListValues(text).map(({ kind, value }) => ({
    kind,
    values: isHashedKind(kind) ? hashUnderAllKeys(value) : [value],
  }));
}

function show(): Command {
  return command('show', 'Show an account’s entries, and how many assessments each decided.')
    .requiredOption('--account <id>', 'the account’s id')
    .action(async (options: ListOptions) => {
      const entries = await withStore(async (store) => {
        await findAccount(store, options.account);
        return store.listEntries(options.account);
      });
      const now = Date.now();
      const rows = entries.map((entry) => toRow(entry, now));
      printMany(rows, options, 'No entries yet: `gatehouse list add` adds one.');
    });
}

/** Prints the entry, what it replaced, and those that it contradicts: sentences for people, members for programs. */
function printSaved(saved: SavedListEntry, now: number, options: OutputOptions): void {
  const { replaced, conflicts } = saved;
  const row = toRow(saved, now);
  if (wantsJson(options)) {
    const before = replaced && {
      reason: replaced.reason,
      author: replaced.author,
      expires_at: toTime(replaced.expiresAt),
    };
    const named = conflicts.map(({ entry, winner }) => ({ ...toRow(entry, now), winner }));
    printJson({ ...row, replaced: before, conflicts: named });
    return;
  }
  printOne(row, options);
  if (replaced !== null)
    printLine(
      `The entry existed already, added by ${replaced.author}${because(replaced)}${expiryWords(replaced)}.`,
    );
  for (const { entry, winner } of conflicts) {
    const does = entry.action === 'allow' ? 'allows' : 'denies';
    const wins = winner === 'new' ? 'the new entry decides' : 'that entry still decides';
    printLine(`${entry.author} ${does} ${entry.shown}${because(entry)}: for what both match, ${wins}.`);
  }
}

const because = ({ reason }: ListEntry) => (reason === null ? '' : ` (“${reason}”)`);
const expiryWords = ({ expiresAt }: ListEntry) =>
  expiresAt === null ? ', with no expiry' : `, until ${toTime(expiresAt)}`;

const adminOf = (store: Store) => createListAdmin({ store, makeId: createMakeId() });

function toRow(entry: ListEntry, now: number) {
  return {
    id: entry.id,
    account_id: entry.accountId,
    action: entry.action,
    kind: entry.kind,
    value: entry.shown,
    reason: entry.reason,
    author: entry.author,
    created_at: toTime(entry.createdAt),
    expires_at: toTime(entry.expiresAt),
    expired: entry.expiresAt !== null && entry.expiresAt <= now,
    hits: entry.hits,
    last_hit_at: toTime(entry.lastHitAt),
  };
}
