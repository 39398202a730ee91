/** Sign-in at a real OpenID provider: who gets in, with which roles, and what does not get anybody in. */
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Browser, claimOperator, join, openBrowser, PASSWORD, secretOf } from '../support/browser.ts';
import { begin, comeBack, freePort, signInAtProvider, visitProvider } from '../support/oidc-visit.ts';
import { CLIENT, type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

let installation: Installation;
let service: Service;
let provider: OpenIdProvider;
let operator: Browser;
let [account, other] = ['', ''];
let environment: Record<string, string>;

beforeAll(async () => {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  provider = await startOpenIdProvider([`${publicUrl}/dashboard/oidc/callback`]);
  installation = await createInstallation({ PORT: String(port) });
  account = (await plant(installation, { name: 'ours' })).id;
  other = (await plant(installation, { name: 'theirs' })).id;
  environment = {
    GATEHOUSE_PUBLIC_URL: publicUrl,
    GATEHOUSE_OIDC_ISSUER: provider.issuer,
    GATEHOUSE_OIDC_CLIENT_ID: CLIENT.id,
    GATEHOUSE_OIDC_CLIENT_SECRET: CLIENT.secret,
    GATEHOUSE_OIDC_ROLES: `leads=owner@${account}; fraud=analyst@${account}; cn=All,ou=Staff=member`,
    GATEHOUSE_OIDC_LABEL: 'Example ID',
  };
  service = await installation.start(environment);
  operator = await claimOperator(service);
}, 240_000);
beforeEach(() => {
  provider.forge = undefined;
});
afterAll(async () => {
  await installation?.remove();
  await provider?.close();
});

let people = 0;
/** Somebody new at the provider. */
function somebody(...groups: string[]) {
  people += 1;
  const [sub, email] = [`person-${people}`, `person-${people}@example.com`];
  return { sub, email, email_verified: true, name: `Person ${people}`, groups };
}

function visitor(): Browser {
  const browser = openBrowser(service.url);
  onTestFinished(() => browser.close());
  return browser;
}

/** Roles in our two accounts, or another one: every account gives some. */
async function rolesOf(email: string, ids = [account, other]): Promise<Record<string, string>> {
  return withStored(installation, async (store) => {
    const [user] = await store.usersOf(email);
    const memberships = await store.memberships({ userId: user?.id ?? 'none' });
    const shown = memberships.filter(({ accountId }) => ids.includes(accountId));
    return Object.fromEntries(shown.map(({ accountId, role }) => [accountId, role]));
  });
}

const auditOf = (accountId: string | null) =>
  withStored(installation, async (store) => (await store.auditEntries(accountId, null, 50)).entries);

describe('a person with a group', () => {
  it('gets a user, the roles of the groups and a session like every other', async () => {
    const person = somebody('fraud', 'cn=All,ou=Staff', 'unknown');
    provider.person = person;
    const browser = visitor();
    expect(await signInAtProvider(browser, { next: '/accounts?tab=1' })).toBe('/accounts?tab=1');
    const { json } = await browser.session();
    expect(json.user).toMatchObject({ email: person.email, name: person.name, operator: false });
    expect(await rolesOf(person.email)).toEqual({ [account]: 'analyst', [other]: 'member' });
    const sessions = await browser.send<{ sessions: unknown[] }>('GET', '/dashboard/api/sessions');
    expect(sessions.json.sessions).toHaveLength(1);
    // Without the header of our pages it changes nothing.
    const foreign = await browser.send('DELETE', '/dashboard/api/sessions', undefined, { 'x-gatehouse': '' });
    expect(foreign.status).toBe(403);
    await expect
      .poll(() => auditOf(account))
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            action: 'role_by_groups',
            target: person.email,
            detail: 'none → analyst',
          }),
          expect.objectContaining({ action: 'identity_connected', detail: person.sub }),
          expect.objectContaining({ action: 'sign_in', target: person.email }),
        ]),
      );
    const signedOut = await browser.send<{ provider_sign_out: string }>(
      'POST',
      '/dashboard/auth/sign-out',
      {},
    );
    expect(signedOut.json.provider_sign_out).toMatch(`${provider.issuer}/session/end?client_id=gatehouse`);
    expect((await browser.session()).status).toBe(401);
  });

  it('follows the groups at each sign-in: up, down, and out, which ends the sessions', async () => {
    const person = somebody('fraud');
    provider.person = person;
    const first = visitor();
    await signInAtProvider(first);
    provider.person = { ...person, groups: ['leads'] };
    await signInAtProvider(visitor());
    expect(await rolesOf(person.email)).toEqual({ [account]: 'owner' });
    expect((await first.session()).status).toBe(200);
    // The operator is an owner everywhere, but a member here: the account needs another owner.
    const second = await join(operator, service, { email: 'second@example.com', account, role: 'owner' });
    onTestFinished(() => second.close());
    provider.person = { ...person, groups: ['cn=All,ou=Staff'] };
    await signInAtProvider(visitor());
    expect(await rolesOf(person.email)).toEqual({ [account]: 'member', [other]: 'member' });
    expect((await first.session()).status).toBe(401);
    provider.person = { ...person, groups: [] };
    const last = visitor();
    expect(await signInAtProvider(last)).toBe('/sign-in?oidc=no_role&next=%2F');
    expect(await rolesOf(person.email)).toEqual({});
    expect((await last.session()).status).toBe(401);
    const details = (await auditOf(account))
      .filter(({ action, target }) => action === 'role_by_groups' && target === person.email)
      .map(({ detail }) => detail);
    expect(details).toEqual(['member → none', 'owner → member', 'analyst → owner', 'none → analyst']);
  });

  it('stays the only owner of an account', async () => {
    const { id } = await plant(installation, { name: 'lonely' });
    const person = somebody();
    await withStored(installation, async (store) => {
      await store.signInByIdentity({
        identity: { issuer: provider.issuer, subject: person.sub },
        userId: 'usr_lonely',
        isKnown: false,
        newUser: { email: person.email, name: 'Lo', verified: true, invitedBy: null, homeAccount: null },
        roles: [{ accountId: id, before: null, after: { role: 'owner', byGroups: true, handRole: null } }],
        endsSessions: false,
        now: Date.now(),
      });
    });
    provider.person = person;
    await expect.poll(() => signInAtProvider(visitor())).toBe('/');
    expect(await rolesOf(person.email, [id])).toEqual({ [id]: 'owner' });
  });

  it('keeps a role that people gave', async () => {
    const person = somebody('cn=All,ou=Staff');
    (await join(operator, service, { email: person.email, account, role: 'analyst' })).close();
    await withStored(installation, async (store) => {
      const [user] = await store.usersOf(person.email);
      await store.verifyUser(user?.id as string);
    });
    provider.person = person;
    await signInAtProvider(visitor());
    expect(await rolesOf(person.email)).toEqual({ [account]: 'analyst', [other]: 'member' });
    provider.person = { ...person, groups: [] };
    expect(await signInAtProvider(visitor())).toBe('/');
    expect(await rolesOf(person.email)).toEqual({ [account]: 'analyst' });
  });

  it('is refused where the provider sends groups only by reference', async () => {
    const { groups: _, ...person } = somebody();
    provider.person = { ...person, _claim_names: { groups: 'elsewhere' } };
    expect(await signInAtProvider(visitor())).toContain('oidc=groups_missing');
  });
});

