/** Signing in and out: no leak of who has an account, who is throttled after failures, the second factor, and requests from other sites. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authenticatorCode, type Browser, claimOperator, openBrowser, PASSWORD } from '../support/browser.ts';
import { cpuMilliseconds, until } from '../support/expectations.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

const EMAIL = 'operator@example.com';
const SIGN_IN = '/dashboard/auth/sign-in/email';
const refusal = ({ status, json }: { status: number; json: unknown }) => [
  status,
  (json as Refused).error.code,
];
interface Refused {
  readonly error: { readonly code: string; readonly param?: string };
}

let installation: Installation;
let service: Service;
let operator: Browser;
beforeAll(async () => {
  installation = await createInstallation({ GATEHOUSE_TRUST_PROXY: 'on' });
  service = await installation.start();
  operator = await claimOperator(service);
});
afterAll(() => installation?.remove());

/** Few at once, because the queue for password hashes is short. */
function inTurn<T>(count: number, step: (at: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => step(at)));
}

/** The cookie that identifies a known device. */
function deviceOf({ cookies }: Browser): string | undefined {
  return [...cookies].find(([name]) => name.startsWith('gatehouse.device_'))?.[1].split('.')[0];
}

const actions = () =>
  withStored(installation, async (store) =>
    (await store.auditEntries(null, null, 200)).entries.map(({ by, action }) => `${by} ${action}`),
  );

describe('a session', () => {
  it('is a cookie that scripts and other sites cannot read, and ends at the sign-out', async () => {
    const browser = openBrowser(service.url);
    expect(refusal(await browser.session())).toEqual([401, 'signed_out']);
    const answer = await browser.signIn(EMAIL, PASSWORD);
    expect(answer.status).toBe(200);
    const [cookie] = answer.headers['set-cookie'] as [string];
    expect(cookie).toMatch(/^gatehouse\.session_token=[^;]{40,};/);
    for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/dashboard'])
      expect(cookie).toContain(attribute);
    expect(cookie).not.toMatch(/Secure/i);
    expect(answer.text).not.toContain(
      decodeURIComponent(browser.cookies.get('gatehouse.session_token') as string).split('.')[0],
    );
    const session = await browser.session();
    expect([session.status, session.json.user.email]).toEqual([200, EMAIL]);
    expect(session.headers['cache-control']).toBe('no-store');
    const earlierCookies = new Map(browser.cookies);
    expect((await browser.send('POST', '/dashboard/auth/sign-out')).status).toBe(200);
    expect([...browser.cookies.keys()].join()).toMatch(/^gatehouse\.device_[\w-]{12}$/);
    for (const [name, value] of earlierCookies) browser.cookies.set(name, value);
    expect((await browser.session()).status).toBe(401);
    await until(async () => (await actions()).includes(`${EMAIL} sign_out`));
    expect(await actions()).toEqual(expect.arrayContaining([`${EMAIL} sign_in`, `${EMAIL} operator_made`]));
  });

  it('is for https only when it was created over https', async () => {
    const answer = await openBrowser(service.url).send(
      'POST',
      SIGN_IN,
      { email: EMAIL, password: PASSWORD },
      {
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'gate.example.com',
        origin: 'https://gate.example.com',
      },
    );
    expect(answer.status).toBe(200);
    const cookies = answer.headers['set-cookie'] ?? [];
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) expect(cookie).toMatch(/^__Host-gatehouse\..*; Path=\/; .*; Secure$/);
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
    const value = (cookies.find((cookie) => cookie.includes('session_token')) as string).split(/[=;]/, 2)[1];
    const ask = async (name: string, headers: Record<string, string>) => {
      const cookie = `${name}=${value}`;
      const path = '/dashboard/api/session';
      return (await openBrowser(service.url).send('GET', path, undefined, { ...headers, cookie })).status;
    };
    const https = { 'x-forwarded-proto': 'https' };
    expect(await ask('__Host-gatehouse.session_token', https)).toBe(200);
    // A neighbouring host or plain http can set this one.
    expect(await ask('gatehouse.session_token', https)).toBe(401);
    expect(await ask('__Host-gatehouse.session_token', {})).toBe(401);
  });

  it('does not require https if there is none', async () => {
    const { headers } = await openBrowser(service.url).send('GET', '/sign-in', undefined, {
      accept: 'text/html',
    });
    expect(headers['strict-transport-security']).toBeUndefined();
  });

  it('cannot be forged', async () => {
    const browser = openBrowser(service.url);
    const token = operator.cookies.get('gatehouse.session_token') as string;
    for (const forged of ['', 'x', 'x.y', `${token.slice(0, -8)}AAAAAAA%3D`, token.split('.')[0] as string]) {
      browser.cookies.set('gatehouse.session_token', forged);
      expect((await browser.session()).status, forged).toBe(401);
    }
  });
});

