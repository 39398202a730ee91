/** POST /v1/assess: every refusal, and the order in which a request is checked. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../support/client.ts';
import { meterOf, problemOf, until } from '../support/expectations.ts';
import { type Planted, plant, plantKey } from '../support/plant.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';

const BODY_LIMIT = 64 * 1024;
/** How much an account on the free plan may send in any five seconds. */
const FREE_BURST = 15;

let scene: Scene;
/** Each of these meets its limit in one test. */
let slow: { readonly [Use in 'rated' | 'invalid' | 'revoked']: Planted };
let capped: Planted;
let revoked: string;
beforeAll(async () => {
  scene = await startScene({
    async prepare(installation) {
      const free = () => plant(installation, { plan: 'free' });
      slow = { rated: await free(), invalid: await free(), revoked: await free() };
      capped = await plant(installation, { plan: 'starter', monthlyQuota: 1 });
      revoked = await plantKey(installation, slow.revoked.id, 'live', { revokedAt: Date.now() });
    },
  });
});
afterAll(() => scene?.end());

describe('400', () => {
  const MISSING_EMAIL = { status: 400, code: 'missing_field', param: 'email' };

  it.each([
    ['an array', [{ email: 'jo@example.com' }]],
    ['a string', '"jo@example.com"'],
    ['null', 'null'],
    ['an empty object', {}],
    ['a null email', { email: null }],
    ['an empty email', { email: '' }],
    ['a blank email', { email: ' \t\n' }],
  ])('missing_field of email for %s', async (_name, body) => {
    expect(problemOf(await scene.live.assess(body))).toEqual(MISSING_EMAIL);
  });

  it.each([
    ['no body at all', undefined],
    ['an empty body', ''],
    ['a form', 'email=jo%40example.com'],
    ['text that is not JSON', 'email=jo@example.com'],
    ['half an object', '{"email":"jo@example.com"'],
    [
      'a multipart form',
      '--x\r\nContent-Disposition: form-data; name="email"\r\n\r\njo@example.com\r\n--x--',
    ],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ])(
    'missing_field of nothing for %s: it is a fault of the program, not of the address',
    async (_name, body) => {
      for (const answer of [
        await scene.live.assess(body),
        await scene.live.send({ method: 'POST', path: '/v1/feedback', body }),
        await scene.live.send({ method: 'POST', path: '/v1/challenges', body }),
      ]) {
        expect(problemOf(answer)).toEqual({ status: 400, code: 'missing_field' });
        expect(answer.text).toContain('The body is not JSON.');
      }
    },
  );

  it.each(
    [
      12,
      true,
      {},
      [],
      ['jo@example.com'],
      'jo',
      'jo@',
      '@example.com',
      'jo@localhost',
      'jo@example',
      'jo@example.c',
      'jo@example.123',
      'jo@@example.com',
      'jo@a@example.com',
      'jo@.example.com',
      'jo@example..com',
      'jo@example.com.',
      'jo@-example.com',
      'jo@exa_mple.com',
      'jo@[192.0.2.1]',
      'jo@192.0.2.1',
      '"jo"@example.com',
      'jo doe@example.com',
      'jo\u0000@example.com',
      'jo\u0007@example.com',
      'jo@exam\u0000ple.com',
      'jo\ud800@example.com',
      'Jo <jo@example.com>',
      'jo@example.com,al@example.com',
      `${'a'.repeat(243)}@example.com`,
      `jo@${'a'.repeat(64)}.com`,
      'jo@xn--.com',
    ].map((email) => ({ email })),
  )('invalid_email for $email', async ({ email }) => {
    expect(problemOf(await scene.live.assess({ email }))).toEqual({
      status: 400,
      code: 'invalid_email',
      param: 'email',
    });
  });

  it.each(
    [
      7,
      true,
      {},
      [],
      ['1.2.3.4'],
      '1.2.3',
      '10.1',
      '256.1.1.1',
      '1.2.3.4.5',
      '010.0.0.1',
      '1.2.3.04',
      '0x7f.0.0.1',
      '0x7f000001',
      '2130706433',
      '1.2.3.4/24',
      '1.2.3.4:80',
      '[::1]',
      'fe80::1%eth0',
      '1::2::3',
      ':::',
      '12345::',
      '::ffff:1.2.3',
      'example.com',
      'localhost..',
      'my.localhost',
      '1.2.3.4 5.6.7.8',
      '１.2.3.4',
      'null',
    ].map((ip) => ({ ip })),
  )('invalid_ip for $ip', async ({ ip }) => {
    expect(problemOf(await scene.live.assess({ email: colleague('jo'), ip }))).toEqual({
      status: 400,
      code: 'invalid_ip',
      param: 'ip',
    });
  });

  it.each([1, false, {}, []].map((session_id) => ({ session_id })))(
    'missing_field of session_id for $session_id',
    async ({ session_id }) => {
      expect(problemOf(await scene.live.assess({ email: colleague('jo'), session_id }))).toEqual({
        status: 400,
        code: 'missing_field',
        param: 'session_id',
      });
    },
  );

  it.each(
    [1, true, {}, ['admin'], '', ' ', 'Admin', 'admin ', 'system'].map((brought_by) => ({ brought_by })),
  )('missing_field of brought_by for $brought_by', async ({ brought_by }) => {
    const answer = await scene.live.assess({ email: colleague('jo'), brought_by });
    expect(problemOf(answer)).toEqual({ status: 400, code: 'missing_field', param: 'brought_by' });
    expect(answer.text).toContain('Send `admin` or `member` or `directory`.');
  });

  it.each(['admin', 'member', 'directory', null, undefined])(
    'none for brought_by %s, in live mode and in the sandbox',
    async (brought_by) => {
      for (const client of [scene.live, scene.sandbox])
        expect((await client.assess({ email: colleague('jo'), brought_by })).status).toBe(200);
    },
  );
});

