/** gatehouse webhook: add, list, test, rotate and remove, with a receiver that verifies what it gets. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENT_TYPES, USUAL_EVENT_TYPES } from '../../src/model/event.ts';
import { failureOf, gatehouse } from '../support/command.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation } from '../support/service.ts';
import { everythingStored } from '../support/stored.ts';

interface Shown {
  readonly id: string;
  readonly secret: string;
  readonly [member: string]: unknown;
}

let installation: Installation;
let account: string;
let receiver: Server;
let url: string;
let status = 204;
const received: { readonly headers: Record<string, string>; readonly body: string }[] = [];
beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/gatehouse`;
  installation = await createInstallation({ GATEHOUSE_WEBHOOKS_PRIVATE: 'on' });
  account = (await plant(installation)).id;
});
afterAll(async () => {
  receiver?.closeAllConnections();
  receiver?.close();
  await installation?.remove();
});

const run = (...args: string[]) => gatehouse(['webhook', ...args], installation.environment);
const read = async <T = Shown>(...args: string[]): Promise<T> => {
  const { status: exit, stdout, stderr } = await run(...args, '--account', account);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return JSON.parse(stdout) as T;
};
const add = (...args: string[]) => read('add', '--name', 'fraud team', '--url', url, '--json', ...args);
const listed = async (id: string) => (await read<Shown[]>('list')).find((each) => each.id === id);

describe('add', () => {
  it('shows the secret once, and stores it encrypted', async () => {
    const made = await add('--events', 'signup.assessed, campaign.opened', '--verdicts', 'block');
    expect(made).toMatchObject({
      id: expect.stringMatching(/^dst_/),
      kind: 'webhook',
      address: url,
      events: 'signup.assessed campaign.opened',
      verdicts: 'block',
      secret: expect.stringMatching(/^whsec_/),
    });
    const row = await listed(made.id);
    expect(row).toMatchObject({ name: 'fraud team', waiting: 0, failed: 0, delivered_at: null });
    expect(row).not.toHaveProperty('secret');
    expect(await everythingStored(installation)).not.toContain(made.secret);
  });

  it('chooses the events of the page by itself, and Slack with its URL as the secret', async () => {
    const slack = await add('--slack');
    expect(slack).toMatchObject({ kind: 'slack', address: new URL(url).host, verdicts: 'challenge block' });
    expect(slack.events).toBe(USUAL_EVENT_TYPES.join(' '));
    expect(slack).not.toHaveProperty('secret');
  });

  it('says what is wrong', async () => {
    const base = ['add', '--account', account, '--name', 'x'];
    expect(failureOf(await run(...base, '--url', 'ftp://x.example'), 1)).toContain('must begin with http');
    const wrongEvent = await run(...base, '--url', url, '--events', 'signup.blocked');
    expect(wrongEvent.status).toBe(2);
    expect(wrongEvent.stderr).toContain(EVENT_TYPES.join(', '));
    const nobody = await run('add', '--account', 'acc_x', '--name', 'x', '--url', url);
    expect(failureOf(nobody, 1)).toContain('no account acc_x');
  });
});

describe('test', () => {
  it('sends a message that the secret verifies, also the old one after a rotation', async () => {
    const { id, secret: first } = await add();
    expect(await read('test', id)).toEqual({ id, outcome: 'delivered', status: 204 });
    const sent = received.at(-1);
    expect(new Webhook(first).verify(sent?.body ?? '', sent?.headers ?? {})).toMatchObject({ type: 'test' });
    expect(await listed(id)).toMatchObject({ delivered_at: expect.any(String) });

    const rotated = await read('rotate', id, '--json');
    expect(rotated.old_secret_until).not.toBeNull();
    await read('test', id);
    for (const secret of [first, rotated.secret])
      new Webhook(secret).verify(received.at(-1)?.body ?? '', received.at(-1)?.headers ?? {});
    const { secret: last } = await read('rotate', id, '--at-once', '--json');
    await read('test', id);
    const newest = received.at(-1);
    new Webhook(last).verify(newest?.body ?? '', newest?.headers ?? {});
    expect(() => new Webhook(rotated.secret).verify(newest?.body ?? '', newest?.headers ?? {})).toThrow();
  });

  it('fails, with the reason, where the receiver does', async () => {
    const { id } = await add();
    status = 500;
    const result = await run('test', id, '--account', account);
    status = 204;
    expect(failureOf(result, 1)).toBe(
      'the test message was not delivered: it answered 500 Internal Server Error',
    );
  });
});

it('removes a webhook, and names the list where there is none', async () => {
  const { id } = await add();
  expect(await read('remove', id)).toMatchObject({ id, removed: true });
  expect(await listed(id)).toBeUndefined();
  for (const name of ['remove', 'rotate', 'test'])
    expect(failureOf(await run(name, id, '--account', account), 1)).toContain(
      `no webhook ${id}; \`gatehouse webhook list --account ID\` shows them`,
    );
  const audit = await gatehouse(['audit', '--account', account], installation.environment);
  expect(audit.stdout).toContain('destination.remove');
});

it('teaches by its help', async () => {
  const { stdout } = await run('--help');
  for (const words of ['webhook add', 'webhook test', 'webhook rotate', 'docs/webhooks.md', ...EVENT_TYPES])
    expect(stdout).toContain(words);
});
