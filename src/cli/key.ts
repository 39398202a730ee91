/** gatehouse key: creates, changes, rotates, revokes and shows API keys. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createDirectory } from '../accounts/directory.ts';
import { lastUseOf } from '../accounts/key-access.ts';
import { createKeyAdmin } from '../accounts/key-admin.ts';
import { MAX_RANGES, readRange } from '../accounts/key-ranges.ts';
import { DEFAULT_OVERLAP_MS, MAX_OVERLAP_MS } from '../accounts/key-rotation.ts';
import { readConfig } from '../config/config.ts';
import { createMakeId } from '../contract/identifiers.ts';
import { isInShadow, MAX_SHARE } from '../model/enforced-share.ts';
import type { KeyMode } from '../model/key-mode.ts';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import type { Key, KeyChanges, Store } from '../store/store.ts';
import { checkSecretPlace, handOverSecret, SECRET_JSON_HELP } from './hand-over-secret.ts';
import { auditOf, findAccount, findById, withStore } from './installation.ts';
import { readFutureInstant, readLength } from './instants.ts';
import {
  command,
  group,
  nameOption,
  type ThresholdOptions,
  thresholdOptions,
  thresholdsFrom,
} from './options.ts';
import { type OutputOptions, printMany, printOne, toTime } from './output.ts';

/** Words instead of no value, which an option cannot have. */
const NEVER = 'never';
const ANYWHERE = 'anywhere';

interface AccessOptions {
  readonly expires?: number | typeof NEVER;
  readonly from?: readonly string[] | typeof ANYWHERE;
}

interface CreateOptions extends OutputOptions, ThresholdOptions, AccessOptions {
  readonly account: string;
  readonly mode: KeyMode;
  readonly name: string;
  readonly shadow?: boolean;
}

interface SetOptions extends OutputOptions, ThresholdOptions, AccessOptions {
  readonly name?: string;
}

interface EnforceOptions extends OutputOptions {
  readonly share: number;
}

interface RotateOptions extends OutputOptions {
  readonly overlap: number;
}

interface ListOptions extends OutputOptions {
  readonly account: string;
}

