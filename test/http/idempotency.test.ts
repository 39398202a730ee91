/** `Idempotency-Key` on POST /v1/assess and POST /v1/feedback: a repeated request gets the first answer and has no effect. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Assessment } from '../../src/contract/messages.ts';
import { type Client, createClient } from '../support/client.ts';
import { meterOf, problemOf } from '../support/expectations.ts';
import { type Planted, plant } from '../support/plant.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';
import { everythingStored, withStored } from '../support/stored.ts';

const REFUSED = { status: 400, code: 'missing_field', param: 'Idempotency-Key' };
const AT_ONCE = 50;

let scene: Scene;
let small: Planted;
let slow: Planted;
beforeAll(async () => {
  scene = await startScene({
    account: { requestsPerSecond: 100_000 },
    async prepare(installation) {
      small = await plant(installation, { monthlyQuota: 1 });
      slow = await plant(installation, { plan: 'free' });
    },
  });
});
afterAll(() => scene?.end());

const post = (client: Client, path: string, body: unknown, idempotencyKey: string | readonly string[]) =>
  client.send<Assessment>({
    method: 'POST',
    path,
    body,
    headers: { 'idempotency-key': idempotencyKey as string },
  });
const assess = (client: Client, body: unknown, idempotencyKey: string | readonly string[]) =>
  post(client, '/v1/assess', body, idempotencyKey);
const used = async (client: Client) => (await client.usage()).json.assessments_used;
const isReplay = ({ headers }: { headers: Record<string, unknown> }) => headers['idempotent-replayed'];

describe('a repeated assessment', () => {
  it('gets the same bytes, costs no credit and counts in no velocity', async () => {
    const body = { email: colleague('ann', 'once-means-once.com'), ip: '79.192.10.1', session_id: 's' };
    const before = await used(scene.live);
    const first = await assess(scene.live, body, 'ann-1');
    expect([first.status, isReplay(first)]).toEqual([200, undefined]);
    for (const _ of [1, 2]) {
      const again = await assess(scene.live, body, 'ann-1');
      expect([again.status, again.text, isReplay(again)]).toEqual([200, first.text, 'true']);
      expect(meterOf(again)).toMatchObject({ used: before + 1 });
      expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    }
    expect(await used(scene.live)).toBe(before + 1);
    const next = await scene.live.assess({ ...body, email: colleague('bob', 'once-means-once.com') });
    expect(next.json.signals.velocity).toMatchObject({ ip_signups_1h: 2, email_domain_1h: 2 });
  });

  it('is the same with its members in another order or form, and with unknown members', async () => {
    const email = colleague('order');
    const first = await assess(scene.live, { email, ip: '79.192.10.2' }, 'order');
    const other = `{ "utm": 7, "session_id": null,\n "ip": "79.192.10.2", "email": ${JSON.stringify(email)} }`;
    const again = await assess(scene.live, other, 'order');
    expect([again.text, isReplay(again)]).toEqual([first.text, 'true']);
  });

  it.each([
    ['email', { email: colleague('other') }],
    ['ip', { ip: '79.192.10.4' }],
    ['session_id', { session_id: 'other' }],
    ['brought_by', { brought_by: 'admin' }],
  ])('is refused with another %s', async (name, change) => {
    const body = { email: colleague('ann'), ip: '79.192.10.3' };
    expect((await assess(scene.live, body, `other ${name}`.replace(' ', '-'))).status).toBe(200);
    const before = await used(scene.live);
    const answer = await assess(scene.live, { ...body, ...change }, `other-${name}`);
    expect(problemOf(answer)).toEqual(REFUSED);
    expect(await used(scene.live)).toBe(before);
  });

  it('is made once by many simultaneous requests, for one credit', async () => {
    const body = { email: colleague('many', 'many-at-once.com'), ip: '79.192.10.5' };
    const before = await used(scene.live);
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => assess(scene.live, body, 'many')),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(answers.filter((answer) => isReplay(answer) === undefined)).toHaveLength(1);
    expect(await used(scene.live)).toBe(before + 1);
    const next = await scene.live.assess({ ...body, email: colleague('next', 'many-at-once.com') });
    expect(next.json.signals.velocity).toMatchObject({ ip_signups_1h: 2, email_domain_1h: 2 });
  });

  it('is answered when the quota is used up; a request that was refused leaves nothing', async () => {
    const client = scene.live.as(small.live);
    const body = { email: colleague('last') };
    const first = await assess(client, body, 'last');
    expect(first.status).toBe(200);
    for (const _ of [1, 2]) {
      const refused = await assess(client, { email: colleague('late') }, 'late');
      expect(problemOf(refused)).toEqual({ status: 429, code: 'quota_exceeded' });
      meterOf(refused);
    }
    const again = await assess(client, body, 'last');
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(meterOf(again)).toMatchObject({ used: 1, quota: 1 });
    client.close();
  });

  it('counts for the rate limit like every request', async () => {
    const client = scene.live.as(slow.live);
    const body = { email: colleague('quick') };
    const answers = await Promise.all(Array.from({ length: 30 }, () => assess(client, body, 'quick')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(15);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const answer of refused) expect(problemOf(answer)).toEqual({ status: 429, code: 'rate_limit' });
    expect(await used(client)).toBe(1);
    client.close();
  });

  it('is another one with a sandbox key, from another account, or without a key', async () => {
    const body = { email: colleague('apart') };
    const stranger = scene.live.as((await plant(scene.installation)).live);
    await expect.poll(async () => (await stranger.usage()).status).toBe(200);
    const answers = [
      await assess(scene.live, body, 'apart'),
      await assess(scene.sandbox, body, 'apart'),
      await assess(stranger, body, 'apart'),
      await scene.live.assess(body),
    ];
    expect(answers.map((answer) => [answer.status, isReplay(answer)])).toEqual(
      Array(4).fill([200, undefined]),
    );
    expect(new Set(answers.map(({ json }) => json.request_id)).size).toBe(4);
    stranger.close();
  });

  it('works in the sandbox, which charges nothing', async () => {
    const body = { email: 'block@example.com' };
    const first = await assess(scene.sandbox, body, 'sandbox');
    const again = await assess(scene.sandbox, body, 'sandbox');
    expect([again.status, again.text, isReplay(again)]).toEqual([200, first.text, 'true']);
    expect(problemOf(await assess(scene.sandbox, { email: 'allow@example.com' }, 'sandbox'))).toEqual(
      REFUSED,
    );
  });

  it('is a new one after a request that was not valid', async () => {
    expect((await assess(scene.live, { email: 'nobody' }, 'typo')).status).toBe(400);
    const corrected = await assess(scene.live, { email: colleague('nobody') }, 'typo');
    expect([corrected.status, isReplay(corrected)]).toEqual([200, undefined]);
  });

  it('is forgotten with its assessment', async () => {
    const body = { email: colleague('gone') };
    const first = await assess(scene.sandbox, body, 'gone');
    await withStored(scene.installation, (store) => store.forgetKey(first.json.request_id));
    const next = await assess(scene.sandbox, body, 'gone');
    expect([next.status, isReplay(next)]).toEqual([200, undefined]);
  });

  it('shows in the metrics as a replay, and as no verdict', async () => {
    const figure = async (name: string) => {
      const { text } = await scene.live.send({ path: '/metrics' });
      const lines = text.split('\n').filter((line) => line.startsWith(name));
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    };
    const replays = 'gatehouse_idempotent_replays_total{operation="assessSignup"}';
    const body = { email: 'jo@mailinator.com' };
    await assess(scene.live, body, 'metrics');
    const before = [await figure(replays), await figure('gatehouse_reasons_total')];
    await assess(scene.live, body, 'metrics');
    const after = [await figure(replays), await figure('gatehouse_reasons_total')];
    expect(after).toEqual([(before[0] as number) + 1, before[1]]);
  });
});

describe('repeated feedback', () => {
  const feedback = (body: unknown, idempotencyKey: string) =>
    post(scene.live, '/v1/feedback', body, idempotencyKey);

  it('gets the same bytes, and does not replace later feedback', async () => {
    const { request_id } = (await scene.live.assess({ email: colleague('fay') })).json;
    const mistake = { request_id, outcome: 'false_positive', note: 'a friend' };
    const first = await feedback(mistake, 'fay-1');
    expect([first.status, isReplay(first)]).toEqual([200, undefined]);
    expect((await feedback({ request_id, outcome: 'false_negative' }, 'fay-2')).status).toBe(200);
    const again = await feedback(mistake, 'fay-1');
    expect([again.status, again.text, isReplay(again)]).toEqual([200, first.text, 'true']);
    const stored = await withStored(scene.installation, (store) => store.findFeedback(request_id));
    expect(stored).toMatchObject({ outcome: 'false_negative', note: null });
  });

  it.each([
    ['outcome', { outcome: 'false_negative' }],
    ['note', { note: 'other' }],
    ['request_id', { request_id: 'req_01k0q8y5m9x3w7v2n4b6c8d0zz' }],
  ])('is refused with another %s', async (name, change) => {
    const { request_id } = (await scene.live.assess({ email: colleague('gil') })).json;
    const body = { request_id, outcome: 'false_positive' };
    expect((await feedback(body, `gil-${name}`)).status).toBe(200);
    expect(problemOf(await feedback({ ...body, ...change }, `gil-${name}`))).toEqual(REFUSED);
  });

  it('is a new one after an error', async () => {
    const unknown = { request_id: 'req_01k0q8y5m9x3w7v2n4b6c8d0zz', outcome: 'false_positive' };
    expect((await feedback(unknown, 'hal')).status).toBe(400);
    const { request_id } = (await scene.live.assess({ email: colleague('hal') })).json;
    const corrected = await feedback({ ...unknown, request_id }, 'hal');
    expect([corrected.status, isReplay(corrected)]).toEqual([200, undefined]);
  });

  it('does not share keys with assessments', async () => {
    const first = await assess(scene.live, { email: colleague('ivy') }, 'ivy');
    const answer = await feedback({ request_id: first.json.request_id, outcome: 'false_positive' }, 'ivy');
    expect([answer.status, isReplay(answer)]).toEqual([200, undefined]);
  });
});

describe('the key', () => {
  it.each([
    ['one character', '~'],
    ['255 characters', '!'.repeat(255)],
    ['an address', 'jo+x@example.com'],
  ])('may be %s', async (_name, key) => {
    const body = { email: colleague('kim') };
    const first = await assess(scene.live, body, key);
    const again = await assess(scene.live, body, key);
    expect([again.text, isReplay(again)]).toEqual([first.text, 'true']);
  });

  it.each<[string, string | readonly string[]]>([
    ['empty', ''],
    ['256 characters', 'k'.repeat(256)],
    ['with a space', 'a b'],
    ['with a tab', 'a\tb'],
    ['beyond ASCII', 'caf\u00e9'],
    ['sent twice', ['a', 'b']],
  ])('is refused when it is %s', async (_name, key) => {
    const before = await used(scene.live);
    expect(problemOf(await assess(scene.live, { email: colleague('lea') }, key))).toEqual(REFUSED);
    const body = { request_id: 'req_01k0q8y5m9x3w7v2n4b6c8d0zz', outcome: 'false_positive' };
    expect(problemOf(await post(scene.live, '/v1/feedback', body, key))).toEqual(REFUSED);
    expect(await used(scene.live)).toBe(before);
  });

  it('is never stored in the clear', async () => {
    const key = 'clear-text-of-a-key@example.com';
    await assess(scene.live, { email: colleague('max') }, key);
    for (const bytes of await everythingStored(scene.installation)) expect(bytes.includes(key)).toBe(false);
  });
});

it('is remembered after a restart', async () => {
  const body = { email: colleague('zoe') };
  const first = await assess(scene.live, body, 'zoe');
  await scene.service.stop();
  const service = await scene.installation.start();
  const client = createClient(service.url, scene.account.live);
  const again = await assess(client, body, 'zoe');
  client.close();
  expect([again.text, isReplay(again)]).toEqual([first.text, 'true']);
});