describe('a failed sign-in', () => {
  it('is the same whether the user exists or not, also in the work it takes', async () => {
    const browser = openBrowser(service.url);
    const work: Record<string, number[]> = { known: [], unknown: [] };
    const texts = new Set<string>();
    for (let round = 0; round < 9; round += 1) {
      for (const [kind, email] of [
        ['known', EMAIL],
        ['unknown', `nobody${round}@example.com`],
      ] as const) {
        const took = await cpuMilliseconds(service.url, async () => {
          const { status, text, headers } = await browser.signIn(email, 'not the password');
          const { date: _date, 'x-request-id': _id, ...same } = headers;
          texts.add(JSON.stringify([status, text, same]));
        });
        work[kind]?.push(took);
      }
    }
    expect([...texts]).toHaveLength(1);
    const median = (all: number[] = []) => all.toSorted((a, b) => a - b)[4] as number;
    const ratio = median(work.known) / median(work.unknown);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
    await until(async () => (await actions()).includes(`${EMAIL} sign_in_failed`));
    expect((await actions()).join()).not.toContain('nobody');
  });

  it('slows only its network, but not the operator elsewhere, at a known device, or signed in', async () => {
    const attacker = { 'x-forwarded-for': '2001:db8:7:7::1' };
    const guess = (headers: Record<string, string>) => {
      const browser = openBrowser(service.url);
      return browser.send('POST', SIGN_IN, { email: EMAIL, password: 'not the password' }, headers);
    };
    const away = (from: number) =>
      inTurn(10, (at) => guess({ 'x-forwarded-for': `198.51.100.${from + at}` }));
    const scattered = [];
    for (let from = 0; from < 100; from += 10) scattered.push(...(await away(from)));
    expect(new Set(scattered.map(({ status }) => status))).toEqual(new Set([401]));

    const near = await inTurn(20, (at) => guess({ 'x-forwarded-for': `2001:db8:7:7::${at + 1}` }));
    const refused = near.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThanOrEqual(10);
    expect(near.filter(({ status }) => status === 401)).toHaveLength(20 - refused.length);
    expect(refused[0]?.json).toMatchObject({ error: { code: 'too_many_attempts' } });
    expect(Number(refused[0]?.headers['retry-after'])).toBeLessThanOrEqual(60);

    const right = { email: EMAIL, password: PASSWORD };
    const clean = { 'x-forwarded-for': '203.0.113.9' };
    expect((await openBrowser(service.url).send('POST', SIGN_IN, right, clean)).status).toBe(200);
    const known = openBrowser(service.url);
    await known.send('POST', SIGN_IN, right, clean);
    known.cookies.delete('gatehouse.session_token');
    expect((await known.send('POST', SIGN_IN, right, attacker)).status).toBe(200);
    const enable = '/dashboard/auth/two-factor/enable';
    expect((await known.send('POST', enable, { password: PASSWORD }, attacker)).status).toBe(200);
  });

  it('does not queue without limit: some get a time to try again, and a known device can still sign in', async () => {
    const known = openBrowser(service.url);
    await known.signIn(EMAIL, PASSWORD);
    known.cookies.delete('gatehouse.session_token');
    const flood = Array.from({ length: 80 }, (_, at) =>
      openBrowser(service.url).send(
        'POST',
        SIGN_IN,
        { email: 'nobody@example.com', password: 'wrong' },
        { 'x-forwarded-for': `198.51.100.${at}` },
      ),
    );
    const mine = await known.signIn(EMAIL, PASSWORD);
    const answers = await Promise.all(flood);
    expect(mine.status).toBe(200);
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThanOrEqual(57);
    expect(refused[0]?.headers['retry-after']).toBe('2');
    expect(refusal(refused[0] as (typeof refused)[0])).toEqual([503, 'unavailable']);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(80 - refused.length);
  });
});

