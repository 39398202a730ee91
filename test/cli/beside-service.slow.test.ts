/** Every command beside a running service, once with --json and once with --text: it does its work; `restore` and `migrate` say that the service must be stopped. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Command } from 'commander';

/** No update of a feed waits here. */
const NOTHING_WAITS = { 'intel use': /no version waits/, 'intel keep': /no version waits/ };

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allCommands } from '../../src/cli/commands.ts';
import { aLearnedCampaign } from '../support/a-campaign.ts';
import { type Client, createClient } from '../support/client.ts';
import { type CommandResult, gatehouse, spawnGatehouse } from '../support/command.ts';
import { until } from '../support/expectations.ts';
import { type FeedAnswer, startFeedServer, type TestFeedServer } from '../support/feed-server.ts';
import { useFeeds } from '../support/feeds-file.ts';
import { HANG_MS } from '../support/long-version.ts';
import { type PlantedPerson, plantPerson } from '../support/person.ts';
import { type Planted, plant } from '../support/plant.ts';
import { createInstallation, type Installation, type ServiceProcess } from '../support/service.ts';
import { newMigratedDatabase } from '../support/shared-servers.ts';
import { FEEDS_BUILD } from '../support/small-build.ts';
import { withStored } from '../support/stored.ts';

const PATIENCE_MS = 4 * HANG_MS;
const FORMS = ['json', 'text'] as const;
type Form = (typeof FORMS)[number];

/** `list add`, for a command in a group. */
function leaves(commands: readonly Command[], prefix = ''): string[] {
  return commands.flatMap((command) =>
    command.commands.length === 0
      ? [`${prefix}${command.name()}`]
      : leaves(command.commands, `${prefix}${command.name()} `),
  );
}
const NAMES = leaves(allCommands()).filter((name) => name !== 'start');

