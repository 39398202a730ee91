/** Permissions: every endpoint about an account and those that manage people, in every role; other accounts; and that a membership ends at once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/contract/dashboard-account.ts';
import type {
  CreatedInvitation,
  OperatorAccount,
  People,
} from '../../src/contract/dashboard-installation.ts';
import type { OpenSessions } from '../../src/contract/dashboard-people.ts';
import { type DashboardRoutesOptions, perAccountRoutes } from '../../src/http/dashboard.ts';
import type { DashboardRoutes } from '../../src/http/dashboard-route.ts';
import {
  type Browser,
  claimOperator,
  join,
  openBrowser,
  PASSWORD,
  printedSecret,
  secretOf,
} from '../support/browser.ts';
import { cpuMilliseconds } from '../support/expectations.ts';
import { joinAccount } from '../support/join-account.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

let installation: Installation;
let service: Service;
let [ours, theirs] = ['', ''];
const people: Record<string, Browser> = {};
const as = (role: string) => people[role] as Browser;
const API = '/dashboard/api';

beforeAll(async () => {
  installation = await createInstallation();
  ours = (await plant(installation, { name: 'ours' })).id;
  theirs = (await plant(installation, { name: 'theirs' })).id;
  service = await installation.start();
  const operator = await claimOperator(service);
  people.operator = operator;
  people.owner = await join(operator, service, { email: 'owner@example.com', account: ours, role: 'owner' });
  people.member = await join(as('owner'), service, {
    email: 'member@example.com',
    account: ours,
    role: 'member',
  });
  people.analyst = await join(as('owner'), service, {
    email: 'analyst@example.com',
    account: ours,
    role: 'analyst',
  });
  people.stranger = await join(operator, service, {
    email: 'stranger@example.com',
    account: theirs,
    role: 'owner',
  });
  people.nobody = openBrowser(service.url);
  await withStored(installation, async (store) => {
    const [user] = await store.usersOf('stranger@example.com');
    await store.verifyUser(user?.id as string);
  });
}, 240_000);
afterAll(() => installation?.remove());

interface Row {
  readonly method: string;
  readonly path: () => string;
  readonly body?: () => unknown;
  /** Statuses for operator, owner, member, owner of another account, nobody. */
  readonly statuses: readonly [number, number, number, number, number];
}

const invitationTo = (account: () => string) => () => ({
  email: 'someone@example.com',
  account_id: account(),
  role: 'member',
});

/** No row changes data that another row needs. */
const ROWS: readonly Row[] = [
  { method: 'GET', path: () => '/session', statuses: [200, 200, 200, 200, 401] },
  { method: 'GET', path: () => '/operator/accounts', statuses: [200, 403, 403, 403, 401] },
  {
    method: 'POST',
    path: () => '/operator/accounts',
    body: () => ({ name: 'new', plan: 'pro' }),
    statuses: [200, 403, 403, 403, 401],
  },
  {
    method: 'PATCH',
    path: () => `/operator/accounts/${ours}`,
    body: () => ({ monthly_quota: 5_000 }),
    statuses: [200, 403, 403, 403, 401],
  },
  {
    method: 'GET',
    path: () => `/operator/accounts/${ours}/contents`,
    statuses: [200, 403, 403, 403, 401],
  },
  {
    method: 'GET',
    path: () => '/operator/accounts/acc_none/contents',
    statuses: [404, 403, 403, 403, 401],
  },
  {
    method: 'DELETE',
    path: () => `/operator/accounts/${ours}`,
    body: () => ({ confirm: 'theirs' }),
    statuses: [400, 403, 403, 403, 401],
  },
  {
    method: 'DELETE',
    path: () => '/operator/accounts/acc_none',
    body: () => ({ confirm: 'none' }),
    statuses: [404, 403, 403, 403, 401],
  },
  { method: 'GET', path: () => '/operator/tokens', statuses: [200, 403, 403, 403, 401] },
  {
    method: 'POST',
    path: () => '/operator/tokens',
    body: () => ({ name: 'new', scopes: ['keys:read'], account_id: ours, expires_in_days: 1 }),
    statuses: [200, 403, 403, 403, 401],
  },
  {
    method: 'POST',
    path: () => '/operator/tokens/tok_none/revoke',
    statuses: [404, 403, 403, 403, 401],
  },
  { method: 'GET', path: () => '/operator/people', statuses: [200, 403, 403, 403, 401] },
  { method: 'GET', path: () => '/operator/audit', statuses: [200, 403, 403, 403, 401] },
  { method: 'GET', path: () => '/operator/audit.csv', statuses: [200, 403, 403, 403, 401] },
  { method: 'GET', path: () => `/operator/people?account=${ours}`, statuses: [200, 200, 403, 404, 401] },
  { method: 'GET', path: () => '/operator/people?account=acc_none', statuses: [404, 404, 404, 404, 401] },
  {
    method: 'POST',
    path: () => '/operator/invitations',
    body: invitationTo(() => ours),
    statuses: [200, 200, 403, 404, 401],
  },
  {
    method: 'POST',
    path: () => '/operator/invitations',
    body: invitationTo(() => 'acc_none'),
    statuses: [404, 404, 404, 404, 401],
  },
  { method: 'DELETE', path: () => '/operator/invitations/inv_none', statuses: [404, 404, 404, 404, 401] },
  { method: 'POST', path: () => '/operator/people/usr_none/verify', statuses: [404, 403, 403, 403, 401] },
  { method: 'GET', path: () => '/sessions', statuses: [200, 200, 200, 200, 401] },
  { method: 'DELETE', path: () => '/sessions/none', statuses: [404, 404, 404, 404, 401] },
  { method: 'DELETE', path: () => '/operator/people/usr_none/sessions', statuses: [404, 403, 403, 403, 401] },
  {
    method: 'DELETE',
    path: () => '/operator/sessions',
    body: () => ({ user_id: 'usr_none', account_id: ours }),
    statuses: [404, 404, 403, 404, 401],
  },
  {
    method: 'DELETE',
    path: () => '/operator/memberships',
    body: () => ({ user_id: 'usr_none', account_id: ours }),
    statuses: [404, 404, 403, 404, 401],
  },
];