describe('an address', () => {
  it('of an owner that the provider has not verified reaches nobody', async () => {
    provider.person = { ...somebody('leads'), email: 'operator@example.com', email_verified: false };
    expect(await signInAtProvider(visitor())).toContain('oidc=unverified_email');
    // A person whom nobody verified here is another user.
    (await join(operator, service, { email: 'owner@example.com', account, role: 'owner' })).close();
    for (const email_verified of [false, true]) {
      provider.person = { ...somebody('fraud'), email: 'owner@example.com', email_verified };
      const browser = visitor();
      await signInAtProvider(browser);
      const { json } = await browser.session();
      expect(json.accounts.map(({ role }) => role)).toEqual(['analyst']);
    }
  });

  it('that both verified connects, once; another person with it does not', async () => {
    const person = { ...somebody(), email: 'operator@example.com' };
    provider.person = person;
    const browser = visitor();
    expect(await signInAtProvider(browser)).toBe('/');
    expect((await browser.session()).json.user.operator).toBe(true);
    provider.person = { ...person, sub: 'somebody else' };
    expect(await signInAtProvider(visitor())).toContain('oidc=other_identity');
    await installation.json('user', 'disconnect', 'operator@example.com');
    expect((await browser.session()).status).toBe(401);
    operator = await signedInOperator();
    provider.person = { ...person, email_verified: false };
    expect(await signInAtProvider(visitor())).toContain('oidc=no_role');
  });

  it('is not needed to connect while signed in', async () => {
    const { email: _, ...person } = somebody();
    provider.person = person;
    const connect = { connect: true, password: PASSWORD };
    expect(await signInAtProvider(operator, { ...connect, next: '/profile' })).toBe('/profile');
    const again = visitor();
    expect(await signInAtProvider(again)).toBe('/');
    expect((await again.session()).json.user.email).toBe('operator@example.com');
    provider.person = somebody();
    expect(await signInAtProvider(operator, connect)).toBe('/profile?oidc=other_identity');
    expect((await visitor().send('POST', '/dashboard/api/oidc', connect)).status).toBe(401);
  });

  it('is not enough to connect with an open session alone: it takes the password, and wrong ones count', async () => {
    const victim = await join(operator, service, { email: 'victim@example.com', account, role: 'owner' });
    onTestFinished(() => victim.close());
    const start = (body: object) => victim.send('POST', '/dashboard/api/oidc', { connect: true, ...body });
    expect(await start({})).toMatchObject({
      status: 400,
      json: { error: { code: 'missing_field', param: 'password' } },
    });
    const wrong = { status: 400, json: { error: { code: 'invalid_value', param: 'password' } } };
    expect(await start({ password: 'not the password' })).toMatchObject(wrong);
    for (let n = 0; n < 10; n += 1) await start({ password: 'not the password' });
    expect(await start({ password: PASSWORD })).toMatchObject({
      status: 429,
      json: { error: { code: 'too_many_attempts' } },
    });
    expect((await victim.send<{ connected: boolean }>('GET', '/dashboard/api/oidc')).json.connected).toBe(
      false,
    );
  });

  it('does not connect a person who has no password to prove', async () => {
    const person = somebody('fraud');
    provider.person = person;
    const browser = visitor();
    await signInAtProvider(browser);
    const answer = await browser.send('POST', '/dashboard/api/oidc', { connect: true, password: PASSWORD });
    expect(answer).toMatchObject({ status: 409, json: { error: { code: 'conflict' } } });
  });

  it('is needed for a new user', async () => {
    const { email: _, ...person } = somebody('fraud');
    provider.person = person;
    expect(await signInAtProvider(visitor())).toContain('oidc=no_email');
  });
});

