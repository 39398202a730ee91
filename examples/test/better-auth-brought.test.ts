/** People whom somebody brings, in real better-auth: its plugins `admin` and `organization`, and SCIM. None of a firm is refused, and no visitor can say so. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Scene, startScene } from '../../test/support/scene.ts';
import { somebody } from '../../test/support/somebody.ts';
import { readDecision } from '../../test/support/stored.ts';
import {
  type AuthApp,
  type AuthAppOptions,
  googleBody,
  type LoadModule,
  loadFrom,
  signupBody,
  startAuthApp,
} from './better-auth-app.ts';

const VERSIONS = ['better-auth', 'better-auth-1.6', 'better-auth-1.2'];
/** A firm that comes within an hour, from one address. */
const COLLEAGUES = 40;
const LONG_MS = 180_000;
/** Servers of directories are in data centers: this one is of Amazon EC2. */
const DIRECTORY_IP = '52.86.10.20';
const TOKEN = 'of-this-test-and-of-nothing-else';

let scene: Scene;
let load: LoadModule;
let loadScim: LoadModule;
beforeAll(async () => {
  [scene, load, loadScim] = await Promise.all([
    startScene(),
    loadFrom({ name: 'better-auth', copy: 'better-auth-brought' }),
    loadFrom({ name: 'better-auth', packages: 'better-auth-scim' }),
  ]);
});
afterAll(() => scene?.end());

interface Plugins {
  admin(): object;
  organization(options?: object): object;
}

interface ApiContext {
  readonly context: {
    readonly internalAdapter: { createUser(user: object, context: ApiContext): Promise<unknown> };
  };
  json(body: object): unknown;
}

interface ApiModule {
  createAuthEndpoint(
    path: string,
    options: object,
    handle: (context: ApiContext) => Promise<unknown>,
  ): unknown;
}

type Start = Omit<AuthAppOptions, 'load' | 'scene' | 'version'>;

async function startOrganizations(version: string, options: Start = {}): Promise<AuthApp> {
  const { admin, organization } = (await load(`${version}/plugins`)) as Plugins;
  const plugins = [admin(), organization({ sendInvitationEmail: async () => {} })];
  return startAuthApp({ load, scene, version, ...options, plugins });
}

async function startScim(options: Start = {}): Promise<AuthApp> {
  const [{ scim }, { organization }] = (await Promise.all([
    loadScim('@better-auth/scim'),
    loadScim('better-auth/plugins'),
  ])) as [{ scim(options: object): object }, Plugins];
  const connections = [{ id: 'okta', credentials: [{ id: 'first', token: TOKEN }] }];
  const plugins = [scim({ connections }), organization()];
  // It needs transactions, and names exact versions of better-auth's packages: it has a lockfile of its own.
  return startAuthApp({
    load: loadScim,
    scene,
    version: 'better-auth',
    transaction: true,
    ...options,
    plugins,
  });
}

/** Address from which nobody has signed up before. */
const officeOf = ({ ip }: AuthApp) => ip.replace('81.2.69.', '81.2.68.');
const range = (count: number) => Array.from({ length: count }, (_, at) => at);
const colleagues = (domain: string) => range(COLLEAGUES).map((at) => `colleague${at}@${domain}`);

/** Decision record of a signup. */
function storedOf(app: AuthApp, email: string) {
  const { requestId = '' } = app.signups.find((signup) => signup.email === email) ?? {};
  return readDecision(scene.installation, scene.account.id, requestId);
}

/** A user who has signed up, with the headers of the session. */
async function signedIn(app: AuthApp, email: string) {
  const answer = await app.send('sign-up/email', signupBody(email));
  expect(answer.status).toBe(200);
  return {
    cookie: answer.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; '),
  };
}

async function administrator(app: AuthApp, email: string) {
  const session = await signedIn(app, email);
  app.change(`update user set role = 'admin' where email = '${email}'`);
  return session;
}

