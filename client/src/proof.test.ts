import { expect, it, vi } from 'vitest';
import { ConnectionError, InvalidRequestError, ServerError } from './errors.ts';
import type { FetchInit } from './exchange.ts';
import { Gatehouse } from './gatehouse.ts';

const ID = 'req_01k0q8y5m9x3w7v2n4b6c8d0eg';
const OTHER_ID = 'req_01k0q8y5m9x3w7v2n4b6c8d0eh';
const RETURN_URL = 'https://app.example/proved';
const PAGE = 'https://gate.example/challenge/#gcw.1';

/** A client of a service with one challenge, whose result is told once. */
function scene(key = 'sk_test_0123456789abcdef') {
  const challenge = { status: 'pending', redeemer: '', code: '', messages: [] as Record<string, unknown>[] };
  const refuse = (code: string, status: number) =>
    Response.json({ error: { code, message: `It is ${code}.` } }, { status });
  const fetch = async (_url: string, { body, headers }: Pick<FetchInit, 'body' | 'headers'>) => {
    const message = JSON.parse(body ?? '') as Record<string, unknown>;
    challenge.messages.push(message);
    if (challenge.code !== '') return refuse(challenge.code, challenge.code === 'internal_error' ? 500 : 400);
    const redeemer = headers['idempotency-key'] ?? '';
    if (message.outcome !== undefined) challenge.redeemer ||= redeemer;
    if (message.outcome !== undefined && challenge.redeemer !== redeemer)
      return refuse('challenge_redeemed', 409);
    const proof =
      message.proof && challenge.status === 'pending' ? { challenge: '{}', page: PAGE } : undefined;
    const expires = new Date(Date.now() + 600_000).toISOString();
    return Response.json({ request_id: ID, status: challenge.status, expires_at: expires, proof });
  };
  const client = new Gatehouse({ key, url: 'https://gate.example', fetch, maxRetries: 0 });
  return { client, challenge };
}

const begin = ({ client }: ReturnType<typeof scene>, state?: string, requestId = ID) =>
  client.beginProof({ requestId, returnUrl: RETURN_URL, state });
const withCookie = (value: string) => new Headers({ cookie: `theme=dark; gatehouse_proof=${value}; a=b` });

it('sends the browser to the page of Gatehouse, with a cookie for both kinds of framework', async () => {
  const { page, cookie, setCookie } = await begin(scene(), 'jo@example.com');
  expect(page).toBe(PAGE);
  expect(cookie).toMatchObject({ path: '/', httpOnly: true, sameSite: 'lax', secure: true });
  expect(cookie.maxAge).toBeGreaterThan(500);
  expect(cookie.maxAge).toBeLessThanOrEqual(600);
  expect(setCookie).toBe(
    `gatehouse_proof=${cookie.value}; Path=/; Max-Age=${cookie.maxAge}; HttpOnly; SameSite=Lax; Secure`,
  );
  // Frameworks encode a value that they set: nothing in it changes by that.
  expect(encodeURIComponent(cookie.value)).toBe(cookie.value);
});

it('writes no secure cookie for a page that is not secure, such as in development', async () => {
  const returnUrl = 'http://127.0.0.1:3000/proved';
  const { cookie, setCookie } = await scene().client.beginProof({ requestId: ID, returnUrl });
  expect(cookie.secure).toBe(false);
  expect(setCookie).not.toContain('Secure');
});

it('gives the signup with its state once, after the proof alone', async () => {
  const service = scene();
  const state = 'jožo+🐎@example.com';
  const { cookie } = await begin(service, state);
  const end = () => service.client.endProof(withCookie(cookie.value));
  expect(await end()).toBeNull();
  expect(service.challenge.redeemer).toBe('');
  service.challenge.status = 'passed';
  expect(await end()).toEqual({ requestId: ID, state });
  expect(await end()).toBeNull();
});

