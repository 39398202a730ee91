/** Calls of every route, public, of hooks and of the dashboard, by the people and keys of three accounts: nobody sees or changes anything of another account, and an id of another account is answered like an unknown one. */
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenSessions } from '../../src/contract/dashboard-people.ts';
import { type Browser, openBrowser, PASSWORD } from '../support/browser.ts';
import { type Answer, type Client, createClient } from '../support/client.ts';
import { rounds } from '../support/long-version.ts';
import { type RegisteredRoute, registeredRoutes } from '../support/registered-routes.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';
import { callWith, idKindsOf, type PreparedCall, unknownIds } from '../support/tenant-calls.ts';
import { createTenants, type IdKind, type Ids, type Tenant, undoOf } from '../support/three-tenants.ts';

/** Set GATEHOUSE_TEST_SEED to make other calls. */
const SEED = Number(process.env.GATEHOUSE_TEST_SEED ?? 20260510);
const CALLS_OF_EACH = rounds(4, 200);
/** Files of the dashboard and of the reference, health and metrics: the same for everybody. */
const OPERATIONS = /^\/(?:v1|hooks|dashboard\/(?:api|auth))\//;
/** Each wrong password costs a tenth of a second of processor time, and soon causes a wait. */
const PROVES_PASSWORD = /\/auth\/(?!sign-out)|\/claim$|\/api\/invitations$/;
/** A change can be taken back for a minute. */
const FIRST = /\/undo$/;
/** These calls really remove own records. */
const LATE = /\/revoke$|sessions/;
const LAST = /\/operator\/memberships$/;

const ROUTES = (await registeredRoutes()).filter(({ path }) => OPERATIONS.test(path));
const WITH_IDS = ROUTES.filter((route) => idKindsOf(route).some((kind) => kind !== 'feed'));
const INVITATION = ROUTES.find(
  ({ method, path }) => method === 'POST' && path.endsWith('/operator/invitations'),
);
/** A new role is automatically one that people can be invited with. */
const ROLES = INVITATION?.body?.properties?.role?.enum as readonly string[];
const KEYS = ['live', 'test'] as const;

let installation: Installation;
let service: Service;
let operator: Browser;
let tenants: readonly Tenant[];
let first: Tenant;
let second: Tenant;
const nobody: { client?: Client; browser?: Browser } = {};

beforeAll(async () => {
  installation = await createInstallation();
  ({ service, operator, tenants } = await createTenants(installation, ROLES));
  [first, second] = tenants as [Tenant, Tenant];
}, 240_000);
afterAll(() => installation?.remove());

describe('the routes', () => {
  it('cover every part, and each of their ids is known', () => {
    for (const part of ['/v1/', '/hooks/', '/dashboard/api/', '/dashboard/auth/'])
      expect(
        ROUTES.some(({ path }) => path.startsWith(part)),
        part,
      ).toBe(true);
    expect(ROUTES.length).toBeGreaterThan(70);
    expect(WITH_IDS.length).toBeGreaterThan(40);
    const unexplained = ROUTES.filter((route) => idKindsOf(route).includes(undefined));
    expect(unexplained.map(({ path }) => path)).toEqual([]);
    expect(ROLES.length).toBeGreaterThan(1);
  });
});

describe('ids of another account', { timeout: 300_000 }, () => {
  let before: string[];
  beforeAll(async () => {
    before = await listings(second);
  });

  it.each(WITH_IDS)('$method $path answers like for unknown ids, to everybody', async (route) => {
    const kinds = idKindsOf(route) as IdKind[];
    const unknown = unknownIds(second.ids);
    for (const caller of callersOf(route)) {
      for (const inOwnAccount of waysOf(kinds, caller)) {
        const own = inOwnAccount ? { account: first.ids.account } : {};
        const [foreign, none] = [
          { ...second.ids, ...own },
          { ...unknown, ...own },
        ];
        const [seen, expected] = [
          seenOf(await send(caller, callWith(route, foreign)), foreign),
          seenOf(await send(caller, callWith(route, none)), none),
        ];
        expect(seen, `${caller}, in the own account: ${inOwnAccount}`).toEqual(expected);
        expect(seen.status, caller).toBeGreaterThan(399);
      }
    }
  });

  it('hooks accept no signature with the secret of another account’s hook', async () => {
    const signed = async (hook: string) => {
      const body = '{"metadata":{"name":"before-user-created"},"user":{"email":"jo@example.com"}}';
      const [id, at] = ['msg_1', new Date()];
      const signature = new Webhook(first.hookSecret.slice('v1,'.length)).sign(id, at, body);
      const times = { 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)) };
      const headers = { 'webhook-id': id, ...times, 'webhook-signature': signature };
      return anonymous().send({ method: 'POST', path: `/hooks/supabase/${hook}`, headers, body });
    };
    const [own, foreign] = [await signed(first.ids.hook), await signed(second.ids.hook)];
    const none = await signed(unknownIds(second.ids).hook);
    expect([own.status, foreign.status]).toEqual([200, 401]);
    expect(foreign.text).toBe(none.text);
  });

  it('have changed nothing', async () => {
    expect(await listings(second)).toEqual(before);
  });
});