describe.each(['operator', 'owner', 'member', 'stranger', 'nobody'].map((role, at) => [role, at] as const))(
  'as %s',
  (role, at) => {
    it.each(ROWS.map((row) => [row.method, String(row.path).replace('() => ', ''), row] as const))(
      '%s %s',
      async (method, _path, row) => {
        const answer = await as(role).send(method, API + row.path(), row.body?.());
        expect([answer.status, answer.status < 300 ? '' : answer.text.slice(0, 9)]).toEqual([
          row.statuses[at],
          (row.statuses[at] as number) < 300 ? '' : '{"error":',
        ]);
        expect(answer.headers['cache-control']).toBe('no-store');
      },
    );
  },
);

describe('a role', () => {
  const change = (by: string, userId: string, role: Role) =>
    as(by).send('PATCH', `${API}/operator/memberships`, { user_id: userId, account_id: ours, role });
  const peopleOf = async () =>
    JSON.parse((await as('owner').send('GET', `${API}/operator/people?account=${ours}`)).text) as People;
  const idOf = async (email: string) =>
    (await peopleOf()).users.find((user) => user.email === email)?.id ?? '';

  it('is changed in place by an owner, at once, and the log says from what to what', async () => {
    const analyst = await idOf('analyst@example.com');
    for (const by of ['member', 'analyst']) expect((await change(by, analyst, 'owner')).status, by).toBe(403);
    expect((await change('stranger', analyst, 'owner')).status).toBe(404);
    expect((await change('owner', 'usr_none', 'owner')).status).toBe(404);
    expect((await change('owner', analyst, 'boss' as Role)).status).toBe(400);
    const audit = async () => (await as('analyst').send('GET', `${API}/accounts/${ours}/audit`)).status;
    expect(await audit()).toBe(403);
    expect((await change('owner', analyst, 'owner')).status).toBe(200);
    expect(await audit()).toBe(200);
    expect((await change('owner', analyst, 'analyst')).status).toBe(200);
    expect(await audit()).toBe(403);
    const { rows } = JSON.parse((await as('owner').send('GET', `${API}/accounts/${ours}/audit`)).text);
    const changes = rows.filter(({ action }: { action: string }) => action === 'role_changed');
    expect(changes.map(({ detail }: { detail: string }) => detail)).toEqual([
      'owner → analyst',
      'analyst → owner',
    ]);
  });

  it('of the only owner cannot be taken', async () => {
    const owner = await idOf('owner@example.com');
    for (const by of ['owner', 'operator']) expect((await change(by, owner, 'member')).status, by).toBe(409);
    const membership = { user_id: owner, account_id: ours };
    for (const by of ['owner', 'operator'])
      expect((await as(by).send('DELETE', `${API}/operator/memberships`, membership)).status, by).toBe(409);
    expect((await peopleOf()).users.find(({ id }) => id === owner)?.memberships[0]?.role).toBe('owner');
  });

  it('is not changed by an invitation', async () => {
    const invited = { email: 'analyst@example.com', account_id: ours, role: 'owner' };
    const refused = await as('owner').send('POST', `${API}/operator/invitations`, invited);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('change the role of this person');
  });
});