async function signedInOperator(): Promise<Browser> {
  const browser = openBrowser(service.url);
  await browser.signIn('operator@example.com', PASSWORD);
  return browser;
}

describe('what proves nothing', () => {
  const BACK = '/sign-in?oidc=invalid&next=%2F';

  async function returned(change: (url: URL) => void): Promise<string> {
    provider.person = somebody('fraud');
    const browser = visitor();
    const url = await visitProvider(await begin(browser));
    change(url);
    const path = await comeBack(browser, url);
    expect((await browser.session()).status).toBe(401);
    return path;
  }

  it('is another state, issuer or code, or one of these twice', async () => {
    const set = (name: string, value: string) => (url: URL) => url.searchParams.set(name, value);
    expect(await returned(set('state', 'another'))).toBe(BACK);
    expect(await returned(set('iss', 'https://mixed-up.example'))).toBe(BACK);
    expect(await returned((url) => url.searchParams.delete('iss'))).toBe(BACK);
    expect(await returned(set('code', 'another'))).toBe(BACK);
    expect(await returned((url) => url.searchParams.append('code', 'another'))).toBe(BACK);
  });

  it('is a code of another sign-in, with another nonce or verifier', async () => {
    provider.person = somebody('fraud');
    const browser = visitor();
    const nonce = await begin(browser);
    nonce.searchParams.set('nonce', 'another');
    expect(await comeBack(browser, await visitProvider(nonce))).toBe(BACK);
    const challenge = await begin(browser);
    challenge.searchParams.set('code_challenge', 'A'.repeat(43));
    expect(await comeBack(browser, await visitProvider(challenge))).toBe(BACK);
  });

  it('is a code that was used, also with the cookie of its sign-in', async () => {
    provider.person = somebody('fraud');
    const browser = visitor();
    const start = await begin(browser);
    const cookie = [...browser.cookies].find(([name]) => name.endsWith('gatehouse.oidc')) as [string, string];
    const url = await visitProvider(start);
    expect(await comeBack(browser, url)).toBe('/');
    expect(await comeBack(browser, url)).toBe('/sign-in?oidc=expired');
    const thief = visitor();
    thief.cookies.set(...cookie);
    expect(await comeBack(thief, url)).toBe(BACK);
    expect((await thief.session()).status).toBe(401);
  });

  it('is an answer in another browser, or with a cookie that we did not write', async () => {
    provider.person = somebody('fraud');
    const url = await visitProvider(await begin(visitor()));
    const browser = visitor();
    expect(await comeBack(browser, url)).toBe('/sign-in?oidc=expired');
    browser.cookies.set('gatehouse.oidc', `v1.${'A'.repeat(200)}`);
    expect(await comeBack(browser, url)).toBe('/sign-in?oidc=expired');
  });

  it('is what the person or the provider refused', async () => {
    provider.person = { sub: 'denied' };
    expect(await signInAtProvider(visitor())).toBe('/sign-in?oidc=denied&next=%2F');
  });

  /** Replaces the signed token of the provider. */
  function forgeToken(make: (claims: JWTPayload) => string | Promise<string>): void {
    provider.forge = async (context) => {
      if (context.path !== '/token' || typeof context.body !== 'object') return;
      const [, payload = ''] = String(context.body.id_token).split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as JWTPayload;
      context.body = { ...context.body, id_token: await make(claims) };
    };
  }
  const resign = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'own' }).sign(provider.key);

  it('is a token without a signature, or with one that is not the provider’s', async () => {
    const stranger = await generateKeyPair('RS256');
    const header = { alg: 'RS256', kid: 'own' };
    const forgeries: ((claims: JWTPayload) => string | Promise<string>)[] = [
      (claims) => new UnsecuredJWT(claims).encode(),
      (claims) => `${new UnsecuredJWT(claims).encode()}AAAA`,
      (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256', kid: 'own' })
          .sign(new TextEncoder().encode(CLIENT.secret.padEnd(32))),
      (claims) => new SignJWT(claims).setProtectedHeader(header).sign(stranger.privateKey),
      (claims) => resign({ ...claims, aud: 'another client' }),
      (claims) => resign({ ...claims, iss: 'https://mixed-up.example' }),
      (claims) => resign({ ...claims, nonce: 'another' }),
      () => 'nonsense',
    ];
    for (const make of forgeries) {
      forgeToken(make);
      expect(await returned(() => {})).toBe(BACK);
    }
    // The same way with the right key gets in.
    forgeToken(resign);
    expect(await signInAtProvider(visitor())).toBe('/');
  });

  it('does not verify an address of the token by another one of UserInfo', async () => {
    // A verified member whom nobody has connected: the address alone would be enough.
    const member = 'of-userinfo@example.com';
    (await join(operator, service, { email: member, account, role: 'owner' })).close();
    const id = await withStored(installation, async (store) => {
      const [user] = await store.usersOf(member);
      await store.verifyUser(user?.id as string);
      return user?.id as string;
    });
    // UserInfo has the person's own address, verified; the token has the member's, of which it says nothing.
    provider.person = somebody();
    forgeToken((claims) => resign({ ...claims, email: member }));
    const browser = visitor();
    expect(await signInAtProvider(browser)).toContain('oidc=no_role');
    expect((await browser.session()).status).toBe(401);
    expect(await withStored(installation, (store) => store.identitiesOf(id))).toEqual([]);
    // The same way with the address verified by the token itself gets in.
    forgeToken((claims) => resign({ ...claims, email: member, email_verified: true }));
    expect(await signInAtProvider(browser)).toBe('/');
  });

  it('is a token that has expired; clocks may differ by a minute', async () => {
    const now = () => Math.floor(Date.now() / 1000);
    provider.person = somebody('fraud');
    for (const [seconds, path] of [
      [-40, '/'],
      [-90, BACK],
    ] as const) {
      forgeToken((claims) => resign({ ...claims, iat: now() + seconds - 600, exp: now() + seconds }));
      expect(await signInAtProvider(visitor())).toBe(path);
    }
    for (const seconds of [40, -40]) {
      forgeToken((claims) => resign({ ...claims, iat: now() + seconds, exp: now() + seconds + 600 }));
      expect(await signInAtProvider(visitor())).toBe('/');
    }
  });

  it('is not followed to another site', async () => {
    provider.person = somebody('fraud');
    for (const next of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      'javascript:x',
      '/\t/evil.example',
    ])
      expect(await signInAtProvider(visitor(), { next })).toBe('/');
  });
});