describe.each(['SQLite', 'PostgreSQL'] as const)('beside a service on %s', (kind) => {
  let feeds: TestFeedServer;
  let installation: Installation;
  let service: ServiceProcess;
  let account: Planted;
  let operator: PlantedPerson;
  let client: Client;
  let folder: string;
  let receiver: Server;
  beforeAll(async () => {
    feeds = await startFeedServer();
    const domains: FeedAnswer = {
      body: Array.from({ length: 40 }, (_, at) => `throwaway-${at}.com\n`).join(''),
    };
    feeds.set('domains', domains);
    const settings = kind === 'SQLite' ? {} : { DATABASE_URL: await newMigratedDatabase() };
    receiver = createServer((_, response) => response.end());
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
    installation = await createInstallation({ ...settings, GATEHOUSE_WEBHOOKS_PRIVATE: 'on' }, FEEDS_BUILD);
    await useFeeds(installation, { 'disposable-curated': { url: `${feeds.url}domains`, enabled: true } });
    folder = installation.environment.GATEHOUSE_DATA_DIR as string;
    service = await installation.spawn();
    account = await plant(installation);
    operator = await plantPerson(installation, 'operator');
    client = createClient(service.url, account.live);
    await until(async () => (await client.assess({ email: EMAIL.json })).status === 200);
    for (const email of [EMAIL.json, EMAIL.text])
      expect((await client.assess({ email, session_id: 's-1' })).status).toBe(200);
    mkdirSync(join(installation.directory, 'feeds'), { recursive: true });
    writeFileSync(
      join(installation.directory, 'signups.csv'),
      'email,verdict\njo@example.com,allow\nann@mailinator.com,block\n',
    );
  }, PATIENCE_MS);
  afterAll(async () => {
    client?.close();
    receiver?.close();
    await installation?.remove();
    await feeds?.close();
  });

  const EMAIL: Record<Form, string> = { json: 'zoe@person-json.com', text: 'zoe@person-text.com' };
  const made = async (...args: string[]) => (await installation.json<{ id: string }>(...args)).id;
  const run = (...args: string[]): Promise<CommandResult> =>
    gatehouse(args, installation.environment, FEEDS_BUILD);

  /** The arguments after the name; some need something to work on, which is made here. */
  const ARGUMENTS: Record<string, (form: Form) => Promise<string[]> | string[]> = {
    'account create': (form) => ['--name', form, '--plan', 'free'],
    'account set': () => [account.id, '--name', 'x'],
    'account list': () => [],
    'account delete': async () => [(await plant(installation)).id, '--yes'],
    'key create': () => ['--account', account.id, '--mode', 'live', '--name', 'x'],
    'key set': async () => [await newKey(), '--name', 'y'],
    'key shadow': async () => [await newKey()],
    'key enforce': async () => [await newKey()],
    'key revoke': async () => [await newKey()],
    'key rotate': async () => [await newKey()],
    'key end-old': () => rotatedKey(),
    'key undo-rotate': () => rotatedKey(),
    'key list': () => ['--account', account.id],
    'hook create': () => ['--account', account.id, '--provider', 'supabase', '--name', 'x'],
    'hook rotate': async () => [await newHook()],
    'hook revoke': async () => [await newHook()],
    'hook list': () => ['--account', account.id],
    'webhook add': () => webhookArguments(),
    'webhook list': () => ['--account', account.id],
    'webhook rotate': () => newWebhook(),
    'webhook test': () => newWebhook(),
    'webhook remove': () => newWebhook(),
    'token create': () => ['--name', 'x', '--scope', 'accounts:read'],
    'token revoke': async () => [await made('token', 'create', '--name', 'x', '--scope', 'accounts:read')],
    'token list': () => [],
    'list add': (form) => ['--account', account.id, '--deny', `${form}.example`],
    'list remove': async (form) => {
      await made('list', 'add', '--account', account.id, '--deny', `gone-${form}.example`);
      return ['--account', account.id, `gone-${form}.example`];
    },
    'list show': () => ['--account', account.id],
    'list history': () => ['--account', account.id, 'x.example'],
    'list erase-history': () => ['--account', account.id, 'x.example', '--yes'],
    'policy export': () => [join(installation.directory, 'policy.yaml')],
    'policy test': () => [join(installation.directory, 'policy.yaml')],
    'policy apply': () => [join(installation.directory, 'policy.yaml'), '--yes'],
    'campaign list': () => ['--account', account.id],
    'campaign show': () => ofCampaign(),
    'campaign end': () => ofCampaign(),
    'campaign confirm': () => ofCampaign(),
    'campaign dismiss': () => ofCampaign(),
    'campaign reopen': async () => {
      const args = await ofCampaign();
      await run('campaign', 'dismiss', ...args);
      return args;
    },
    'recall run': () => ['--account', account.id],
    'recall show': () => ['--account', account.id],
    'recall list': () => ['--account', account.id],
    'recall dismiss': () => ['--account', account.id],
    'intel status': () => [],
    'intel refresh': () => [],
    'intel export': (form) => [join(installation.directory, `feeds-${form}`)],
    'intel import': () => [join(installation.directory, 'feeds-json')],
    'intel check': () => ['throwaway-1.com'],
    'intel rollback': async (form) => {
      // There is an earlier version to return to.
      feeds.set('domains', {
        body: Array.from({ length: 45 }, (_, at) => `throwaway-${form}-${at}.com\n`).join(''),
      });
      await run('intel', 'refresh', '--any-size');
      return ['disposable-curated'];
    },
    'intel use': () => ['disposable-curated'],
    'intel keep': () => ['disposable-curated'],
    'intel host': () => ['mx.example.com'],
    'intel forget-host': () => ['mx.example.com'],
    'intel trust-host': () => ['mx.example.com'],
    'user list': () => [],
    'user link': () => ['--new-operator'],
    'user verify': async () => [(await newMember()).email],
    'user end-sessions': () => [operator.email],
    'user disconnect': async () => [(await newMember()).email],
    'user delete': async () => [(await newMember()).email, '--yes'],
    'secret rotate': () => [],
    'secret list': () => [],
    'secret drop': async () => {
      await run('secret', 'rotate');
      const keys = await installation.json<{ key: number }[]>('secret', 'list');
      return [String(keys.at(-1)?.key), '--yes'];
    },
    'privacy export': (form) => ['--account', account.id, '--email', EMAIL[form]],
    'privacy erase': (form) => ['--account', account.id, '--email', EMAIL[form], '--yes'],
    'privacy reapply': () => [join(folder, 'erasures.jsonl')],
    audit: () => [],
    assess: () => ['jo@example.com'],
    mirror: () => [join(installation.directory, 'signups.csv')],
    scan: () => [join(installation.directory, 'signups.csv')],
    backup: (form) => [join(installation.directory, `${form}.backup`)],
    doctor: () => [],
    'log-level': () => ['info'],
    openapi: () => [],
    restore: () => [join(installation.directory, 'json.backup')],
    migrate: () => ['--to', 'postgres://127.0.0.1:9/x'],
  };
  let campaigns = 0;
  const ofCampaign = async () => {
    campaigns += 1;
    const campaign = aLearnedCampaign(account.id, `farm-${campaigns}.example`);
    await withStored(installation, (store) => store.saveLearned(campaign));
    return [campaign.id, '--account', account.id];
  };
  const newKey = () => made('key', 'create', '--account', account.id, '--mode', 'live', '--name', 'x');
  const rotatedKey = async () => {
    const key = await newKey();
    await run('key', 'rotate', key);
    return [key];
  };
  const newHook = () =>
    made('hook', 'create', '--account', account.id, '--provider', 'supabase', '--name', 'x');
  const webhookArguments = () => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    return ['--account', account.id, '--name', 'x', '--url', url];
  };
  const newWebhook = async () => {
    const id = await made('webhook', 'add', ...webhookArguments());
    return [id, '--account', account.id];
  };
  const newMember = () => plantPerson(installation, { account: account.id, role: 'member' });
  /** Refusals that are no fault of the command: with PostgreSQL there is nothing to back up, restore or move. */
  const REFUSALS: Record<string, RegExp> =
    kind === 'SQLite'
      ? {
          ...NOTHING_WAITS,
          restore: /^gatehouse: a service .* uses the data folder .*: stop it/,
          migrate: /^gatehouse: a service .*: stop it/,
        }
      : {
          ...NOTHING_WAITS,
          backup: /pg_dump/,
          restore: /DATABASE_URL/,
          migrate: /there is no installation in/,
        };

  it('has a row for every command', () => {
    expect(Object.keys(ARGUMENTS).toSorted()).toEqual(NAMES.toSorted());
  });

  it.each(Object.keys(ARGUMENTS))('%s', { timeout: PATIENCE_MS }, async (name) => {
    for (const form of FORMS) {
      const args = [...name.split(' '), ...((await ARGUMENTS[name]?.(form)) ?? []), `--${form}`];
      const { status, stdout, stderr } = await run(...args);
      const refusal = REFUSALS[name];
      if (refusal !== undefined) {
        expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
        expect(stderr).toMatch(refusal);
        expect(stderr.trimEnd().split('\n')).toHaveLength(1);
        continue;
      }
      // DNS does not answer here, which the doctor says.
      expect({ name, status, stderr: status === 0 || name === 'doctor' ? '' : stderr }).toEqual({
        name,
        status: name === 'doctor' ? expect.any(Number) : 0,
        stderr: '',
      });
      expect(stdout).not.toBe('');
      const read = () => JSON.parse(stdout) as unknown;
      if (form === 'json') expect(read).not.toThrow();
      else expect(read).toThrow();
    }
  });

  it('the service has erased both people, from its index too, and still works', async () => {
    for (const email of Object.values(EMAIL)) {
      const args = ['--account', account.id, '--email', email];
      expect(await installation.json('privacy', 'erase', ...args)).toMatchObject({ assessments: 0 });
    }
    expect((await client.assess({ email: 'jo@example.com' })).status).toBe(200);
    const errors = service.output().match(/"level":(?:50|"error")[^\n]*/g) ?? [];
    expect(errors).toEqual([]);
  });

  it('refuses --json and --text together', async () => {
    const both = await spawnGatehouse(['account', 'list', '--json', '--text'], installation.environment);
    expect(both).toMatchObject({ status: 2, stdout: '' });
    expect(both.stderr).toContain('--text');
  });
});