/** Below `/accounts/:account`, with the required role; an owner may also do what a member may. Every new route needs a row here. */
const ACCOUNT_ROUTES: Record<string, Role> = {
  'DELETE /lists/:id': 'analyst',
  'DELETE /lists/:id/history': 'owner',
  'GET /audit': 'owner',
  'GET /audit.csv': 'owner',
  'POST /audit/undo': 'owner',
  'PATCH /settings': 'owner',
  'GET /alerts': 'member',
  'GET /campaigns': 'member',
  'GET /campaigns/:campaign': 'member',
  'POST /campaigns/:campaign/decision': 'analyst',
  'GET /destinations': 'owner',
  'POST /destinations': 'owner',
  'PATCH /destinations/:destination': 'owner',
  'DELETE /destinations/:destination': 'owner',
  'POST /destinations/:destination/rotate': 'owner',
  'POST /destinations/:destination/test': 'owner',
  'GET /destinations/:destination/deliveries': 'owner',
  'POST /destinations/:destination/deliveries/:event/replay': 'owner',
  'GET /recall': 'member',
  'POST /recall': 'analyst',
  'POST /recall/dismiss': 'analyst',
  'GET /connections': 'analyst',
  'POST /connections': 'owner',
  'PATCH /connections/:connection': 'owner',
  'DELETE /connections/:connection': 'owner',
  'POST /connections/:connection/check': 'owner',
  'GET /takeback': 'analyst',
  'POST /takeback': 'analyst',
  'POST /takeback/preview': 'analyst',
  'GET /takeback/:job': 'analyst',
  'GET /takeback/:job/accounts.csv': 'analyst',
  'POST /takeback/:job/cancel': 'analyst',
  'POST /takeback/:job/continue': 'analyst',
  'POST /takeback/:job/undo': 'analyst',
  'POST /takeback/:job/ids': 'analyst',
  'GET /attacks/:attack': 'member',
  'GET /attacks/:attack/block': 'analyst',
  'POST /attacks/:attack/block': 'analyst',
  'POST /attacks/:attack/report': 'analyst',
  'POST /attacks/:attack/undo': 'analyst',
  'GET /hooks': 'owner',
  'GET /keys': 'owner',
  'GET /lists/:id/history': 'analyst',
  'GET /shadow': 'member',
  'PATCH /keys/:key': 'owner',
  'POST /hooks': 'owner',
  'POST /hooks/:hook/revoke': 'owner',
  'POST /hooks/:hook/rotate': 'owner',
  'POST /keys': 'owner',
  'POST /keys/:key/revoke': 'owner',
  'POST /keys/:key/rotate': 'owner',
  'POST /keys/:key/rotate/end': 'owner',
  'POST /keys/:key/rotate/undo': 'owner',
  'POST /lists': 'analyst',
  'POST /lists/batch': 'analyst',
  'POST /lists/preview': 'analyst',
  'POST /policy': 'owner',
  'POST /privacy/erase': 'owner',
  'POST /privacy/export': 'owner',
  'POST /privacy/search': 'owner',
  'PUT /keys/:key/thresholds': 'owner',
  'PUT /thresholds': 'owner',
  'GET /assessments': 'member',
  'GET /assessments.csv': 'member',
  'GET /assessments.csv/ready': 'member',
  'GET /assessments/summary': 'member',
  'GET /assessments/groups': 'member',
  'GET /assessments/:request_id': 'member',
  'GET /assessments/:request_id/neighbours': 'member',
  'GET /feedback': 'member',
  'POST /feedback/state': 'analyst',
  'POST /feedback/labels': 'analyst',
  'POST /assessments/:request_id/address': 'member',
  'POST /assessments/:request_id/customer': 'analyst',
  'GET /filters': 'member',
  'POST /filters': 'member',
  'PATCH /filters/:id': 'member',
  'DELETE /filters/:id': 'member',
  'POST /support': 'member',
  'POST /undo': 'member',
  'GET /first-steps': 'member',
  'GET /lists': 'member',
  'GET /today': 'member',
  'GET /today/changes': 'member',
  'GET /today/needs': 'member',
  'GET /policy': 'member',
  'GET /usage': 'member',
  'POST /assessments/:request_id/feedback': 'member',
  'POST /assessments/feedback': 'member',
  'POST /assessments/export': 'member',
  'POST /find': 'member',
  'POST /simulate': 'member',
  'POST /try': 'member',
};
const accountRoutes = registeredAccountRoutes();