describe('an invitation', () => {
  const invite = async (email: string) => {
    const body = { email, account_id: account, role: 'analyst' };
    const { json } = await operator.send<{ link: string }>(
      'POST',
      '/dashboard/api/operator/invitations',
      body,
    );
    return secretOf(json.link);
  };

  it('is accepted at the provider, by its address alone, once', async () => {
    const person = { ...somebody(), email_verified: false };
    const invitation = await invite(person.email);
    provider.person = somebody();
    expect(await signInAtProvider(visitor(), { invitation })).toBe('/invitations?oidc=other_address');
    provider.person = person;
    const browser = visitor();
    expect(await signInAtProvider(browser, { invitation })).toBe('/');
    expect((await browser.session()).json.accounts).toMatchObject([{ id: account, role: 'analyst' }]);
    expect(await signInAtProvider(visitor(), { invitation })).toBe('/invitations?oidc=invitation_used');
    expect(await auditOf(account)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          action: 'invitation_accepted',
          target: expect.stringContaining(person.email),
          detail: 'analyst, invited by operator@example.com',
        }),
      ]),
    );
    expect(await signInAtProvider(visitor())).toBe('/');
  });
});

describe('a provider', () => {
  it('that is down, hangs or answers nonsense harms nothing else', { timeout: 60_000 }, async () => {
    const fresh = await restarted({});
    const start = () => openBrowserAt(fresh).send<{ error: object }>('POST', '/dashboard/api/oidc', {});
    const unreachable = {
      code: 'unavailable',
      message: 'The provider that you sign in at cannot be reached.',
    };
    await provider.down();
    expect(await start()).toMatchObject({ status: 503, json: { error: unreachable } });
    await provider.up();
    provider.forge = (context) => {
      context.body = '<h1>nonsense</h1>';
    };
    await expect.poll(async () => (await start()).status, { timeout: 20_000 }).toBe(503);
    provider.asked.length = 0;
    provider.forge = () => new Promise(() => {});
    // The failure of before is known for some seconds; then the provider is asked again, and hangs.
    await expect
      .poll(
        async () => {
          const { status } = await start();
          return status === 503 && provider.asked.length > 0;
        },
        { timeout: 20_000, interval: 500 },
      )
      .toBe(true);
    expect((await openBrowserAt(fresh).signIn('operator@example.com', PASSWORD)).status).toBe(200);
    provider.forge = undefined;
    await expect.poll(async () => (await start()).status, { timeout: 20_000, interval: 500 }).toBe(200);
    const browser = openBrowserAt(fresh);
    provider.person = somebody('fraud');
    const url = await visitProvider(await begin(browser));
    await provider.down();
    expect(await comeBack(browser, url)).toBe('/sign-in?oidc=unreachable&next=%2F');
    await provider.up();
  });

  it('is examined by the doctor', async () => {
    await withEnvironment(environment, async () => {
      const checks = await doctor();
      const found = `${provider.issuer} answers; redirect URI ${environment.GATEHOUSE_PUBLIC_URL}/dashboard/oidc/callback; 3 groups give roles; passwords on`;
      expect(checks).toContainEqual({ name: 'sign-in', state: 'ok', found, advice: null });
      const wrong = { ...environment, GATEHOUSE_OIDC_ISSUER: `${provider.issuer}/other` };
      await withEnvironment(wrong, async () => {
        const failed = (await doctor()).find(({ name }) => name === 'sign-in');
        expect(failed).toMatchObject({ state: 'failed', found: expect.stringContaining('/other') });
      });
    });
  });

  async function doctor() {
    const { stdout } = await installation.run('doctor', '--json');
    return JSON.parse(stdout) as { name: string; state: string; found: string; advice: string | null }[];
  }
});