describe('401', () => {
  it.each([
    ['no header', {}],
    ['another scheme', { authorization: 'Basic c2tfbGl2ZV86' }],
    ['an empty key', { authorization: 'Bearer ' }],
    ['no scheme', { authorization: `sk_live_${'a'.repeat(32)}` }],
    ['a key that was never made', { authorization: `Bearer sk_live_${'a'.repeat(32)}` }],
    ['a key that is no key', { authorization: 'Bearer hello' }],
  ])('unauthorized with %s', async (_name, headers) => {
    const answer = await scene.live.send({
      method: 'POST',
      path: '/v1/assess',
      key: null,
      headers,
      body: { email: 'allow@example.com' },
    });
    expect(problemOf(answer)).toEqual({ status: 401, code: 'unauthorized' });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it('token_revoked with a revoked key', async () => {
    const answer = await scene.live.assess({ email: 'allow@example.com' }, revoked);
    expect(problemOf(answer)).toEqual({ status: 401, code: 'token_revoked' });
  });
});

describe('404 and 405', () => {
  it.each(['/v1', '/v1/assessments', '/v1/assess/a/b', '/V1/assess'])('not_found at %s', async (path) => {
    expect(problemOf(await scene.live.send({ path }))).toEqual({ status: 404, code: 'not_found' });
  });

  it.each([
    ['POST', '/v1/assess/'],
    ['DELETE', '/v1/assess/'],
    ['POST', '/v1/feedback/'],
    ['GET', '/v1/usage/'],
  ])('not_found for %s %s: an operation has no trailing slash', async (method, path) => {
    const answer = await scene.live.send({ method, path });
    expect(problemOf(answer)).toEqual({ status: 404, code: 'not_found' });
    expect(answer.headers.allow).toBeUndefined();
  });

  it.each([
    ['GET', '/v1/assess', 'POST'],
    ['PUT', '/v1/assess', 'POST'],
    ['DELETE', '/v1/assess', 'POST'],
    ['POST', '/v1/usage', 'GET'],
    ['GET', '/v1/feedback', 'POST'],
    ['POST', '/v1/assess/req_1', 'GET'],
  ])('method_not_allowed for %s %s, naming %s in Allow', async (method, path, allowed) => {
    const answer = await scene.live.send({ method, path });
    expect(problemOf(answer)).toEqual({ status: 405, code: 'method_not_allowed' });
    expect(String(answer.headers.allow).split(', ')).toContain(allowed);
  });
});

describe('413', () => {
  const padded = (bytes: number) => {
    const bare = '{"email":"allow@example.com","padding":""}';
    return bare.replace('""', `"${'x'.repeat(bytes - bare.length)}"`);
  };

  it('payload_too_large from the first byte above 64 KiB on', async () => {
    expect((await scene.sandbox.assess(padded(BODY_LIMIT))).status).toBe(200);
    const refused = await scene.sandbox.assess(padded(BODY_LIMIT + 1));
    expect(problemOf(refused)).toEqual({ status: 413, code: 'payload_too_large' });
  });

  it('payload_too_large also when the length is not announced', async () => {
    const answer = await scene.sandbox.send({
      method: 'POST',
      path: '/v1/assess',
      headers: { 'transfer-encoding': 'chunked' },
      body: padded(BODY_LIMIT + 1),
    });
    expect(problemOf(answer)).toEqual({ status: 413, code: 'payload_too_large' });
  });
});

describe('429', () => {
  it('rate_limit beyond the burst, with headers and a Retry-After that fit the window', async () => {
    const client = scene.live.as(slow.rated.live);
    const answers = await Promise.all(
      Array.from({ length: FREE_BURST }, () => client.assess({ email: colleague('rate') })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const refused = await client.assess({ email: colleague('rate') });
    expect(problemOf(refused)).toEqual({ status: 429, code: 'rate_limit' });
    const meter = meterOf(refused);
    expect(meter).toMatchObject({ limit: 1, remaining: 0, used: FREE_BURST, quota: 1_000 });
    const seconds = Number(refused.headers['retry-after']);
    expect(Number.isInteger(seconds)).toBe(true);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(5);
    expect(Math.abs(meter.reset - (Date.now() / 1000 + seconds))).toBeLessThanOrEqual(2);
    client.close();
  });

  it('quota_exceeded at the monthly cap, with headers and a Retry-After that leads to the next month', async () => {
    const client = scene.live.as(capped.live);
    expect((await client.assess({ email: colleague('cap') })).status).toBe(200);
    const refused = await client.assess({ email: colleague('cap') });
    expect(problemOf(refused)).toEqual({ status: 429, code: 'quota_exceeded' });
    expect(meterOf(refused)).toMatchObject({ limit: 10, used: 1, quota: 1 });
    const { reset_at } = (await client.usage()).json;
    const secondsLeft = (Date.parse(reset_at) - Date.now()) / 1000;
    expect(Math.abs(Number(refused.headers['retry-after']) - secondsLeft)).toBeLessThanOrEqual(5);
    client.close();
  });
});

describe('the order of checks', () => {
  const oversized = `{"email":"${'x'.repeat(BODY_LIMIT)}"}`;

  it('authenticates before it reads the body', async () => {
    for (const body of [undefined, '{', { email: 'nobody' }, oversized]) {
      expect(problemOf(await scene.live.assess(body, null)).code).toBe('unauthorized');
    }
  });

  it('limits the rate before it looks at the body; invalid requests count for the rate limit, but are not charged', async () => {
    const client = scene.live.as(slow.invalid.live);
    const bad = [undefined, '{', { email: 'nobody' }, { email: colleague('jo'), ip: '1.2.3' }, oversized];
    const answers = await Promise.all(
      Array.from({ length: FREE_BURST }, (_, index) => client.assess(bad[index % bad.length])),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 413]));
    for (const body of [...bad, { email: colleague('jo') }]) {
      expect(problemOf(await client.assess(body)).code).toBe('rate_limit');
    }
    expect((await client.usage()).json.assessments_used).toBe(0);
    client.close();
  });

  it('never counts a call with a wrong or a revoked key', async () => {
    const wrong = createClient(scene.service.url, `${slow.revoked.live.slice(0, -1)}_`);
    const dead = createClient(scene.service.url, revoked);
    const body = { email: colleague('revoked') };
    for (let count = 0; count < FREE_BURST; count += 1) {
      expect(problemOf(await wrong.assess(body)).code).toBe('unauthorized');
      expect(problemOf(await dead.assess(body)).code).toBe('token_revoked');
    }
    const answer = await scene.live.assess(body, slow.revoked.live);
    expect(answer.status).toBe(200);
    expect(meterOf(answer).used).toBe(1);
    expect(answer.json.signals.velocity.email_domain_1h).toBe(1);
    wrong.close();
    dead.close();
  });

  it('validates before it looks at the quota', async () => {
    const client = scene.live.as(capped.live);
    await until(async () => (await client.assess({ email: colleague('cap') })).status === 429);
    expect(problemOf(await client.assess({ email: 'nobody' })).code).toBe('invalid_email');
    expect(problemOf(await client.assess({ email: colleague('jo') })).code).toBe('quota_exceeded');
    client.close();
  });
});