/** As the service registers them, without the parts that would answer. */
function registeredAccountRoutes() {
  const found: { name: string; method: string; path: string; minRole: Role }[] = [];
  const recorder: DashboardRoutes = {
    forAnybody: () => undefined,
    forUser: () => undefined,
    forMember: () => undefined,
    forOperator: () => undefined,
    forAccount: ({ method, path, minRole }) => {
      const below = path.replace('/accounts/:account', '');
      found.push({ name: `${method} ${below}`, method, path: below.replace(/:\w+/g, 'none'), minRole });
    },
  };
  perAccountRoutes(recorder, {
    parts: { services: {} },
    store: {},
    takeBack: { jobs: {} },
  } as DashboardRoutesOptions);
  return found;
}

describe('an endpoint about an account', () => {
  it('has its row in the table, with the role that it needs', () => {
    expect(Object.fromEntries(accountRoutes.map(({ name, minRole }) => [name, minRole]))).toEqual(
      ACCOUNT_ROUTES,
    );
  });

  it.each(accountRoutes)('$name refuses users who may not call it', async ({ method, path, minRole }) => {
    const statusAs = async (role: string) =>
      (await as(role).send(method, `${API}/accounts/${ours}${path}`, method === 'GET' ? undefined : {}))
        .status;
    expect([await statusAs('nobody'), await statusAs('stranger')]).toEqual([401, 404]);
    if (minRole !== 'member') expect(await statusAs('member')).toBe(403);
    if (minRole === 'owner') expect(await statusAs('analyst')).toBe(403);
  });
});

describe('an account of others', () => {
  it('answers exactly as one that does not exist', async () => {
    const own = await as('stranger').send('GET', `${API}/operator/people?account=${ours}`);
    const none = await as('stranger').send('GET', `${API}/operator/people?account=acc_none`);
    expect([own.status, own.text]).toEqual([none.status, none.text]);
    const { json } = await as('stranger').session();
    expect(json.accounts.map(({ id }) => id)).toEqual([theirs]);
  });

  it('shows its people only with their role in this account', async () => {
    const { json } = await as('owner').send<People>('GET', `${API}/operator/people?account=${ours}`);
    expect(json.users.map(({ email }) => email)).toEqual([
      'analyst@example.com',
      'member@example.com',
      'owner@example.com',
    ]);
    for (const { memberships } of json.users) expect(memberships).toMatchObject([{ account_id: ours }]);
    expect(JSON.stringify(json)).not.toContain(theirs);
  });
});