describe('a network', () => {
  it('has ten sign-ins at once, and takes no place from another one', async () => {
    const fresh = await restarted({ GATEHOUSE_TRUST_PROXY: '1' });
    provider.person = somebody('fraud');
    expect(await signInAtProvider(openBrowserAt(fresh))).toBe('/');
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const comers = await Promise.all(
      [...Array<string>(12).fill('198.51.100.7'), '198.51.100.8'].map(async (address) => {
        const browser = openBrowserAt(fresh);
        return { browser, address, url: await visitProvider(await begin(browser)) };
      }),
    );
    // The provider answers nobody until those without a place were sent away.
    let release = () => {};
    const released = new Promise<void>((done) => {
      release = done;
    });
    provider.forge = ({ path }) => (path === '/token' ? released : undefined);
    let refused = 0;
    const paths = await Promise.all(
      comers.map(async ({ browser, address, url }) => {
        const { headers } = await browser.send('GET', url.pathname + url.search, undefined, from(address));
        const path = headers.location as string;
        if (path.includes('oidc=unavailable')) refused += 1;
        if (refused === 2) release();
        return path;
      }),
    );
    expect(paths.slice(0, 12).sort()).toEqual([
      ...Array<string>(10).fill('/'),
      ...Array<string>(2).fill('/sign-in?oidc=unavailable&next=%2F'),
    ]);
    expect(paths[12]).toBe('/');
  });
});