it('accepts no cookie after its challenge has expired, though a browser may keep it', async () => {
  vi.useFakeTimers();
  try {
    const service = scene();
    const { cookie } = await begin(service);
    service.challenge.status = 'passed';
    vi.advanceTimersByTime((cookie.maxAge + 1) * 1000);
    expect(await service.client.endProof(withCookie(cookie.value))).toBeNull();
    const later = String(Math.floor(Date.now() / 1000) + 9999);
    const extended = cookie.value.replace(/^([^.]+)\.\d+/, `$1.${later}`);
    expect(await service.client.endProof(withCookie(extended))).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

it('reads the cookie in every form of a request', async () => {
  for (const form of [
    (cookie: string) => new Request('https://app.example/', { headers: { cookie } }),
    (cookie: string) => ({ headers: { Cookie: cookie } }),
    (cookie: string) => ({
      headers: [
        ['cookie', 'a=b'],
        ['cookie', cookie],
      ] as const,
    }),
  ]) {
    const service = scene();
    const { cookie } = await begin(service);
    service.challenge.status = 'passed';
    const request = form(`gatehouse_proof=${cookie.value}`);
    expect(await service.client.endProof(request)).toEqual({ requestId: ID, state: '' });
  }
});

it('accepts no cookie that was changed, invented, or signed with another key', async () => {
  const service = scene();
  const { cookie } = await begin(service, 'jo@example.com');
  const another = await begin(scene('sk_test_another0123456789'), 'jo@example.com');
  const stranger = await begin(service, 'eve@example.com');
  service.challenge.status = 'passed';
  service.challenge.messages.length = 0;
  const [id = '', expires = '', state = '', mac = ''] = cookie.value.split('.');
  for (const value of [
    `${OTHER_ID}.${expires}.${state}.${mac}`,
    `${id}.${expires}.${stranger.cookie.value.split('.')[2]}.${mac}`,
    `${id}.${expires}..${mac}`,
    `${id}.${expires}.${state}.${'0'.repeat(64)}`,
    `${id}.${expires}.${state}.`,
    id,
    '',
    another.cookie.value,
  ])
    expect(await service.client.endProof(withCookie(value)), value).toBeNull();
  expect(await service.client.endProof(new Headers())).toBeNull();
  // Nobody's challenge is touched for them.
  expect(service.challenge.messages).toEqual([]);
});

it('finds its cookie beside a forged one of the same name', async () => {
  const service = scene();
  const { cookie } = await begin(service);
  service.challenge.status = 'passed';
  const forged = `${OTHER_ID}.9999999999..${'0'.repeat(64)}; gatehouse_proof=${cookie.value}`;
  expect(await service.client.endProof(withCookie(forged))).toEqual({ requestId: ID, state: '' });
});

it('answers null where the challenge has ended, and throws where Gatehouse does not answer', async () => {
  const service = scene();
  const { cookie } = await begin(service);
  for (const code of ['challenge_expired', 'challenge_invalid', 'challenge_redeemed']) {
    service.challenge.code = code;
    expect(await service.client.endProof(withCookie(cookie.value))).toBeNull();
  }
  service.challenge.code = 'internal_error';
  await expect(service.client.endProof(withCookie(cookie.value))).rejects.toBeInstanceOf(ServerError);
  const fetch = vi.fn(async () => Promise.reject(new TypeError('fetch failed')));
  const options = { key: 'sk_test_0123456789abcdef', url: 'https://gate.example', fetch, maxRetries: 0 };
  const ended = new Gatehouse(options).endProof(withCookie(cookie.value));
  await expect(ended).rejects.toBeInstanceOf(ConnectionError);
});

it('gives nobody a cookie for a challenge that somebody has passed', async () => {
  const service = scene();
  service.challenge.status = 'passed';
  await expect(begin(service)).rejects.toMatchObject({ code: 'challenge_redeemed' });
});

it('refuses a signup without a verdict, and a state that no cookie can carry', async () => {
  const { client } = scene();
  for (const requestId of [undefined, ''])
    await expect(client.beginProof({ requestId, returnUrl: RETURN_URL })).rejects.toMatchObject({
      code: 'missing_field',
      param: 'request_id',
    });
  await expect(begin(scene(), 'x'.repeat(501))).rejects.toBeInstanceOf(InvalidRequestError);
  const { setCookie } = await begin(scene(), '語'.repeat(500));
  expect(setCookie.length).toBeLessThan(4096);
});
