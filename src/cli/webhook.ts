/** gatehouse webhook: shows, adds, tests, rotates and removes the places where an account is told what happens. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import pino from 'pino';
import { createSecretBox } from '../accounts/secret-box.ts';
import { type Config, readConfig } from '../config/config.ts';
import type { DestinationAdmin, DestinationWithSecret } from '../events/destination-admin.ts';
import { createEvents } from '../events/events.ts';
import {
  type Destination,
  EVENT_TYPES,
  EVENT_VERDICTS,
  type EventType,
  type EventVerdict,
  USUAL_EVENT_TYPES,
} from '../model/event.ts';
import type { Account, Store } from '../store/store.ts';
import { checkSecretPlace, handOverSecret, SECRET_JSON_HELP } from './hand-over-secret.ts';
import { auditOf, findAccount, findById, withStore } from './installation.ts';
import { command, group, nameOption } from './options.ts';
import { type OutputOptions, printMany, printOne, toTime } from './output.ts';

interface WebhookOptions extends OutputOptions {
  readonly account: string;
}

interface AddOptions extends WebhookOptions {
  readonly name: string;
  readonly url: string;
  readonly slack?: true;
  readonly events: readonly EventType[];
  readonly verdicts: readonly EventVerdict[];
}

interface RotateOptions extends WebhookOptions {
  readonly atOnce?: boolean;
}

const HELP = `
A webhook gets signed messages about an account: blocked signups, waves, alerts, reports, changes of lists and keys.
These are the destinations of the page Notifications, where Slack and e-mail are too.

  gatehouse account list
  gatehouse webhook add --account acc_… --name "fraud team" --url https://hooks.shop.example/gatehouse
  gatehouse webhook test dst_… --account acc_…
  gatehouse webhook rotate dst_… --account acc_…

Events: ${EVENT_TYPES.join(', ')}.
What each message contains and how to verify it: docs/webhooks.md.`;
const DEFAULT_VERDICTS: readonly EventVerdict[] = ['challenge', 'block'];

export function webhook(): Command {
  const commands = [list(), add(), rotate(), test(), remove()];
  return group(
    'webhook',
    'Show, add, test, rotate and remove webhooks, which an account is told by.',
    commands,
  ).addHelpText('after', HELP);
}

const accountOption = () => new Option('--account <id>', 'the account’s id').makeOptionMandatory();

function list(): Command {
  return command('list', 'Show where an account is told what happens, without secrets.', [
    accountOption(),
  ]).action(async (options: WebhookOptions) => {
    const rows = await withStore(async (store) => {
      const { id } = await findAccount(store, options.account);
      return Promise.all((await store.destinations(id)).map((each) => toListRow(store, each)));
    });
    printMany(rows, options, 'No webhooks yet: `gatehouse webhook add` adds one.');
  });
}

function add(): Command {
  const options = [
    accountOption(),
    nameOption().makeOptionMandatory(),
    new Option('--url <url>', 'the https:// URL that gets the messages').makeOptionMandatory(),
    new Option('--slack', 'the URL is an incoming webhook of Slack, which gets sentences'),
    listOption('--events <types>', 'events, separated by commas', EVENT_TYPES).default(
      USUAL_EVENT_TYPES,
      USUAL_EVENT_TYPES.join(','),
    ),
    listOption('--verdicts <verdicts>', 'verdicts of signup.assessed', EVENT_VERDICTS).default(
      DEFAULT_VERDICTS,
      DEFAULT_VERDICTS.join(','),
    ),
  ];
  return command('add', 'Add a webhook; its secret is shown only once.', options, SECRET_JSON_HELP).action(
    async ({ account, name, url, slack, events: types, verdicts, ...output }: AddOptions) => {
      const config = readConfig();
      checkSecretPlace(config, output);
      const made = await withAdmin(account, config, ({ admin, accountId }) => {
        const kind = slack === true ? 'slack' : 'webhook';
        const settings = { accountId, kind, name, url, types, verdicts, digestHour: null } as const;
        return admin.create(settings, Date.now(), auditOf(accountId));
      });
      handOver(made, config, output);
    },
  );
}

function rotate(): Command {
  const options = [
    accountOption(),
    new Option('--at-once', 'the old secret signs no more; without this option, it does for a day'),
  ];
  return command('rotate', 'Replace a webhook’s secret; it is shown only once.', options, SECRET_JSON_HELP)
    .argument('<id>', 'the webhook’s id')
    .action(async (id: string, { account, atOnce = false, ...output }: RotateOptions) => {
      const config = readConfig();
      checkSecretPlace(config, output);
      const rotated = await withAdmin(account, config, async (parts) => {
        const found = await findDestination(parts, id);
        return parts.admin.rotate(found, { atOnce }, Date.now(), auditOf(parts.accountId));
      });
      handOver(rotated, config, output);
    });
}

function test(): Command {
  return command('test', 'Send a test message now, and show what came of it.', [accountOption()])
    .argument('<id>', 'the webhook’s id')
    .action(async (id: string, { account, ...output }: WebhookOptions) => {
      const result = await withAdmin(account, readConfig(), async (parts) =>
        parts.admin.test(await findDestination(parts, id), Date.now()),
      );
      if (result !== undefined && 'problem' in result)
        throw new Error(`the test message was not delivered: ${result.problem}`);
      // A running service may be faster; then its page has the outcome.
      const { outcome = 'sent by the running service: see the page Notifications' } = result ?? {};
      printOne({ id, outcome, status: result?.status ?? null }, output);
    });
}

function remove(): Command {
  return command('remove', 'Remove a webhook with its log of deliveries.', [accountOption()])
    .argument('<id>', 'the webhook’s id')
    .action(async (id: string, { account, ...output }: WebhookOptions) => {
      const removed = await withAdmin(account, readConfig(), async (parts) => {
        const found = await findDestination(parts, id);
        await parts.admin.remove(found, auditOf(parts.accountId));
        return found;
      });
      printOne({ ...toRow(removed), removed: true }, output);
    });
}

interface Parts {
  readonly store: Store;
  readonly admin: DestinationAdmin;
  readonly accountId: string;
}

/** The service's own functions, without its work in the background. */
function withAdmin<T>(account: string, config: Config, work: (parts: Parts) => Promise<T>): Promise<T> {
  return withStore(async (store, _, secret) => {
    const found = await findAccount(store, account);
    const events = openEvents(store, found, config, secret);
    try {
      return await work({ store, admin: events.admin, accountId: found.id });
    } finally {
      await events.close();
    }
  });
}