describe('without passwords', () => {
  it('everything that takes one is refused, and the provider and invitations work', async () => {
    const fresh = await restarted({ GATEHOUSE_PASSWORDS: 'off' });
    const browser = openBrowserAt(fresh);
    const first = await browser.send('GET', '/dashboard/api/first-start');
    expect(first.json).toEqual({ needs_operator: false, passwords: false, oidc: 'Example ID' });
    const off = { status: 403, json: { error: { code: 'passwords_off' } } };
    expect(await browser.signIn('operator@example.com', PASSWORD)).toMatchObject(off);
    provider.person = somebody('leads');
    expect(await signInAtProvider(browser)).toBe('/');
    for (const [path, body] of [
      ['change-password', { currentPassword: PASSWORD, newPassword: PASSWORD }],
      ['two-factor/enable', { password: PASSWORD }],
      ['two-factor/disable', { password: PASSWORD }],
      ['two-factor/verify-totp', { code: '123456' }],
    ] as const)
      expect(await browser.send('POST', `/dashboard/auth/${path}`, body)).toMatchObject(off);
    const connect = { connect: true, password: PASSWORD };
    expect(await browser.send('POST', '/dashboard/api/oidc', connect)).toMatchObject(off);
    const secret = 'x'.repeat(43);
    expect(await browser.send('POST', '/dashboard/api/claim', { secret, password: PASSWORD })).toMatchObject(
      off,
    );
    const { json } = await browser.send<{ link: string }>('POST', '/dashboard/api/operator/invitations', {
      email: 'invited@example.com',
      account_id: account,
      role: 'member',
    });
    const invitation = secretOf(json.link);
    const byPassword = { secret: invitation, name: 'In Vited', password: PASSWORD };
    const invited = openBrowserAt(fresh);
    expect(await invited.send('POST', '/dashboard/api/invitations', byPassword)).toMatchObject(off);
    provider.person = { ...somebody(), email: 'invited@example.com' };
    expect(await signInAtProvider(invited, { invitation })).toBe('/');
    expect((await browser.send('POST', '/dashboard/auth/sign-out', {})).status).toBe(200);
  });

  it('a user without a password gets one by a link, once they are on again', async () => {
    const person = somebody('fraud');
    provider.person = person;
    const fresh = await restarted({});
    const browser = openBrowserAt(fresh);
    await signInAtProvider(browser);
    const change = { currentPassword: PASSWORD, newPassword: PASSWORD };
    expect(await browser.send('POST', '/dashboard/auth/change-password', change)).toMatchObject({
      status: 409,
    });
    expect(await openBrowserAt(fresh).signIn(person.email, PASSWORD)).toMatchObject({ status: 401 });
    const { link } = await installation.json<{ link: string }>('user', 'link', person.email);
    const body = { secret: secretOf(link), password: 'another long password' };
    expect(await browser.send('POST', '/dashboard/api/claim', body)).toMatchObject({ status: 200 });
    const signedIn = await openBrowserAt(fresh).signIn(person.email, 'another long password');
    expect(signedIn.status).toBe(200);
  });
});

const openBrowserAt = ({ url }: Service): Browser => {
  const browser = openBrowser(url);
  onTestFinished(() => browser.close());
  return browser;
};

/** Starts the service again, with settings besides. */
async function restarted(settings: Record<string, string>): Promise<Service> {
  await service.stop();
  service = await installation.start({ ...environment, ...settings });
  return service;
}

/** Runs commands with these settings. */
async function withEnvironment(settings: Record<string, string>, work: () => Promise<void>): Promise<void> {
  const before = { ...installation.environment };
  Object.assign(installation.environment, settings);
  await work();
  for (const name of Object.keys(settings)) delete installation.environment[name];
  Object.assign(installation.environment, before);
}
