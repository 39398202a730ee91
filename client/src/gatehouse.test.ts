import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ConnectionError,
  GatehouseError,
  OptionsError,
  QuotaExceededError,
  ServerError,
  TimeoutError,
} from './errors.ts';
import type { FetchInit } from './exchange.ts';
import { Gatehouse } from './gatehouse.ts';
import type { GatehouseOptions } from './options.ts';

const KEY = 'sk_live_0123456789abcdef';
const PERSON = { email: 'Jo@example.com', ip: '203.0.113.7', session_id: 'visit-77' };
const problem = (code: string, status: number, headers: Record<string, string> = {}) =>
  Response.json({ error: { code, message: `It is ${code}.`, resolution: 'Wait.' } }, { status, headers });
const assessed = () => Response.json({ request_id: 'req_1', verdict: 'challenge' });
const lost = () => {
  throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:9') });
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A client whose requests are answered by `replies`, one after the other; the last one again and again. */
function scene(
  replies: ((init: FetchInit) => Response | Promise<Response>)[],
  options: Partial<GatehouseOptions> = {},
) {
  const sent: { url: string; init: FetchInit }[] = [];
  const fetch = async (url: string, init: FetchInit) => {
    sent.push({ url, init });
    return (replies[Math.min(sent.length, replies.length) - 1] as (typeof replies)[number])(init);
  };
  return { sent, client: new Gatehouse({ key: KEY, url: 'https://gate.example/base/', fetch, ...options }) };
}

/** As an undici `fetch` that nobody answers. */
const silent = ({ signal }: FetchInit) =>
  new Promise<Response>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

/** Lets all time pass that the call waits for. */
async function settle<T>(promise: Promise<T>): Promise<T | GatehouseError> {
  const settled = promise.catch((error: unknown) => {
    expect(error).toBeInstanceOf(GatehouseError);
    return error as GatehouseError;
  });
  await vi.runAllTimersAsync();
  return settled;
}

describe('a call', () => {
  it('sends the contract, and gives the body with what the headers say', async () => {
    const headers = {
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '29',
      'x-ratelimit-reset': '1790000000',
      'x-quota-used': '5',
      'x-quota-limit': '1000',
      'x-gatehouse-shadow': 'block',
      'idempotent-replayed': 'true',
    };
    const { client, sent } = scene([() => Response.json({ verdict: 'allow' }, { headers })]);
    const answer = await client.assess(PERSON, { idempotencyKey: 'mine' });
    expect(answer.meta).toEqual({
      rateLimit: { limit: 10, remaining: 29, resetAtSeconds: 1_790_000_000 },
      quota: { used: 5, limit: 1000 },
      replayed: true,
      shadowVerdict: 'block',
      tries: 1,
    });
    expect(JSON.stringify(answer)).toBe('{"verdict":"allow"}');
    expect(vi.getTimerCount()).toBe(0);
    expect(sent[0]?.url).toBe('https://gate.example/base/v1/assess');
    expect(sent[0]?.init).toMatchObject({ method: 'POST', redirect: 'manual' });
    expect(sent[0]?.init.headers).toEqual({
      authorization: `Bearer ${KEY}`,
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': 'mine',
    });
    expect(JSON.parse(sent[0]?.init.body ?? '')).toEqual(PERSON);
  });

  it('reads and reports at the other paths', async () => {
    const { client, sent } = scene([
      assessed,
      () => Response.json({ plan: 'pro' }),
      () => Response.json({ accepted: true }),
    ]);
    await client.getAssessment('req_1/../x');
    expect((await client.usage()).meta).toMatchObject({ rateLimit: null, quota: null });
    await client.feedback({ request_id: 'req_1', outcome: 'false_positive' });
    expect(sent.map(({ url, init }) => `${init.method} ${url.slice(25)}`)).toEqual([
      'GET /v1/assess/req_1%2F..%2Fx',
      'GET /v1/usage',
      'POST /v1/feedback',
    ]);
    await expect(client.getAssessment('')).rejects.toMatchObject({
      code: 'missing_field',
      param: 'request_id',
    });
  });

  it.each([
    ['the connection fails', lost],
    ['of an internal error', () => problem('internal_error', 500)],
    ['it is unavailable', () => problem('unavailable', 503)],
    ['a proxy has no upstream', () => new Response('<html>', { status: 502 })],
    ['a proxy waited too long', () => new Response('', { status: 504 })],
    ['of the rate limit', () => problem('rate_limit', 429)],
  ])('is sent again when %s, with the same key, at most twice', async (_case, failure) => {
    const { client, sent } = scene([failure, failure, assessed]);
    expect(await settle(client.assess(PERSON))).toMatchObject({ verdict: 'challenge', meta: { tries: 3 } });
    const keys = sent.map(({ init }) => init.headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    const other = scene([failure]);
    expect(
      await settle(other.client.feedback({ request_id: 'req_1', outcome: 'false_negative' })),
    ).toMatchObject({
      tries: 3,
    });
    expect(other.sent[0]?.init.headers['idempotency-key']).not.toBe(keys[0]);
  });

  it.each([
    ['quota_exceeded', 429],
    ['invalid_email', 400],
    ['token_revoked', 401],
    ['key_expired', 401],
    ['ip_not_allowed', 403],
    ['payload_too_large', 413],
    ['not_found', 404],
    ['request_timeout', 408],
  ])('is not sent again after %s', async (code, status) => {
    const { client, sent } = scene([() => problem(code, status, { 'retry-after': '0' })]);
    expect(await settle(client.assess(PERSON))).toMatchObject({ code, status, resolution: 'Wait.' });
    expect(sent).toHaveLength(1);
  });

  it('without an idempotency key is only sent again where it was refused', async () => {
    const once = scene([lost]);
    expect(await settle(once.client.assess(PERSON, { idempotencyKey: false }))).toBeInstanceOf(
      ConnectionError,
    );
    expect(once.sent).toHaveLength(1);
    expect(once.sent[0]?.init.headers).not.toHaveProperty('idempotency-key');
    const refused = scene([() => problem('rate_limit', 429), assessed]);
    expect(await settle(refused.client.assess(PERSON, { idempotencyKey: false }))).toHaveProperty('verdict');
  });

  it('waits as long as Retry-After says, where there is time', async () => {
    const { client, sent } = scene([() => problem('rate_limit', 429, { 'retry-after': '2' }), assessed]);
    const answer = client.assess(PERSON);
    await vi.advanceTimersByTimeAsync(1999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(101);
    expect(sent).toHaveLength(2);
    await answer;
    const late = scene([() => problem('unavailable', 503, { 'retry-after': '3' })]);
    expect(await settle(late.client.assess(PERSON))).toMatchObject({
      code: 'unavailable',
      retryAfterMs: 3000,
      tries: 1,
    });
  });

  it('ends after 3 s, tries and waits together', async () => {
    const { client, sent } = scene([lost, silent]);
    const answer = client.assess(PERSON).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(2999);
    expect(sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    const error = await answer;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: 'timeout', tries: 2, message: 'No answer within 3000 ms.' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends when the caller says so, also before it began', async () => {
    const { client, sent } = scene([silent]);
    const controller = new AbortController();
    const answer = client.usage({ signal: controller.signal });
    controller.abort();
    await expect(answer).rejects.toMatchObject({ code: 'aborted', tries: 1 });
    await expect(client.usage({ signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
      tries: 0,
    });
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['a page', () => new Response('<html>')],
    [
      'a redirect',
      () => new Response('', { status: 302, headers: { location: 'https://elsewhere.example' } }),
    ],
    ['another service', () => Response.json({ verdict: 'maybe' })],
    ['an error of another service', () => Response.json({ error: 'Not Found' }, { status: 404 })],
  ])('finds that %s is no answer', async (_case, reply) => {
    const { client, sent } = scene([reply]);
    expect(await settle(client.assess(PERSON))).toMatchObject({
      name: 'UnexpectedResponseError',
      code: 'unexpected_response',
    });
    expect(sent).toHaveLength(1);
  });
});

describe('the circuit breaker', () => {
  it('fails at once after five failed calls, and sends again after its time', async () => {
    let isDown = true;
    const { client, sent } = scene([() => (isDown ? lost() : assessed())], { maxRetries: 0 });
    for (let i = 0; i < 5; i += 1) await settle(client.assess(PERSON));
    await expect(client.assess(PERSON)).rejects.toMatchObject({
      code: 'circuit_open',
      retryAfterMs: expect.any(Number),
    });
    expect(sent).toHaveLength(5);
    isDown = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await client.assess(PERSON)).toMatchObject({ verdict: 'challenge' });
  });

  it.each([
    ['internal errors', () => problem('internal_error', 500)],
    ['what is no answer of Gatehouse', () => new Response('<html>', { status: 404 })],
  ])('counts %s', async (_case, reply) => {
    const { client } = scene([reply], { maxRetries: 0, breaker: { failures: 1 } });
    await settle(client.usage());
    await expect(client.usage()).rejects.toMatchObject({ code: 'circuit_open' });
  });

  it('does not count answers that the service gave, nor what the caller ended', async () => {
    const { client } = scene([() => problem('quota_exceeded', 429)], { breaker: { failures: 1 } });
    for (let i = 0; i < 3; i += 1)
      expect(await settle(client.assess(PERSON))).toBeInstanceOf(QuotaExceededError);
    const ended = scene([silent], { breaker: { failures: 1 } }).client;
    const signal = AbortSignal.abort();
    await expect(ended.usage({ signal })).rejects.toMatchObject({ code: 'aborted' });
    await expect(ended.usage({ signal })).rejects.toMatchObject({ code: 'aborted' });
  });

  it('can be turned off', async () => {
    const { client, sent } = scene([() => problem('internal_error', 500)], { breaker: false, maxRetries: 0 });
    for (let i = 0; i < 9; i += 1) expect(await settle(client.usage())).toBeInstanceOf(ServerError);
    expect(sent).toHaveLength(9);
  });
});

describe('what is logged', () => {
  const shown = (value: unknown) => [
    JSON.stringify(value),
    String(value),
    inspect(value, { showHidden: true, depth: 9 }),
  ];
  const secret = /0123456789abcdef|jo@example\.com|203\.0\.113\.7|visit-77/i;

  it('never shows the key of a client', () => {
    const { client } = scene([assessed]);
    for (const text of shown({ client })) expect(text).not.toMatch(secret);
    expect(inspect(client)).toContain('sk_live_[redacted]');
  });

  it('never shows what was sent, even if the failure does', async () => {
    const leak = () => {
      throw new Error(`invalid header "Bearer ${KEY}"`, { cause: new Error(`in ${JSON.stringify(PERSON)}`) });
    };
    const echo = () =>
      Response.json(
        {
          error: {
            code: 'invalid_email',
            message: `${PERSON.email} is odd`,
            param: PERSON.ip,
            resolution: PERSON.session_id,
          },
        },
        { status: 400 },
      );
    for (const reply of [leak, echo]) {
      const error = await settle(scene([reply]).client.assess(PERSON));
      expect(error).toBeInstanceOf(GatehouseError);
      for (const text of shown(error)) expect(text).not.toMatch(secret);
      expect(JSON.parse(JSON.stringify(error))).toMatchObject({
        name: expect.any(String),
        message: expect.stringContaining('[redacted]'),
      });
    }
  });
});

describe('the options', () => {
  it.each([
    [{ key: '' }],
    [{ key: undefined }],
    [{ key: 'sk_live_with space 0123456789abcdef' }],
    [{ key: 'another-0123456789abcdef' }],
    [{ url: 'gate.example' }],
    [{ url: 'ftp://gate.example' }],
    [{ url: 'https://jo:0123456789abcdef@gate.example' }],
    [{ url: 'https://gate.example?x=1' }],
    [{ timeoutMs: 0 }],
    [{ timeoutMs: Number.NaN }],
    [{ maxRetries: -1 }],
    [{ timeoutMs: 2 ** 31 }],
    [{ breaker: { failures: 0 } }],
    [{ breaker: { openMs: Number.NaN } }],
    [{ onFailure: 'block' }],
    [{ mode: 'dry-run' }],
    [{ trustedProxies: ['10.0.0.0/99'] }],
  ])('are refused with %j, without a secret in the message', (options) => {
    let error: unknown;
    try {
      scene([assessed], options as Partial<GatehouseOptions>);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(OptionsError);
    expect(inspect(error)).not.toContain('0123456789abcdef');
  });

  it('take a key with a line break after it, as files have', async () => {
    const { client, sent } = scene([() => Response.json({ plan: 'pro' })], { key: `${KEY}\n` });
    await client.usage();
    expect(sent[0]?.init.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('of protection apply to each signup, unless it says otherwise', async () => {
    const { client } = scene([lost], {
      maxRetries: 0,
      onFailure: 'challenge',
      onError: () => {},
      trustedProxies: 'fly',
    });
    const request = new Request('https://app.example', { headers: { 'fly-client-ip': '203.0.113.9' } });
    const { email } = PERSON;
    expect(await client.protectSignup(request, { email })).toMatchObject({
      decision: 'challenge',
      ip: '203.0.113.9',
    });
    expect(
      await client.protectSignup(request, { email, onFailure: 'allow', trustedProxies: 1 }),
    ).toMatchObject({
      decision: 'allow',
      failedOpen: true,
      ip: null,
    });
  });

  it('hint at a missing trustedProxies once', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { client } = scene([assessed]);
    const request = new Request('https://app.example', { headers: { 'x-forwarded-for': '203.0.113.9' } });
    for (let i = 0; i < 3; i += 1) await client.protectSignup(request, { email: PERSON.email });
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('without onError leave a line on the console', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { client } = scene([lost], { maxRetries: 0 });
    await client.protectSignup(new Headers(), { email: PERSON.email });
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^gatehouse: no verdict for a signup: connection_failed: /)],
    ]);
  });
});

describe('the idempotency key of a protected signup', () => {
  const ip = '203.0.113.7';
  const keysOf = async (inputs: readonly object[], options: Partial<GatehouseOptions> = {}, waitMs = 0) => {
    const { client, sent } = scene([assessed], options);
    for (const input of inputs) {
      await settle(client.protectSignup({ headers: {} }, { email: 'jo@example.com', ip, ...input }));
      vi.setSystemTime(Date.now() + waitMs);
    }
    return sent.map(({ init }) => init.headers['idempotency-key']);
  };
  const START = Date.UTC(2026, 4, 10, 10, 0, 1);
  beforeEach(() => {
    vi.setSystemTime(START);
  });

  it('is the same for a form that is sent again within minutes, and says nothing about the person', async () => {
    const keys = await keysOf([{}, {}, {}], {}, 120_000);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^form-[0-9a-f]{64}$/);
    expect(await keysOf([{}])).toEqual([keys[0]]);
  });

  it('is another one later', async () => {
    expect(new Set(await keysOf([{}, {}], {}, 600_000)).size).toBe(2);
  });

  it('is never that of another person, session, place or key', async () => {
    const others = [
      {},
      { email: 'mo@example.com' },
      { email: 'JO@example.com' },
      { ip: '203.0.113.8' },
      { ip: null },
      { sessionId: 's1' },
      { sessionId: 's2' },
      { broughtBy: 'admin' },
      { email: 'jo@example.com","203.0.113.7' },
    ];
    const keys = [...(await keysOf(others)), ...(await keysOf([{}], { key: 'sk_live_another' }))];
    expect(new Set(keys).size).toBe(others.length + 1);
  });

  it('is that of the application, where it has one', async () => {
    expect(await keysOf([{ idempotencyKey: 'mine' }])).toEqual(['mine']);
  });
});

describe('an error of a connection', () => {
  it('names the host of the service, also where the visitor has the same address', async () => {
    const { client } = scene(
      [
        () => {
          throw new TypeError('fetch failed', {
            cause: new Error('connect ECONNREFUSED 127.0.0.1:9 for jo@example.com at 127.0.0.1'),
          });
        },
      ],
      { url: 'http://127.0.0.1:9', maxRetries: 0 },
    );
    const error = await settle(client.assess({ email: 'jo@example.com', ip: '127.0.0.1' }));
    expect((error as GatehouseError).message).toBe(
      'fetch failed: connect ECONNREFUSED 127.0.0.1:9 for [redacted] at [redacted]',
    );
  });
});