/** Everybody is in and was assessed as brought, and none of them counts for a visitor of the firm from the same address. */
async function expectBrought(
  app: AuthApp,
  emails: readonly string[],
  by: string,
  ip = app.ip,
): Promise<void> {
  expect(app.users().map(({ email }) => email)).toEqual(expect.arrayContaining([...emails]));
  const brought = app.signups.filter(({ email }) => emails.includes(email));
  expect(brought.map(({ email, broughtBy, decision }) => [email, broughtBy, decision])).toEqual(
    emails.map((email) => [email, by, 'allow']),
  );
  for (const email of emails) {
    const { evidence } = await storedOf(app, email);
    // Only somebody who is invited comes by a browser of their own.
    expect([evidence.velocity.broughtBy, evidence.ip === null]).toEqual([by, by !== 'member']);
  }
  const visitor = emails[0]?.replace(/^.*@/, 'visitor@') ?? '';
  expect((await app.send('sign-up/email', signupBody(visitor), { 'x-real-ip': ip })).status).toBe(200);
  const { requestId = '' } = app.signups.find(({ email }) => email === visitor) ?? {};
  expect((await scene.live.get(requestId)).json.signals.velocity).toMatchObject({
    ip_signups_1h: 1,
    email_domain_1h: 1,
  });
  expect((await storedOf(app, visitor)).evidence.velocity.broughtBy).toBe('');
}

describe.each(VERSIONS)('%s', (version) => {
  it('lets an administrator create a firm', { timeout: LONG_MS }, async () => {
    const app = await startOrganizations(version, { transaction: true });
    const headers = await administrator(app, 'chief@by-an-admin.com');
    const emails = colleagues(`${version.replace('.', '-')}-by-an-admin.com`);
    const ip = officeOf(app);
    for (const email of emails) {
      const body = { ...signupBody(email), role: 'user' };
      const answer = await app.send('admin/create-user', body, { ...headers, 'x-real-ip': ip });
      expect(answer.status, await answer.text()).toBe(200);
    }
    // Before 1.3 better-auth does not say that it was an administrator.
    if (version === 'better-auth-1.2') expect(app.users()).toHaveLength(1 + COLLEAGUES);
    else await expectBrought(app, emails, 'admin', ip);
    // Nobody else may ask for it.
    const visitor = signupBody('mallory@by-an-admin.com');
    expect((await app.send('admin/create-user', visitor)).ok).toBe(false);
    expect(app.signups.some(({ email }) => email === visitor.email)).toBe(false);
  });

  it('lets in a firm that a member has invited, by password or by a provider', {
    timeout: LONG_MS,
  }, async () => {
    const app = await startOrganizations(version, { transaction: true });
    const headers = await signedIn(app, 'owner@quiet-harbour-works.com');
    const created = await app.send('organization/create', { name: 'Firm', slug: 'firm' }, headers);
    const { id: organizationId } = (await created.json()) as { id: string };
    const emails = colleagues(`${version.replace('.', '-')}-by-a-member.com`);
    const ip = officeOf(app);
    for (const [at, email] of emails.entries()) {
      // In another spelling than they sign up with.
      const invitation = { email: email.toUpperCase(), role: 'member', organizationId };
      const invited = await app.send('organization/invite-member', invitation, headers);
      const { id: invitationId } = (await invited.json()) as { id: string };
      const more = { 'x-real-ip': ip };
      const answer =
        at % 8 === 0
          ? await app.send('sign-in/social', googleBody(email), more)
          : await app.send('sign-up/email', signupBody(email), more);
      expect(answer.status, email).toBe(200);
      if (at > 0) continue;
      const cookie = answer.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; ');
      const accepted = await app.send('organization/accept-invitation', { invitationId }, { cookie });
      expect(accepted.status).toBe(200);
    }
    await expectBrought(app, emails, 'member', ip);
  });

  it('lets other plugins and own code create users, as without it', async () => {
    const { createAuthEndpoint } = (await load(`${version}/api`)) as ApiModule;
    const endpoint = createAuthEndpoint('/other/create', { method: 'POST' }, async (context) => {
      const user = { email: 'by-a-plugin@quiet-harbour-works.com', name: 'Jo' };
      await context.context.internalAdapter.createUser(user, context);
      return context.json({});
    });
    const plugins = [{ id: 'other', endpoints: { create: endpoint } }];
    const app = await startAuthApp({ load, scene, version, plugins });
    expect((await app.send('other/create', {})).status).toBe(200);
    const own = (email: string) => app.createUser({ email, name: 'Jo' });
    await own('by-own-code@quiet-harbour-works.com');
    expect(await own('someone@mailinator.com')).toBeNull();
    expect(app.users()).toHaveLength(2);
    expect(app.signups.map(({ decision }) => decision)).toEqual(['allow', 'allow', 'block']);
  });

  it('does not wait for a transaction that waits for it', async () => {
    for (const transaction of [true, false, undefined]) {
      const app = await startOrganizations(version, { transaction });
      const email = `jo${String(transaction)}@quiet-harbour-works.com`;
      expect((await app.send('sign-up/email', signupBody(email))).status).toBe(200);
      expect((await app.send('sign-in/social', googleBody(`by-google-${email}`))).status).toBe(200);
      expect(app.signups.map(({ broughtBy }) => broughtBy)).toEqual([null, null]);
    }
  });
});