describe('a request of another site', () => {
  const right = { email: EMAIL, password: PASSWORD };
  it.each([
    ['without the header of our pages', { 'x-gatehouse': '' }],
    ['from another origin', { origin: 'https://evil.example' }],
    ['from no origin', { origin: 'null' }],
    ['that the browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
  ])('%s changes nothing', async (_name, headers) => {
    const browser = openBrowser(service.url);
    expect(refusal(await browser.send('POST', SIGN_IN, right, headers))).toEqual([403, 'foreign_request']);
    const account = { name: 'forged', plan: 'pro' };
    const made = await operator.send('POST', '/dashboard/api/operator/accounts', account, headers);
    expect(refusal(made)).toEqual([403, 'foreign_request']);
    const { json } = await operator.send<{ name: string }[]>('GET', '/dashboard/api/operator/accounts');
    expect(json.map(({ name }) => name)).not.toContain('forged');
  });

  it('gets no answer that a browser would let it read', async () => {
    const answer = await operator.send('GET', '/dashboard/api/session', undefined, {
      origin: 'https://evil.example',
    });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    const asking = await operator.send('OPTIONS', '/dashboard/api/session', undefined, { 'x-gatehouse': '' });
    expect(asking.status).toBe(405);
  });
});

describe('an unused route of the sign-in library', () => {
  it.each([
    'sign-up/email',
    'get-session',
    'list-sessions',
    'update-user',
    'delete-user',
    'request-password-reset',
    'ok',
  ])('%s does not exist', async (path) => {
    const body = { email: 'm@example.com', password: PASSWORD, name: 'M' };
    expect(refusal(await operator.send('POST', `/dashboard/auth/${path}`, body))).toEqual([404, 'not_found']);
    expect((await operator.send('GET', `/dashboard/auth/${path}`)).status).toBe(404);
  });
});

describe('a person’s own sign-in', () => {
  it('has a second factor once it is confirmed, with codes that work once', async () => {
    const browser = openBrowser(service.url);
    await browser.signIn(EMAIL, PASSWORD);
    const wrong = await browser.send('POST', '/dashboard/auth/two-factor/enable', {
      password: 'not the password',
    });
    expect(refusal(wrong)).toEqual([400, 'invalid_value']);
    const { json } = await browser.send<{ totpURI: string; backupCodes: string[] }>(
      'POST',
      '/dashboard/auth/two-factor/enable',
      { password: PASSWORD },
    );
    expect((await browser.session()).json.user.two_factor).toBe(false);
    const verify = (with_: Browser, code: string) =>
      with_.send('POST', '/dashboard/auth/two-factor/verify-totp', { code });
    const code = authenticatorCode(json.totpURI, Date.now());
    expect((await verify(browser, code)).status).toBe(200);
    expect((await browser.session()).json.user.two_factor).toBe(true);

    const second = openBrowser(service.url);
    expect((await second.signIn(EMAIL, PASSWORD)).json.twoFactorRedirect).toBe(true);
    expect((await second.session()).status).toBe(401);
    const guessed = await verify(second, '000000');
    expect(refusal(guessed)).toEqual([400, 'invalid_value']);
    expect((await verify(second, code)).json).toMatchObject({ error: { param: 'code' } });
    expect((await second.session()).status).toBe(401);
    // The app's next code is accepted a little early, because clocks differ.
    const next = authenticatorCode(json.totpURI, Date.now() + 30_000);
    const rival = openBrowser(service.url);
    await rival.signIn(EMAIL, PASSWORD);
    const both = await Promise.all([second, rival].map((each) => verify(each, next)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    const [winner, loser] = both[0]?.status === 200 ? [second, rival] : [rival, second];
    expect([(await winner.session()).status, (await loser.session()).status]).toEqual([200, 401]);

    for (const expected of [200, 400]) {
      const third = openBrowser(service.url);
      await third.signIn(EMAIL, PASSWORD);
      const backup = { code: json.backupCodes[0] };
      const answer = await third.send('POST', '/dashboard/auth/two-factor/verify-backup-code', backup);
      expect(answer.status).toBe(expected);
    }
    const off = await winner.send('POST', '/dashboard/auth/two-factor/disable', { password: PASSWORD });
    expect(off.status).toBe(200);
    expect((await openBrowser(service.url).signIn(EMAIL, PASSWORD)).json.twoFactorRedirect).toBeUndefined();
    await until(async () => (await actions()).includes(`${EMAIL} two_factor_disabled`));
    expect(await actions()).toContain(`${EMAIL} two_factor_enabled`);
  });

  it('ends everywhere else when the password changes', async () => {
    const [here, there] = [openBrowser(service.url), openBrowser(service.url)];
    await here.signIn(EMAIL, PASSWORD);
    await there.signIn(EMAIL, PASSWORD);
    const change = (currentPassword: string, newPassword: string) =>
      here.send('POST', '/dashboard/auth/change-password', { currentPassword, newPassword });
    expect(refusal(await change('not the password', 'a new long password'))).toEqual([400, 'invalid_value']);
    expect((await change(PASSWORD, 'short')).json).toMatchObject({ error: { param: 'newPassword' } });
    expect((await change(PASSWORD, 'a new long password')).status).toBe(200);
    expect((await here.session()).status).toBe(200);
    expect((await there.session()).status).toBe(401);
    const device = deviceOf(there);
    expect((await there.signIn(EMAIL, PASSWORD)).status).toBe(401);
    expect((await there.signIn(EMAIL, 'a new long password')).status).toBe(200);
    const anotherDevice = deviceOf(there);
    expect([device, anotherDevice]).toEqual([expect.any(String), expect.not.stringContaining(`${device}`)]);
    expect((await there.signIn(EMAIL, 'a new long password')).status).toBe(200);
    expect(deviceOf(there)).toBe(anotherDevice);
    await until(async () => (await actions()).includes(`${EMAIL} password_changed`));
  });
});