describe(`generated calls of every route, seed ${SEED}`, { timeout: 600_000 }, () => {
  it.each(ROUTES)('$method $path shows nothing of another account', async (route) => {
    const count = PROVES_PASSWORD.test(route.path) ? 1 : CALLS_OF_EACH;
    for (const generated of fc.sample(callOf(route), { numRuns: count, seed: SEED })) {
      const { caller, of, mixed, text } = generated;
      const ids = { ...(tenants[of]?.ids ?? unknownIds(first.ids)), ...Object.fromEntries(mixed) };
      const call = callWith(route, ids, text);
      const { status, text: answer } = await send(caller, call);
      const about = `${JSON.stringify(generated)}: ${status} ${answer.slice(0, 500)}`;
      expect(status, about).toBeLessThan(500);
      const sent = JSON.stringify(call);
      const others = tenants.filter((tenant) => tenant !== first).flatMap(({ secrets }) => secrets);
      expect(
        others.filter((secret) => answer.includes(secret) && !sent.includes(secret)),
        about,
      ).toEqual([]);
    }
  });
});

describe('the first account’s own ids', { timeout: 120_000 }, () => {
  /** Nobody learns whether an address has a user, and hooks check their signature (see above). */
  const tested = WITH_IDS.filter(
    (route) => !route.path.startsWith('/hooks/') && idKindsOf(route).some((kind) => kind !== 'email'),
  );
  const inOrder = tested.sort((a, b) => rank(a) - rank(b));
  /** Other calls may have ended sessions. */
  let ids: Ids;
  beforeAll(async () => {
    await signInAgain();
    const member = first.people.get('member') as Browser;
    const { json } = await member.send<OpenSessions>('GET', '/dashboard/api/sessions');
    const session = json.sessions.find(({ current }) => current)?.id as string;
    ids = { ...first.ids, session, undo: await undoOf(member, first.ids) };
  });

  // Otherwise the comparison above would not depend on the ids.
  it.each(inOrder)('$method $path answers differently than for unknown ids', async (route) => {
    const kinds = idKindsOf(route) as IdKind[];
    const record = kinds.find((kind) => kind !== 'account') ?? 'account';
    const none = { ...ids, [record]: unknownIds(ids)[record] };
    const pairs = [];
    for (const caller of callersOf(route)) {
      const unknown = seenOf(await send(caller, callWith(route, none)), none);
      pairs.push([unknown, seenOf(await send(caller, callWith(route, ids)), ids)]);
    }
    expect(
      pairs.some(([unknown, own]) => JSON.stringify(own) !== JSON.stringify(unknown)),
      JSON.stringify(pairs),
    ).toBe(true);
  });
});

function rank({ method, path }: RegisteredRoute): number {
  if (FIRST.test(path)) return -1;
  if (LAST.test(path)) return method === 'DELETE' ? 4 : 3;
  return LATE.test(path) ? 2 : method === 'DELETE' ? 1 : 0;
}

interface GeneratedCall {
  /** A caller of the first account. */
  readonly caller: string;
  /** The account whose ids the call names; 3 means ids that do not exist. */
  readonly of: number;
  /** Some ids are replaced by those of other accounts. */
  readonly mixed: readonly (readonly [string, string])[];
  readonly text: string | undefined;
}