function openEvents(store: Store, account: Account, config: Config, secret: Buffer) {
  return createEvents({
    ...config,
    store,
    box: createSecretBox(secret),
    directory: { account: () => account, keysOf: () => [], hooksOf: () => [] },
    // Signups are told by the service alone.
    findSignup: async () => undefined,
    follow: () => Promise.reject(new Error('a command follows no signups')),
    log: pino({ level: 'silent' }),
    clock: Date.now,
    proxies: config,
    allowsPrivate: config.webhooksPrivate,
    isAlone: false,
    keptDays: 0,
  });
}

async function findDestination({ store, accountId }: Parts, id: string): Promise<Destination> {
  return findById(await store.destinations(accountId), id, 'webhook', 'webhook list --account ID');
}

function handOver(
  { destination, secret }: DestinationWithSecret,
  config: Config,
  options: OutputOptions,
): void {
  if (secret === null) {
    printOne(toRow(destination), options);
    return;
  }
  const file = { name: 'secret', text: secret, fileName: `${destination.id}.txt` };
  handOverSecret(
    toRow(destination),
    file,
    config,
    options,
    'Store the secret now: it cannot be shown again.',
  );
}

async function toListRow(store: Store, destination: Destination) {
  const { waiting, failed, deliveredAt } = await store.deliverySummary(destination.id);
  return { ...toRow(destination), waiting, failed, delivered_at: toTime(deliveredAt) };
}

function toRow(shown: Destination) {
  return {
    id: shown.id,
    kind: shown.kind,
    name: shown.name,
    address: shown.address,
    events: shown.types.join(' '),
    verdicts: shown.verdicts.join(' '),
    old_secret_until: toTime(shown.secrets.previous?.until ?? null),
    disabled_at: toTime(shown.disabled?.at ?? null),
    created_at: toTime(shown.createdAt),
  };
}

function listOption<Word extends string>(flags: string, description: string, words: readonly Word[]): Option {
  return new Option(flags, description).argParser((text) => {
    const chosen = text.split(',').map((each) => each.trim());
    const unknown = chosen.find((each) => !words.some((word) => word === each));
    if (unknown !== undefined) throw new InvalidArgumentError(`Choose from ${words.join(', ')}.`);
    return [...new Set(chosen)];
  });
}