describe('an invitation', () => {
  const invite = async (by: Browser, email: string, role = 'member', account = ours) =>
    (
      await by.send<CreatedInvitation>('POST', `${API}/operator/invitations`, {
        email,
        account_id: account,
        role,
      })
    ).json;
  const JOIN = `${API}/invitations`;
  const READ = `${API}/invitations/read`;
  const withSecret = ({ link }: CreatedInvitation) => ({ secret: secretOf(link) });

  it('says what it offers, works once, and links to the public address of the dashboard', async () => {
    const created = await invite(as('owner'), 'New.Person@example.com');
    expect(created.link).toMatch(new RegExp(`^${service.url}/invitations#[\\w-]{43}$`));
    const browser = openBrowser(service.url);
    const offer = await browser.send('POST', READ, withSecret(created));
    expect(offer.json).toMatchObject({
      email: 'new.person@example.com',
      account_name: 'ours',
      role: 'member',
      invited_by: 'owner@example.com (not verified)',
    });
    const body = { name: 'New', password: PASSWORD };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        openBrowser(service.url).send('POST', JOIN, { ...withSecret(created), ...body }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect((await browser.send('POST', READ, withSecret(created))).status).toBe(404);
    expect((await browser.signIn('new.person@example.com', PASSWORD)).status).toBe(200);
    expect((await browser.session()).json.accounts).toEqual([
      {
        id: ours,
        name: 'ours',
        plan: 'business',
        role: 'member',
        time_zone: 'UTC',
        settings_version: expect.any(String),
      },
    ]);
    const users = await withStored(installation, (store) => store.users());
    expect(users.filter(({ email }) => email === 'new.person@example.com')).toHaveLength(1);
  });

  it('to an existing user is accepted when signed in, or with their password', async () => {
    const first = await invite(as('operator'), 'stranger@example.com');
    const wrong = await openBrowser(service.url).send('POST', JOIN, {
      ...withSecret(first),
      name: 'Mallory',
      password: 'a password of mallory',
    });
    expect([wrong.status, wrong.json]).toMatchObject([401, { error: { code: 'sign_in_failed' } }]);
    expect((await as('member').send('POST', JOIN, withSecret(first))).status).toBe(409);
    expect((await as('stranger').send('POST', JOIN, withSecret(first))).status).toBe(200);
    const { accounts, user } = (await as('stranger').session()).json;
    expect(new Set(accounts.map(({ id }) => id))).toEqual(new Set([ours, theirs]));
    const leave = () =>
      as('operator').send('DELETE', `${API}/operator/memberships`, { user_id: user.id, account_id: ours });
    expect((await leave()).status).toBe(204);
    const second = await invite(as('operator'), 'stranger@example.com', 'owner');
    const browser = openBrowser(service.url);
    const taken = await browser.send('POST', JOIN, { ...withSecret(second), password: PASSWORD });
    expect([taken.status, taken.json]).toMatchObject([
      200,
      { accounts: expect.arrayContaining([expect.objectContaining({ id: ours, role: 'owner' })]) },
    ]);
    expect((await leave()).status).toBe(204);
  });

  it('tells nobody whether its address has a user, not even by the work it does', async () => {
    const links = [
      await invite(as('owner'), 'stranger@example.com'),
      await invite(as('owner'), 'unknown@example.com'),
    ];
    const guess = { password: 'a password of mallory' };
    const attempts = [
      {},
      { name: 'Mallory' },
      { name: 'Mallory', password: 'short' },
      { ...guess, name: '' },
      ...Array.from({ length: 7 }, () => guess),
    ];
    const answers: string[][] = [[], []];
    const work: number[][] = [[], []];
    for (const body of attempts)
      for (const [at, created] of links.entries()) {
        const sent = { ...withSecret(created), ...body };
        const took = await cpuMilliseconds(service.url, async () => {
          const { status, text } = await openBrowser(service.url).send('POST', JOIN, sent);
          answers[at]?.push(`${status} ${text.replaceAll(/req_\w+/g, '')}`);
        });
        if (body === guess) work[at]?.push(took);
      }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]?.map((answer) => answer.slice(0, 3)).slice(0, 5)).toEqual([
      '401',
      '400',
      '400',
      '400',
      '401',
    ]);
    const median = (all: number[] = []) => all.toSorted((a, b) => a - b)[3] as number;
    const ratio = median(work[1]) / median(work[0]);
    expect(ratio).toBeGreaterThan(0.4);
    expect(ratio).toBeLessThan(2.5);
  });

  it('that is cancelled does not work any more', async () => {
    const created = await invite(as('owner'), 'late@example.com');
    const path = `${API}/operator/invitations/${created.invitation.id}`;
    expect((await as('owner').send('DELETE', path)).status).toBe(204);
    const body = { name: 'Late', password: PASSWORD };
    expect(
      (await openBrowser(service.url).send('POST', JOIN, { ...withSecret(created), ...body })).status,
    ).toBe(404);
  });
});