export function key(): Command {
  return group('key', 'Create, change, rotate and revoke API keys.', [
    create(),
    set(),
    shadow(),
    enforce(),
    rotate(),
    endOverlap(),
    undoRotation(),
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
    ...accessOptions(),
  ];
  return command('create', 'Create an API key; it is shown only once.', options, SECRET_JSON_HELP).action(
    async (options: CreateOptions) => {
      const config = readConfig();
      checkSecretPlace(config, options);
      const { account, mode, name, shadow, ...more } = options;
      const made = await withStore(async (store) => {
        const { id: accountId, thresholds: current } = await findAccount(store, account);
        const thresholds = thresholdsFrom(more, current ?? DEFAULT_THRESHOLDS) ?? null;
        const limits = { thresholds, ...accessFrom(more) };
        const enforcedShare = shadow ? 0 : MAX_SHARE;
        const settings = { accountId, mode, name, enforcedShare, ...limits, now: Date.now() };
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
    ...accessOptions(),
  ])
    .argument('<id>', 'the key’s id')
    .action((id: string, options: SetOptions) =>
      withStore(async (store) => {
        const before = await findKey(store, id);
        const account = await findAccount(store, before.accountId);
        const current = before.thresholds ?? account.thresholds ?? DEFAULT_THRESHOLDS;
        const changes = {
          name: options.name,
          thresholds: thresholdsFrom(options, current),
          ...accessFrom(options),
        };
        await adminOf(store).change(before, changes, auditOf(account.id));
        printOne(toRow(await findKey(store, id)), options);
      }),
    );
}

function shadow(): Command {
  return command(
    'shadow',
    'Start shadow mode of a key: every answer is allow; a running service follows within a second.',
  )
    .argument('<id>', 'the key’s id')
    .action((id: string, options: OutputOptions) => setShare(id, 0, options));
}

function enforce(): Command {
  const options = [
    new Option(
      '--share <percent>',
      'for this share of people alone, always the same ones: 1 to 100; the others are only observed',
    )
      .argParser(readShare)
      .default(MAX_SHARE, '100, which ends shadow mode'),
  ];
  return command(
    'enforce',
    'Answer with the verdicts of a key in shadow mode; a running service follows within a second.',
    options,
  )
    .argument('<id>', 'the key’s id')
    .action((id: string, { share, ...output }: EnforceOptions) => setShare(id, share, output));
}

function setShare(id: string, enforcedShare: number, options: OutputOptions): Promise<void> {
  return withStore(async (store) => {
    const before = await findKey(store, id);
    await adminOf(store).change(before, { enforcedShare }, auditOf(before.accountId));
    printOne(toRow(await findKey(store, id)), options);
  });
}

function readShare(text: string): number {
  const share = Number(text.replace(/%$/, ''));
  if (/^\d+%?$/.test(text) && share >= 1 && share <= MAX_SHARE) return share;
  throw new InvalidArgumentError('It must be a whole number of percent, 1 to 100.');
}

function accessFrom({ expires, from }: AccessOptions): Pick<KeyChanges, 'expiresAt' | 'allowedRanges'> {
  return { expiresAt: expires === NEVER ? null : expires, allowedRanges: from === ANYWHERE ? null : from };
}

const accessOptions = () => [
  new Option(
    '--expires <when>',
    'refuse the key from then on: 2027-01-31, 2027-01-31T12:00Z, 30d, or never',
  ).argParser((text) => (text === NEVER ? NEVER : readFutureInstant(text))),
  new Option(
    '--from <ranges>',
    'the only addresses of its callers: IPs and CIDR blocks, separated by commas; or anywhere',
  ).argParser(readAllowedRanges),
];

function readAllowedRanges(text: string): readonly string[] | typeof ANYWHERE {
  if (text === ANYWHERE) return ANYWHERE;
  const ranges = text.split(',').map((part) => readRange(part));
  if (ranges.every((range) => range !== undefined) && ranges.length <= MAX_RANGES)
    return [...new Set(ranges)];
  throw new InvalidArgumentError(
    `It must be at most ${MAX_RANGES} IPs or CIDR blocks, such as 203.0.113.7,198.51.100.0/24; or anywhere.`,
  );
}

function rotate(): Command {
  const options = [
    new Option(
      '--overlap <length>',
      'how long the old secret stays valid: 45m, 24h, 7d, at most 30d; 0: not at all',
    )
      .argParser(readLength(MAX_OVERLAP_MS))
      .default(DEFAULT_OVERLAP_MS, '24h'),
  ];
  return command('rotate', 'Give a key a new secret; it is shown only once.', options, SECRET_JSON_HELP)
    .argument('<id>', 'the key’s id')
    .action(async (id: string, { overlap: overlapMs, ...output }: RotateOptions) => {
      const config = readConfig();
      checkSecretPlace(config, output);
      const { secret, after } = await withStore(async (store) => {
        const before = await findKey(store, id);
        const rotation = { overlapMs, now: Date.now() };
        const secret = await adminOf(store).rotate(before, rotation, auditOf(before.accountId));
        return { secret, after: await findKey(store, id) };
      });
      const file = { name: 'key', text: secret, fileName: `${id}.txt` };
      handOverSecret(toRow(after), file, config, output, 'Store the key now: it cannot be shown again.');
    });
}

function endOverlap(): Command {
  return command('end-old', 'Refuse the old secret of a rotated key from now on.')
    .argument('<id>', 'the key’s id')
    .action((id: string, options: OutputOptions) =>
      withStore(async (store) => {
        const before = await findKey(store, id);
        await adminOf(store).endOverlap(before, Date.now(), auditOf(before.accountId));
        printOne(toRow(await findKey(store, id)), options);
      }),
    );
}

function undoRotation(): Command {
  return command(
    'undo-rotate',
    'Take a rotation back while the old secret is valid: the new secret is refused from now on.',
  )
    .argument('<id>', 'the key’s id')
    .action((id: string, options: OutputOptions) =>
      withStore(async (store) => {
        const before = await findKey(store, id);
        await adminOf(store).undoRotation(before, Date.now(), auditOf(before.accountId));
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
    shadow: isInShadow(shown),
    enforced_share: shown.enforcedShare,
    prefix: shown.prefix,
    challenge: shown.thresholds?.challenge ?? null,
    block: shown.thresholds?.block ?? null,
    created_at: toTime(shown.createdAt),
    last_used_at: toTime(lastUseOf(shown)),
    rotated_at: toTime(shown.rotatedAt),
    old_prefix: shown.previous?.prefix ?? null,
    old_used_at: toTime(shown.previous?.lastUsedAt ?? null),
    old_valid_until: toTime(shown.previous?.until ?? null),
    expires_at: toTime(shown.expiresAt),
    allowed_ranges: shown.allowedRanges?.join(',') ?? null,
    revoked_at: toTime(shown.revokedAt),
  };
}
