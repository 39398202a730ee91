/** gatehouse audit: shows who changed what, newest first. */
import { type Command, Option } from 'commander';
import type { AuditEntry } from '../store/audit-store.ts';
import type { Store } from '../store/store.ts';
import { findAccount, withStore } from './installation.ts';
import { readPastInstant } from './instants.ts';
import { command, wholeNumber } from './options.ts';
import { type OutputOptions, printMany, toTime } from './output.ts';

interface AuditOptions extends OutputOptions {
  readonly account?: string;
  readonly since?: number;
  readonly until?: number;
  readonly action?: string;
  readonly by?: string;
  readonly target?: string;
  readonly limit: number;
}

/** `id`: its position in the log. */
type PlacedEntry = AuditEntry & { readonly id: number };

const DEFAULT_ENTRIES = 100;
const MAX_ENTRIES = 1_000_000;
/** Read at a time. */
const PAGE_ENTRIES = 200;

export function audit(): Command {
  return command('audit', 'Show who changed what, newest first: in an account, or in the installation.', [
    new Option('--account <id>', 'the account; default: changes that concern the whole installation'),
    new Option(
      '--since <when>',
      'only newer entries: 2027-01-31, 2027-01-31T12:00Z, or 30d, 12h, 45m ago',
    ).argParser(readPastInstant),
    new Option('--until <when>', 'only older entries, in the same forms').argParser(readPastInstant),
    new Option(
      '--action <name>',
      'only this action: key.create; with a dot at the end, all actions that begin with it: key.',
    ),
    new Option(
      '--by <text>',
      'only actors whose name contains this text, in upper or lower case: jo@example.com, "command line"',
    ),
    new Option(
      '--target <text>',
      'only entries whose target or detail contains this text, in upper or lower case: mailinator.com',
    ),
    new Option('--limit <n>', 'maximum number of entries')
      .argParser(wholeNumber(1, MAX_ENTRIES))
      .default(DEFAULT_ENTRIES),
  ]).action(async (options: AuditOptions) => {
    const entries = await withStore(async (store) => {
      if (options.account !== undefined) await findAccount(store, options.account);
      return readEntries(store, options);
    });
    printMany(entries.map(toRow), options, 'No entries.');
  });
}

async function readEntries(
  store: Store,
  { account, limit, since, until, action, by, target }: AuditOptions,
): Promise<readonly PlacedEntry[]> {
  const found: PlacedEntry[] = [];
  const filter = { since, until, action, by, target };
  for (let after: number | null = null; found.length < limit; ) {
    const { entries, positions, next } = await store.auditEntries(
      account ?? null,
      after,
      PAGE_ENTRIES,
      filter,
    );
    found.push(...entries.map((entry, index) => ({ ...entry, id: positions[index] as number })));
    if (next === null) break;
    after = next;
  }
  return found.slice(0, limit);
}

function toRow({ id, at, by, accountId, action, target, detail }: PlacedEntry) {
  return { id, at: toTime(at), by, account_id: accountId, action, target, detail };
}