describe('a session', () => {
  const signedIn = async (email: string, userAgent = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0') => {
    const browser = openBrowser(service.url);
    const body = { email, password: PASSWORD };
    const agent = { 'user-agent': userAgent };
    expect((await browser.send('POST', '/dashboard/auth/sign-in/email', body, agent)).status).toBe(200);
    return browser;
  };
  const sessionsOf = async (browser: Browser) =>
    (await browser.send<OpenSessions>('GET', `${API}/sessions`)).json.sessions;

  it('is listed for its owner, who can end one, or all others', async () => {
    const email = 'sessions@example.com';
    const first = await join(as('owner'), service, { email, account: ours, role: 'member' });
    const [second, third, fourth] = [await signedIn(email), await signedIn(email), await signedIn(email)];
    const listed = await sessionsOf(second);
    expect(listed).toHaveLength(4);
    const mine = listed.filter(({ current }) => current);
    expect(mine).toMatchObject([{ device: 'Firefox on Linux', network: '127.0.0.1' }]);
    const days = (Date.parse(mine[0]?.ends_at as string) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 1);
    const [ofThird] = (await sessionsOf(third)).filter(({ current }) => current);
    const path = `${API}/sessions/${ofThird?.id}`;
    expect((await as('stranger').send('DELETE', path)).status).toBe(404);
    expect((await second.send('DELETE', path)).status).toBe(204);
    expect([(await third.session()).status, (await fourth.session()).status]).toEqual([401, 200]);
    expect((await second.send('DELETE', `${API}/sessions`)).status).toBe(204);
    const statuses = await Promise.all([first, second, fourth].map((each) => each.session()));
    expect(statuses.map(({ status }) => status)).toEqual([401, 200, 401]);
    const { entries } = await withStored(installation, (store) => store.auditEntries(ours, null, 2));
    expect(entries.map(({ by, action }) => `${by} ${action}`)).toEqual([
      `${email} (not verified, invited by owner@example.com (not verified)) other_sessions_ended`,
      `${email} (not verified, invited by owner@example.com (not verified)) session_ended`,
    ]);
  });

  it('of a member can be ended by an owner, of a user in several accounts only by operators', async () => {
    const email = 'ended@example.com';
    const person = await join(as('owner'), service, { email, account: ours, role: 'member' });
    const { id } = (await person.session()).json.user;
    const end = (by: Browser, account = ours) =>
      by.send('DELETE', `${API}/operator/sessions`, { user_id: id, account_id: account });
    expect((await end(as('stranger'), theirs)).status).toBe(404);
    expect((await end(as('owner'))).status).toBe(204);
    expect((await person.session()).status).toBe(401);
    await withStored(installation, (store) =>
      joinAccount(store, { userId: id, accountId: theirs, role: 'member' }),
    );
    const again = await signedIn(email);
    expect((await end(as('owner'))).status).toBe(403);
    expect((await again.session()).status).toBe(200);
    expect((await as('operator').send('DELETE', `${API}/operator/people/${id}/sessions`)).status).toBe(204);
    expect((await again.session()).status).toBe(401);
    const last = await signedIn(email);
    expect(await installation.json('user', 'end-sessions', email)).toEqual({ id, email, sessions_ended: 1 });
    expect((await last.session()).status).toBe(401);
  });

  it('ends after 30 days of any use, and after 7 days without use', async () => {
    const email = 'bounds@example.com';
    const person = await join(as('owner'), service, { email, account: ours, role: 'member' });
    const { id } = (await person.session()).json.user;
    const DAY_MS = 86_400_000;
    const age = (createdDays: number, seenDays: number) =>
      withStored(installation, async (store) => {
        const [session] = await store.sessions(id);
        if (session === undefined) throw new Error('no session');
        const now = Date.now();
        const times = { createdAt: now - createdDays * DAY_MS, seenAt: now - seenDays * DAY_MS };
        await store.touchSession({ ...session, ...times });
      });
    for (const [created, seen, status] of [
      [29.9, 6.9, 200],
      [8, 7.1, 401],
      [30.1, 0, 401],
      [29.9, 0, 200],
    ] as const) {
      await age(created, seen);
      expect((await person.session()).status).toBe(status);
      const body = { currentPassword: 'wrong', newPassword: PASSWORD };
      const changed = await person.send('POST', '/dashboard/auth/change-password', body);
      expect(changed.status).toBe(status === 200 ? 400 : 401);
    }
  });
});

