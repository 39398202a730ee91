/** Webhooks of mail providers: what they document is noted once, and nothing that they did not send. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ManageHookRequest } from '../../src/contract/manage-messages.ts';
import { MAIL_PROVIDERS, type MailProvider } from '../../src/model/hook.ts';
import { type Answer, type Client, createClient } from '../support/client.ts';
import { until } from '../support/expectations.ts';
import type { Delivery } from '../support/hook-senders.ts';
import {
  type MailSender,
  makeMailSenders,
  SNS_CONFIRMATION,
  SNS_NOTIFICATION,
  type SnsServer,
  signSns,
  snsMessage,
  startSnsServer,
} from '../support/mail-senders.ts';
import { type Planted, plant, plantTokens } from '../support/plant.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';
import type { ServiceProcess } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

const HOUR_MS = 3_600_000;

let scene: Scene;
let sns: SnsServer;
let senders: Record<MailProvider, MailSender>;
let token: string;
let stranger: Planted;
const paths = {} as Record<MailProvider, string>;

beforeAll(async () => {
  sns = await startSnsServer();
  senders = makeMailSenders(sns);
  scene = await startScene({
    account: { requestsPerSecond: 100_000 },
    async prepare(installation) {
      stranger = await plant(installation, { requestsPerSecond: 100_000 });
      const [made] = await plantTokens(installation, { scopes: ['hooks:write'] });
      token = made?.text as string;
    },
  });
  for (const provider of MAIL_PROVIDERS) paths[provider] = await create(provider);
});
afterAll(async () => {
  await scene?.end();
  await sns?.close();
});

let made = 0;
async function create(provider: MailProvider, more: Partial<ManageHookRequest> = {}): Promise<string> {
  made += 1;
  const body = { provider, name: `${provider} ${made}`, secret: senders[provider].secret, ...more };
  const path = `/v1/manage/accounts/${scene.account.id}/hooks`;
  const answer = await scene.live.send<{ path: string }>({ method: 'POST', path, key: token, body });
  expect(answer.status, answer.text).toBe(200);
  const { path: hook } = answer.json;
  // The directory of the service follows within a moment.
  await until(
    async () => (await post(hook, senders[provider].deliver('delivered', 'x@example.com'))).status === 200,
  );
  return hook;
}
const post = (path: string, { headers, body }: Delivery): Promise<Answer> =>
  scene.live.send({ method: 'POST', path, key: null, headers, body });
const signUp = async (email: string) => (await scene.live.assess({ email })).json.request_id;
const outcomesOf = async (requestId: string) =>
  (await withStored(scene.installation, (store) => store.outcomesOf(requestId))).map(({ outcome, by }) => ({
    outcome,
    by,
  }));
let people = 0;
function newAddress(): string {
  people += 1;
  return colleague(`person.${people}`, `harbour-${people}.com`);
}

describe.each(MAIL_PROVIDERS)('%s', (provider) => {
  it('reports a bounce and a complaint of a signup, under the name of its hook', async () => {
    const [email, other] = [newAddress(), newAddress()];
    const [bounced, complained] = [await signUp(email), await signUp(other)];
    const answer = await post(paths[provider], senders[provider].deliver('bounced', email));
    expect([answer.status, answer.text]).toEqual([200, '{}']);
    await post(paths[provider], senders[provider].deliver('complained', other.toUpperCase()));
    const by = expect.stringContaining(provider);
    expect(await outcomesOf(bounced)).toEqual([{ outcome: 'bounced', by }]);
    expect(await outcomesOf(complained)).toEqual([{ outcome: 'complained', by }]);
  });

  it('notes nothing for a bounce that passes, or another event', async () => {
    const email = newAddress();
    const id = await signUp(email);
    for (const kind of ['soft', 'delivered'] as const)
      expect((await post(paths[provider], senders[provider].deliver(kind, email))).status).toBe(200);
    expect(await outcomesOf(id)).toEqual([]);
  });

  it('is taken once: the same delivery notes nothing about a later signup', async () => {
    const email = newAddress();
    const delivery = senders[provider].deliver('bounced', email);
    await signUp(email);
    const first = await Promise.all([1, 2, 3].map(() => post(paths[provider], delivery)));
    expect(first.map(({ status }) => status)).toEqual([200, 200, 200]);
    const later = await signUp(email);
    expect((await post(paths[provider], delivery)).status).toBe(200);
    expect(await outcomesOf(later)).toEqual([]);
    // A new delivery is news.
    await post(paths[provider], senders[provider].deliver('bounced', email));
    expect(await outcomesOf(later)).toHaveLength(1);
  });

  it('is refused without its signature, with a false one, at another hook, and when it is old', async () => {
    const email = newAddress();
    const id = await signUp(email);
    const { deliver, isContentSigned, isTimed } = senders[provider];
    const genuine = deliver('bounced', email);
    const spoilt = Object.fromEntries(
      Object.entries(genuine.headers).map(([name, value]) => [
        name,
        name === 'content-type' ? value : 'v1,AAAA',
      ]),
    );
    const body = JSON.parse(genuine.body);
    const inBody = provider === 'mailgun' || provider === 'ses';
    const withoutSignature =
      provider === 'mailgun' ? { ...body, signature: {} } : { ...body, Signature: 'AAAA' };
    const foreign = senders[provider === 'resend' ? 'postmark' : 'resend'].deliver('bounced', email);
    const refused: Delivery[] = [
      ...(inBody ? [{ ...genuine, body: JSON.stringify(withoutSignature) }] : [{ ...genuine, headers: {} }]),
      ...(inBody ? [] : [{ ...genuine, headers: spoilt }]),
      ...(isContentSigned
        ? [{ ...genuine, body: genuine.body.replace('5.1.1', '5.1.2').replace('General', 'Other') }]
        : []),
      ...(isTimed ? [deliver('bounced', email, Date.now() - 24 * HOUR_MS)] : []),
      foreign,
    ];
    for (const delivery of refused) expect((await post(paths[provider], delivery)).status).toBe(401);
    const unknown = paths[provider].replace(/.$/, '_');
    expect((await post(unknown, genuine)).status).toBe(401);
    expect(await outcomesOf(id)).toEqual([]);
  });

  it('reaches the signups of its own account alone, and a sandbox hook those of the sandbox', async () => {
    const email = newAddress();
    const theirs = (await scene.live.assess({ email }, stranger.live)).json.request_id;
    const ours = await signUp(email);
    const sandboxed = (await scene.sandbox.assess({ email })).json.request_id;
    await post(paths[provider], senders[provider].deliver('bounced', email));
    expect(await outcomesOf(theirs)).toEqual([]);
    expect(await outcomesOf(ours)).toHaveLength(1);
    expect(await outcomesOf(sandboxed)).toEqual([]);
    const sandbox = await create(provider, { mode: 'test' });
    await post(sandbox, senders[provider].deliver('complained', email));
    expect(await outcomesOf(sandboxed)).toHaveLength(1);
    expect(await outcomesOf(ours)).toHaveLength(1);
  });

  it('keeps no address in clear, in the store or in an answer', async () => {
    const email = `secret.person@clear-${provider}.com`;
    await scene.live.assess({ email });
    await post(paths[provider], senders[provider].deliver('bounced', email));
    const dump = await withStored(scene.installation, async (store) =>
      JSON.stringify(await store.domainOutcomes(scene.account.id, 0, 5_000)),
    );
    expect(dump).toContain(`clear-${provider}.com`);
    expect(dump).not.toContain('secret.person');
  });
});

describe('a body', () => {
  it('that is none of the provider’s is refused, so that it is not taken for done', async () => {
    const { headers } = senders.postmark.deliver('bounced', 'x@example.com');
    for (const body of ['', 'no JSON', '[]', '{"RecordType":"Bounce","Type":"HardBounce"}'])
      expect((await post(paths.postmark, { headers, body })).status).toBe(400);
  });

  it('of SendGrid may be large, and notes all of its bounces', async () => {
    const email = newAddress();
    const id = await signUp(email);
    const { headers, body } = senders.sendgrid.deliver('bounced', email);
    expect((await post(paths.sendgrid, { headers, body: `${body}${' '.repeat(600_000)}` })).status).toBe(401);
    expect((await post(paths.sendgrid, { headers, body })).status).toBe(200);
    expect(await outcomesOf(id)).toHaveLength(1);
  });
});

it('of SendGrid with thousands of events is worked off to its last one, once', async () => {
  const [first, middle, last] = [newAddress(), newAddress(), newAddress()];
  const ids = [await signUp(first), await signUp(middle), await signUp(last)];
  const strangers = Array.from({ length: 2_600 }, (_, at) => `nobody-${at}@many-events.com`);
  strangers.splice(0, 1, first);
  strangers.splice(1_500, 1, middle);
  const delivery = senders.sendgrid.deliverMany?.([...strangers, last]) as Delivery;
  expect((await post(paths.sendgrid, delivery)).status).toBe(200);
  for (const id of ids) expect(await outcomesOf(id)).toHaveLength(1);
  const later = [await signUp(first), await signUp(middle), await signUp(last)];
  expect((await post(paths.sendgrid, delivery)).status).toBe(200);
  for (const id of later) expect(await outcomesOf(id)).toEqual([]);
});

it('of Mailgun, which signs no content, uses its signature up with the first one', async () => {
  const email = newAddress();
  const id = await signUp(email);
  const harmless = senders.mailgun.deliver('delivered', email);
  const bounce = senders.mailgun.deliver('bounced', email);
  const { signature } = JSON.parse(String(harmless.body)) as { signature: object };
  const forged = { ...(JSON.parse(String(bounce.body)) as object), signature };
  expect((await post(paths.mailgun, harmless)).status).toBe(200);
  expect((await post(paths.mailgun, { ...bounce, body: JSON.stringify(forged) })).status).toBe(200);
  expect(await outcomesOf(id)).toEqual([]);
  expect((await post(paths.mailgun, bounce)).status).toBe(200);
  expect(await outcomesOf(id)).toHaveLength(1);
});

describe('Amazon SNS', () => {
  const message = (more: Record<string, string> = {}): Record<string, string> => ({
    ...snsMessage(sns.origin, Date.now()),
    Message: JSON.stringify({ notificationType: 'Delivery' }),
    ...more,
  });
  const send = (changes: Record<string, string>, names: readonly string[] = SNS_NOTIFICATION) =>
    post(paths.ses, { headers: {}, body: JSON.stringify(signSns(changes, names)) });

  it('may sign with SHA-1 or SHA-256, with a subject or without', async () => {
    for (const SignatureVersion of ['1', '2'])
      expect((await send(message({ SignatureVersion, Subject: 'Amazon SES' }))).status).toBe(200);
    expect((await send(message({ SignatureVersion: '3' }))).status).toBe(401);
  });

  it('is not believed for another topic, or with a certificate of another place', async () => {
    const other = 'arn:aws:sns:eu-west-1:999999999999:ses-feedback';
    const elsewhere = sns.origin.replace('127.0.0.1', 'localhost');
    const path = new URL(message().SigningCertURL as string).pathname;
    const before = sns.requests.length;
    for (const changes of [
      { TopicArn: other },
      { SigningCertURL: `${elsewhere}${path}` },
      { SigningCertURL: `https://sns.eu-west-1.amazonaws.com.evil.example${path}` },
      { SigningCertURL: `${sns.origin}/mine.pem` },
      { SigningCertURL: `${sns.origin}${path}.evil` },
    ])
      expect((await send(message(changes))).status).toBe(401);
    // Nothing was even fetched.
    expect(sns.requests.length).toBe(before);
  });

  it('asks seldom for certificates that it has not, and follows no redirect', async () => {
    const of = (end: string) =>
      `${sns.origin}/SimpleNotificationService-0123456789abcdef0123456789ab${end}.pem`;
    const before = sns.requests.length;
    for (const end of ['ffff', 'fffe', 'fffd', 'fffc'])
      expect((await send(message({ SigningCertURL: of(end) }))).status).toBe(503);
    expect(sns.requests.length - before).toBeLessThanOrEqual(2);
    expect(sns.requests.slice(before).some((url) => url.endsWith('abcdef.pem'))).toBe(false);
  });

  it('keeps no other hook from its certificate', async () => {
    const hooks = [await create('ses'), await create('ses')];
    const before = sns.requests.length;
    for (const [at, hook] of hooks.entries()) {
      const url = `${sns.origin}/SimpleNotificationService-0123456789abcdef0123456789ab00f${at}.pem`;
      const signed = signSns(message({ SigningCertURL: url }), SNS_NOTIFICATION);
      expect((await post(hook, { headers: {}, body: JSON.stringify(signed) })).status).toBe(503);
    }
    expect(sns.requests.slice(before)).toHaveLength(2);
  });

  it('has its subscription confirmed only where the signed URL confirms this topic', async () => {
    const confirmation = (url: string) =>
      send(
        message({ Type: 'SubscriptionConfirmation', Token: 'a-token', SubscribeURL: url }),
        SNS_CONFIRMATION,
      );
    const { TopicArn: topic = '' } = message();
    const confirmed = () => sns.requests.filter((url) => url.includes('ConfirmSubscription'));
    for (const url of [
      `${sns.origin.replace('127.0.0.1', 'localhost')}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=a`,
      `${sns.origin}/admin?Action=ConfirmSubscription&TopicArn=${topic}&Token=a`,
      `${sns.origin}/?Action=DeleteTopic&TopicArn=${topic}`,
      `${sns.origin}/?Action=ConfirmSubscription&TopicArn=${topic}2&Token=a`,
      'file:///etc/passwd',
    ])
      expect((await confirmation(url)).status).toBe(200);
    expect(confirmed()).toEqual([]);
    const right = `${sns.origin}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=a-token`;
    expect((await confirmation(right)).status).toBe(200);
    expect(confirmed()).toHaveLength(1);
    // A changed URL breaks the signature.
    const signed = signSns(
      message({ Type: 'SubscriptionConfirmation', Token: 'a', SubscribeURL: right }),
      SNS_CONFIRMATION,
    );
    const changed = JSON.stringify({ ...signed, SubscribeURL: `${right}&x=1` });
    expect((await post(paths.ses, { headers: {}, body: changed })).status).toBe(401);
    expect(confirmed()).toHaveLength(1);
  });
});

it('a delivery is taken once, also when the service was killed meanwhile', async () => {
  const own = await startScene({ process: true });
  let client: Client | undefined;
  try {
    const { secret } = senders.resend;
    const args = ['--account', own.account.id, '--provider', 'resend', '--name', 'mails', '--secret', secret];
    const { path } = await own.installation.json<{ path: string }>('hook', 'create', ...args);
    const deliver = (by: Client, { headers, body }: Delivery) =>
      by.send({ method: 'POST', path, key: null, headers, body });
    const delivery = senders.resend.deliver('bounced', colleague('killed'));
    await until(
      async () =>
        (await deliver(own.live, senders.resend.deliver('delivered', 'x@y.example'))).status === 200,
    );
    const first = (await own.live.assess({ email: colleague('killed') })).json.request_id;
    expect((await deliver(own.live, delivery)).status).toBe(200);
    await (own.service as ServiceProcess).kill();
    const restarted = await own.installation.spawn();
    client = createClient(restarted.url, own.account.live);
    const later = (await client.assess({ email: colleague('killed') })).json.request_id;
    expect((await deliver(client, delivery)).status).toBe(200);
    const of = (id: string) => withStored(own.installation, (store) => store.outcomesOf(id));
    expect([(await of(first)).length, (await of(later)).length]).toEqual([1, 0]);
    const again = senders.resend.deliver('bounced', colleague('killed'));
    expect((await deliver(client, again)).status).toBe(200);
    expect((await of(later)).length).toBe(1);
  } finally {
    client?.close();
    await own.end();
  }
});

it('secrets have the provider’s own form', async () => {
  const path = `/v1/manage/accounts/${scene.account.id}/hooks`;
  const wrong: Record<MailProvider, string> = {
    ses: 'topic=arn:aws:s3:::bucket',
    postmark: 'with/slash and space',
    resend: 'whsec_short',
    mailgun: 'short',
    sendgrid: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE',
  };
  for (const provider of MAIL_PROVIDERS) {
    const body = { provider, name: `wrong ${provider}`, secret: wrong[provider] };
    const answer = await scene.live.send({ method: 'POST', path, key: token, body });
    expect(answer.status, provider).toBe(400);
    expect(answer.text).toContain(`hook (${provider})`);
  }
});