const SCIM_HEADERS = {
  authorization: `Bearer ${TOKEN}`,
  'content-type': 'application/scim+json',
  'x-real-ip': DIRECTORY_IP,
};
const scimUser = (email: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: email,
  emails: [{ value: email, primary: true }],
  name: { givenName: 'Jo', familyName: email.split('@')[0] },
});

describe('SCIM', () => {
  it.each([
    ['its usual path', '/api/auth', 'by-a-directory.com'],
    ['another one', '/sign-up/email', 'by-another-directory.com'],
  ])('provisions a firm at %s', { timeout: LONG_MS }, async (_name, basePath, domain) => {
    const app = await startScim({ basePath });
    const emails = colleagues(domain);
    for (const email of emails) {
      const answer = await app.send('scim/v2/Users', scimUser(email), SCIM_HEADERS);
      expect(answer.status, await answer.text()).toBe(201);
    }
    await expectBrought(app, emails, 'directory');
  });

  it('answers in its own form where a person is refused', async () => {
    const app = await startScim();
    const answer = await app.send('scim/v2/Users', scimUser('someone@mailinator.com'), SCIM_HEADERS);
    expect([answer.status, await answer.json()]).toMatchObject([
      403,
      { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], detail: 'This account cannot be created.' },
    ]);
    expect(app.users()).toEqual([]);
  });
});

describe('a visitor', () => {
  const BASE_PATHS = ['/api/auth', '/scim/v2/Users', '/sso', '/admin/create-user'];
  /** Spellings of a path behind the base path. */
  const PATHS = [
    'sign-up/email',
    'sign-up/email/',
    'sign-up/email?path=/scim/v2/Users',
    'sign-up/email#/scim/v2/Users',
    'Sign-Up/Email',
    '%73ign-up/email',
    'scim/v2/../../sign-up/email',
    'scim/v2/Users/../../../sign-up/email',
    'scim/..%2Fsign-up/email',
    'scim/v2/Users',
    'scim/v2/Users/',
    'SCIM/v2/Users',
    '/scim/v2/Users',
    'sso/sign-up/email',
    'admin/create-user',
    'admin/create-user/',
    'Admin/Create-User',
    'sign-up/email;/admin/create-user',
  ];
  const HEADERS = {
    'x-original-url': '/admin/create-user',
    'x-rewrite-url': '/scim/v2/Users',
    'x-forwarded-uri': '/scim/v2/Users',
    'x-forwarded-prefix': '/scim/v2',
    'x-http-method-override': 'PUT',
    'x-brought-by': 'admin',
    referer: 'https://app.example/admin/create-user',
  };
  const claims = (email: string) => ({
    ...signupBody(email),
    ...scimUser(email),
    name: 'Jo',
    broughtBy: 'admin',
    brought_by: 'admin',
    path: '/scim/v2/Users',
    context: { path: '/scim/v2/Users' },
  });

  it.each(BASE_PATHS)(
    'cannot say that somebody brings them, at %s',
    { timeout: LONG_MS },
    async (basePath) => {
      const more = { advanced: { skipTrailingSlashes: true } };
      for (const app of [
        await startScim({ basePath }),
        await startScim({ basePath, more }),
        await startOrganizations('better-auth', { basePath, more }),
      ]) {
        for (const [at, path] of PATHS.entries())
          await app.send(path, claims(`${somebody(at)}@${at}-quiet-works.com`), HEADERS);
        expect(app.signups.length).toBeGreaterThan(2);
        expect(app.signups.map(({ broughtBy }) => broughtBy)).toEqual(app.signups.map(() => null));
        expect(app.users()).toHaveLength(app.signups.length);
      }
    },
  );

  it('is an ordinary one beside a firm: a burst from an address is challenged', {
    timeout: LONG_MS,
  }, async () => {
    const app = await startScim();
    const answers: number[] = [];
    for (const at of range(COLLEAGUES)) {
      const email = `${somebody(at)}@unknown-${at}-domain.com`;
      answers.push((await app.send('sign-up/email', signupBody(email))).status);
    }
    expect(answers.slice(0, 5)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.at(-1)).toBe(423);
    expect(
      (
        await app.send('scim/v2/Users', scimUser('late@by-a-directory.com'), {
          ...SCIM_HEADERS,
          'x-real-ip': app.ip,
        })
      ).status,
    ).toBe(201);
  });
});