describe('an address that nobody verified', () => {
  const CEO = 'ceo@bigcorp.example';
  const TRUE_PASSWORD = 'the password of the real one';
  const invite = async (by: Browser, account: string, email = CEO) => {
    const body = { email, account_id: account, role: 'member' };
    const { json } = await by.send<CreatedInvitation>('POST', `${API}/operator/invitations`, body);
    return { secret: secretOf(json.link) };
  };
  const accept = (secret: { secret: string }, password: string, browser = openBrowser(service.url)) =>
    browser.send('POST', `${API}/invitations`, { ...secret, name: 'C. E. O.', password });
  const accountsOf = async (browser: Browser) => (await browser.session()).json.accounts.map(({ id }) => id);
  const signedIn = async (password: string, email = CEO) => {
    const browser = openBrowser(service.url);
    expect((await browser.signIn(email, password)).status).toBe(200);
    return browser;
  };

  it('locks nobody out, gives neither user the rights of the other, and is marked in pages and the audit log', async () => {
    const owner = as('owner');
    expect((await accept(await invite(owner, ours), PASSWORD)).status).toBe(200);
    const listed = await owner.send<People>('GET', `${API}/operator/people?account=${ours}`);
    const squatter = listed.json.users.find(({ email }) => email === CEO);
    expect(squatter).toMatchObject({ verified: false, invited_by: 'owner@example.com (not verified)' });
    const { entries } = await withStored(installation, (store) => store.auditEntries(ours, null, 1));
    expect(entries[0]?.by).toBe(`${CEO} (not verified, invited by owner@example.com (not verified))`);

    // The owner makes no second one in the account; another account, unrelated to the first, reaches the real person.
    const twice = { email: CEO, account_id: ours, role: 'member' };
    expect(await owner.send('POST', `${API}/operator/invitations`, twice)).toMatchObject({
      status: 409,
      json: { error: { param: 'email', message: `${CEO} is in this account already, not verified.` } },
    });
    expect((await accept(await invite(as('stranger'), theirs), TRUE_PASSWORD)).status).toBe(200);
    const [fake, real] = [await signedIn(PASSWORD), await signedIn(TRUE_PASSWORD)];
    expect([await accountsOf(fake), await accountsOf(real)]).toEqual([[ours], [theirs]]);
    expect((await openBrowser(service.url).signIn(CEO, 'the password of nobody')).status).toBe(401);
    const seen = await as('stranger').send<People>('GET', `${API}/operator/people?account=${theirs}`);
    expect(seen.json.users.filter(({ email }) => email === CEO)).toHaveLength(1);
    expect(seen.text).not.toContain('owner@example.com');

    // An operator's invitation reaches the real person also in the account of the false one.
    expect((await accept(await invite(as('operator'), ours), TRUE_PASSWORD)).status).toBe(200);
    expect(new Set(await accountsOf(real))).toEqual(new Set([ours, theirs]));
    expect(await accountsOf(fake)).toEqual([ours]);

    const { id } = (await real.session()).json.user;
    expect((await as('operator').send('POST', `${API}/operator/people/${id}/verify`)).status).toBe(204);
    expect((await real.session()).json.user.email).toBe(CEO);
    expect(await accountsOf(await signedIn(PASSWORD))).toEqual([ours]);
    expect(new Set(await accountsOf(await signedIn(TRUE_PASSWORD)))).toEqual(new Set([ours, theirs]));
    const people = await as('operator').send<People>('GET', `${API}/operator/people`);
    const claiming = people.json.users.filter(({ email }) => email === CEO);
    expect(claiming.map((user) => [user.id === id, user.verified])).toEqual(
      expect.arrayContaining([
        [true, true],
        [false, false],
      ]),
    );
    expect(claiming).toHaveLength(2);
  });

  it('cannot be claimed by another user once it is verified', async () => {
    const email = 'verified@bigcorp.example';
    const person = await join(as('owner'), service, { email, account: ours, role: 'member' });
    const { id } = (await person.session()).json.user;
    expect(await installation.json('user', 'verify', email)).toEqual({ id, email, verified: true });
    for (const by of ['stranger', 'operator'])
      expect((await accept(await invite(as(by), theirs, email), TRUE_PASSWORD)).status).toBe(401);
    expect((await person.session()).status).toBe(200);
    expect(await accountsOf(await signedIn(PASSWORD, email))).toEqual([ours]);
    expect((await openBrowser(service.url).signIn(email, TRUE_PASSWORD)).status).toBe(401);
    const users = await withStored(installation, (store) => store.usersOf(email));
    expect(users.map((user) => [user.id, user.verified])).toEqual([[id, true]]);
    expect((await accept(await invite(as('stranger'), theirs, email), PASSWORD)).status).toBe(200);
    expect(new Set(await accountsOf(person))).toEqual(new Set([ours, theirs]));
    expect((await as('owner').send('POST', `${API}/operator/people/${id}/verify`)).status).toBe(403);
  });

  it('cannot be used up by the owner of one account', async () => {
    const email = 'filled@bigcorp.example';
    expect((await accept(await invite(as('owner'), ours, email), PASSWORD)).status).toBe(200);
    const [user] = await withStored(installation, (store) => store.usersOf(email));
    const membership = { user_id: user?.id, account_id: ours };
    expect((await as('owner').send('DELETE', `${API}/operator/memberships`, membership)).status).toBe(204);
    expect((await accept(await invite(as('owner'), ours, email), TRUE_PASSWORD)).status).toBe(401);
    expect((await accept(await invite(as('stranger'), theirs, email), TRUE_PASSWORD)).status).toBe(200);
  });

  it('can still be claimed by an operator', async () => {
    const email = 'root@bigcorp.example';
    expect((await accept(await invite(as('owner'), ours, email), PASSWORD)).status).toBe(200);
    const secret = await printedSecret(installation, '--new-operator');
    const browser = openBrowser(service.url);
    const body = { secret, name: 'Root', email, password: TRUE_PASSWORD };
    expect((await browser.send('POST', `${API}/claim`, body)).status).toBe(200);
    expect((await browser.session()).json.user).toMatchObject({ email, operator: true });
    expect((await (await signedIn(PASSWORD, email)).session()).json.user.operator).toBe(false);
    expect((await (await signedIn(TRUE_PASSWORD, email)).session()).json.user.operator).toBe(true);
  });
});