function callOf(route: RegisteredRoute): fc.Arbitrary<GeneratedCall> {
  const text = fc.oneof(
    fc.constantFrom('false_positive', 'allow', '7d', 'live', 'owner', 'deny'),
    fc.string({ maxLength: 8 }),
  );
  // Its own records are needed later.
  const own = route.method === 'GET' ? [0] : [];
  const mixed = fc
    .constantFrom(...idKindsOf(route), 'account')
    .chain((kind) =>
      fc
        .constantFrom(0, 1, 2)
        .map((at) => [kind as string, tenants[at]?.ids[kind as IdKind] ?? 'none'] as const),
    );
  return fc.record({
    caller: fc.constantFrom(...callersOf(route).filter((caller) => caller !== 'operator')),
    of: fc.constantFrom(1, 2, 3, ...own),
    mixed:
      route.method === 'GET' || idKindsOf(route).length > 1
        ? fc
            .array(mixed, { maxLength: 1 })
            .map((all) => all.filter(([kind]) => kind === 'account' || route.method === 'GET'))
        : fc.constant([]),
    text: fc.option(text, { nil: undefined }),
  });
}

/** Callers who can call it at all. Only the caller without a session tries passwords: the others would soon have to wait. */
function callersOf({ path }: RegisteredRoute): string[] {
  if (path.startsWith('/v1/manage/')) return ['token', 'live', 'nobody'];
  if (path.startsWith('/v1/')) return [...KEYS, 'nobody'];
  if (path.startsWith('/hooks/') || PROVES_PASSWORD.test(path)) return ['nobody'];
  return [...ROLES, 'operator', 'nobody'];
}

/** An operator may see every account, but never a record of one account in another. */
function waysOf(kinds: readonly IdKind[], caller: string): boolean[] {
  const ways = kinds.includes('account') && kinds.length > 1 ? [false, true] : [false];
  if (caller !== 'operator') return ways;
  return ways.filter((inOwnAccount) => inOwnAccount);
}

async function send(caller: string, { method, target, body }: PreparedCall): Promise<Answer> {
  if (/^\/(?:v1|hooks)\//.test(target)) {
    const key = ([...KEYS, 'token'] as const).find((name) => name === caller);
    return anonymous().send({ method, path: target, key: key === undefined ? null : first[key], body });
  }
  nobody.browser ??= openBrowser(service.url);
  const browser = caller === 'operator' ? operator : (first.people.get(caller) ?? nobody.browser);
  const answer = await browser.send(method, target, body);
  if (target.endsWith('/sign-out')) await signInAgain();
  return answer;
}

function anonymous(): Client {
  nobody.client ??= createClient(service.url);
  return nobody.client;
}

async function signInAgain(): Promise<void> {
  const all: [string, Browser][] = [...first.people].map(([role, browser]) => [
    `${role}@${first.word}.example`,
    browser,
  ]);
  for (const [email, browser] of [...all, ['operator@example.com', operator] as const]) {
    if ((await browser.session()).status === 200) continue;
    const { status } = await browser.signIn(email, PASSWORD);
    expect(status, email).toBe(200);
  }
}

const OF_REQUEST = ['date', 'x-request-id', 'content-length', 'set-cookie'];

/** An answer without its time, its own id and the ids that were sent. */
function seenOf({ status, headers, text }: Answer, sent: Ids) {
  const others = Object.entries(headers).filter(
    ([name]) => !OF_REQUEST.includes(name) && !/^x-(?:rate|quota)/.test(name),
  );
  const ids = Object.values(sent).sort((a, b) => b.length - a.length);
  return { status, headers: others, text: ids.reduce((all, id) => all.replaceAll(id, 'ID'), text) };
}

/** The records that an owner sees of an account. */
async function listings({ ids, people }: Tenant): Promise<string[]> {
  const owner = people.get('owner') as Browser;
  const parts = ['keys', 'lists', 'hooks', 'policy', 'feedback'].map(
    (part) => `accounts/${ids.account}/${part}`,
  );
  const paths = [...parts, `operator/people?account=${ids.account}`, `accounts/${ids.account}/assessments`];
  const answers = await Promise.all(paths.map((path) => owner.send('GET', `/dashboard/api/${path}`)));
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
  return answers.map(({ text }) => text);
}