describe('a membership', () => {
  it('ends at once, and its user sees nothing more', async () => {
    const browser = await join(as('owner'), service, {
      email: 'leaver@example.com',
      account: ours,
      role: 'owner',
    });
    const { id } = (await browser.session()).json.user;
    expect((await browser.send('GET', `${API}/operator/people?account=${ours}`)).status).toBe(200);
    const membership = { user_id: id, account_id: ours };
    expect((await as('owner').send('DELETE', `${API}/operator/memberships`, membership)).status).toBe(204);
    expect((await browser.send('GET', `${API}/operator/people?account=${ours}`)).status).toBe(404);
    expect((await browser.session()).json.accounts).toEqual([]);
  });
});

describe('an account', () => {
  it('is created and changed by an operator, and the API follows', async () => {
    const made = await as('operator').send<OperatorAccount>('POST', `${API}/operator/accounts`, {
      name: 'Shop',
      plan: 'starter',
    });
    expect(made.json).toMatchObject({
      name: 'Shop',
      plan: 'starter',
      overage: false,
      used: 0,
      limit: 10_000,
    });
    const path = `${API}/operator/accounts/${made.json.id}`;
    const changed = await as('operator').send('PATCH', path, {
      plan: 'pro',
      overage: true,
      monthly_quota: 7,
      requests_per_second: 3,
    });
    expect(changed.json).toMatchObject({ plan: 'pro', overage: true, monthly_quota: 7, limit: 7 });
    const reset = await as('operator').send('PATCH', path, { monthly_quota: null });
    expect(reset.json).toMatchObject({ monthly_quota: null, limit: 100_000, requests_per_second: 3 });
    const free = await as('operator').send('PATCH', path, { plan: 'free', overage: true });
    expect([free.status, free.json]).toMatchObject([400, { error: { param: 'overage' } }]);
    expect((await as('operator').send('PATCH', path, { plan: 'golden' })).json).toMatchObject({
      error: { code: 'missing_field', param: 'plan' },
    });
    expect((await as('operator').send('PATCH', `${API}/operator/accounts/acc_none`, {})).status).toBe(404);
    expect(await installation.json('account', 'list')).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: made.json.id, plan: 'pro', rps: 3 })]),
    );
  });
});

describe('an account that an operator deletes', () => {
  it('shows what is deleted with it, needs its name, and is gone with the users who had no other account', async () => {
    const made = await as('operator').send<OperatorAccount>('POST', `${API}/operator/accounts`, {
      name: 'Short lived',
      plan: 'starter',
    });
    const account = made.json.id;
    const path = `${API}/operator/accounts/${account}`;
    const email = 'short@lived.example';
    const person = await join(as('operator'), service, { email, account, role: 'owner' });
    expect((await as('operator').send('GET', `${path}/contents`)).json).toEqual({
      assessments: 0,
      indexing: false,
      feedback: 0,
      keys: 0,
      hooks: 0,
      tokens: 0,
      list_entries: 0,
      campaigns: 0,
      policies: 0,
      members: 1,
      users: 1,
      invitations: 1,
      audit_entries: 3,
    });
    const refused = await as('operator').send('DELETE', path, { confirm: 'Short' });
    expect([refused.status, refused.json]).toMatchObject([400, { error: { param: 'confirm' } }]);
    expect((await person.session()).status).toBe(200);

    expect((await as('operator').send('DELETE', path, { confirm: 'Short lived' })).status).toBe(204);
    expect((await person.session()).status).toBe(401);
    expect((await as('operator').send('DELETE', path, { confirm: 'Short lived' })).status).toBe(404);
    const { text } = await as('operator').send('GET', `${API}/operator/accounts`);
    expect(text).not.toContain(account);
    const log = await as('operator').send('GET', `${API}/operator/audit`);
    expect(log.text).toContain('account_deleted');
    expect(log.text).not.toContain(account);
  });
});

const OWNER = 'owner@example.com (not verified, invited by operator@example.com)';

describe('the audit log', () => {
  it('contains each change with its author, in the account that was changed', async () => {
    const page = await withStored(installation, (store) => store.auditEntries(ours, null, 200));
    const lines = page.entries.map(({ by, action, target }) => `${by} ${action} ${target}`);
    expect(lines).toEqual(
      expect.arrayContaining([
        'operator@example.com person_invited owner@example.com',
        `${OWNER} invitation_accepted owner@example.com`,
        `${OWNER} person_invited member@example.com`,
        `${OWNER} invitation_withdrawn late@example.com`,
        `${OWNER} person_removed leaver@example.com (not verified, invited by owner@example.com (not verified))`,
        'operator@example.com account_changed ours',
      ]),
    );
    expect(page.entries.every(({ accountId }) => accountId === ours)).toBe(true);
    expect(JSON.stringify(page)).not.toContain(PASSWORD);
  });
});
