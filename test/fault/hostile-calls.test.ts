/** Hostile calls of every route outside the public API, by strangers and by people of every role: each gets a documented error or a correct answer, and nothing of them is stored. */
import type { Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Role } from '../../src/contract/dashboard-account.ts';
import { MANAGE_SCOPES } from '../../src/model/manage-token.ts';
import { itKeepsMemoryFlat, type MemoryRounds, noteMemory, SEEDS } from '../support/fuzz-rounds.ts';
import { ask, openKept } from '../support/kept-connection.ts';
import { rounds } from '../support/long-version.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { plant } from '../support/plant.ts';
import { complaintAboutCall } from '../support/raw-answers.ts';
import { request } from '../support/raw-requests.ts';
import { type RegisteredRoute, registeredRoutes } from '../support/registered-routes.ts';
import { bodyOfSchema, MEANINGFUL } from '../support/schema-bodies.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';

/** Calls of each route by each role; a call with a password costs a tenth of a second of processor time. */
const CALLS = rounds(2, 12);
const PASSWORD_CALLS = rounds(1, 2);
const PROVES_PASSWORD = /\/auth\/|\/claim$|\/invitations$/;
const ROLES = ['nobody', 'member', 'owner', 'operator'] as const;
/** Scopes of the management API. */
const TOKEN_ROLES = ['nobody', 'token'] as const;
const MANAGE = '/v1/manage/';
/** Routes of the public API and of hooks, which have their own generators, and routes with the same answer for everybody. */
const OTHERS = /^\/(?:v1\/(?!manage\/)|hooks\/)/;
const PLAIN = /^\/(?!v1\/manage\/|dashboard\/(?:api|auth)\/|challenge\/confirm)/;
/** A session that a call ended is started again; more than this in a round would mean that nobody was signed in. */
const MAX_SIGN_INS = 60;
const SIGN_IN = { timeout: 90_000, interval: 1_000 };

const ROUTES = (await registeredRoutes()).filter(({ path }) => !OTHERS.test(path) && !PLAIN.test(path));

let installation: Installation;
let service: Service;
let account: string;
let token: string;
let connection: Socket | undefined;
const people = new Map<string, Person>();
let signIns = 0;
let sent = 0;

beforeAll(async () => {
  installation = await createInstallation({ GATEHOUSE_VELOCITY_MB: '16' });
  account = (await plant(installation, { name: 'ours' })).id;
  const scopes = MANAGE_SCOPES.flatMap((scope) => ['--scope', scope]);
  ({ token } = await installation.json<{ token: string }>('token', 'create', '--name', 'all', ...scopes));
  service = await installation.start();
}, 240_000);
afterAll(() => installation?.remove());

describe('the dashboard’s API', { timeout: 600_000 }, () => {
  const kept: MemoryRounds = [];

  it('has routes, and people of every role call them', () => {
    expect(ROUTES.length).toBeGreaterThan(60);
  });

  describe.each(SEEDS)('seed %i', (seed) => {
    afterAll(() => noteMemory(kept, service));

    it.each(ROUTES)('$method $path', async (route) => {
      const count = PROVES_PASSWORD.test(route.path) ? PASSWORD_CALLS : CALLS;
      for (const [at, role] of rolesOf(route.path).entries()) {
        const credentials = await credentialsOf(role);
        for (const call of fc.sample(callOf(route), { numRuns: count, seed: seed + at })) {
          const answer = await send(route, call, credentials);
          sent += 1;
          const about = `${role}: ${call.target} ${call.body.slice(0, 300)}`;
          expect(complaintAboutCall(answer)?.slice(0, 300), about).toBeUndefined();
          if (role === 'nobody' && /^\/dashboard\/api\/accounts/.test(route.path))
            expect(answer.status, about).toBeGreaterThan(399);
        }
      }
    });

    it('was called by people who were signed in', () => {
      expect(signIns).toBeLessThan(MAX_SIGN_INS);
      signIns = 0;
    });
  });

  it('was called', () => {
    expect(sent).toBeGreaterThan(ROUTES.length * ROLES.length * SEEDS.length);
  });

  itKeepsMemoryFlat(kept, 4, () => sent);
});

interface Call {
  readonly target: string;
  readonly body: string;
  /** Whether it comes from our own pages; otherwise calls that may change something are refused at once. */
  readonly isOwn: boolean;
}

/** Ids of the account, or any text instead; queries; bodies from the schema of the route. */
function callOf({ path, body }: RegisteredRoute): fc.Arbitrary<Call> {
  const text = fc.oneof(
    fc.constantFrom(
      'none',
      '',
      '%00',
      '%',
      '%zz',
      '..',
      '__proto__',
      'constructor',
      '%2e%2e%2f',
      "'--",
      '%E2%82',
    ),
    fc.string({ maxLength: 20 }).map(encodeURIComponent),
    fc.constantFrom(90, 101, 5_000).map((length) => 'a'.repeat(length)),
  );
  const place = fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: text });
  const parts = path.split('/').map((part) => {
    if (!part.startsWith(':')) return fc.constant(part);
    return place.map((other) =>
      other === '' && part === ':account' ? account : other === '' ? 'none' : other,
    );
  });
  const names = [
    'account',
    'key',
    'cursor',
    'limit',
    'q',
    'period',
    'mode',
    'verdict',
    'from',
    'to',
    'x',
    '__proto__',
  ];
  const query = fc.oneof(
    fc.constant(''),
    fc
      .array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 4 })
      .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map((pair) => pair.join('=')).join('&')}`)),
  );
  const known = { ...MEANINGFUL, account_id: [account, 'acc_none'], user_id: ['usr_none'] };
  return fc.record({
    target: fc.tuple(fc.tuple(...parts), query).map(([segments, end]) => segments.join('/') + end),
    body: bodyOfSchema(body ?? {}, known),
    isOwn: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
  });
}

async function send(
  { method }: RegisteredRoute,
  { target, body, isOwn }: Call,
  credentials: readonly string[],
) {
  const bytes = Buffer.from(method === 'GET' ? '' : body);
  const headers = [
    'Host: localhost',
    'Content-Type: application/json',
    ...(method === 'GET' ? [] : [`Content-Length: ${bytes.length}`]),
    ...(isOwn ? ['X-Gatehouse: dashboard'] : []),
    ...credentials,
  ];
  if (connection === undefined || !connection.writable) [connection] = await openKept(service.port, 1);
  const answer = await ask(connection as Socket, request(`${method} ${target} HTTP/1.1`, headers, bytes));
  if (answer.headers.get('connection') === 'close') connection = undefined;
  return answer;
}

const rolesOf = (path: string) => (path.startsWith(MANAGE) ? TOKEN_ROLES : ROLES);

/** The header lines that identify the caller. */
async function credentialsOf(role: string): Promise<string[]> {
  if (role === 'nobody') return [];
  if (role === 'token') return [`Authorization: Bearer ${token}`];
  return [`Cookie: ${(await personOf(role)).cookie}`];
}

/** Signs in again if a call ended the session or removed the person. */
async function personOf(role: string): Promise<Person> {
  const known = people.get(role);
  const seen = await known?.get<{ accounts: unknown[] }>('/session');
  if (known !== undefined && seen?.status === 200 && seen.json.accounts.length > 0) return known;
  known?.close();
  signIns += 1;
  const access = role === 'operator' ? role : { account, role: role as Role };
  const planted = await plantPerson(installation, access);
  // Generated sign-ins may have used up the tries of the next second.
  const person = await vi.waitFor(() => signIn(service, planted), SIGN_IN);
  people.set(role, person);
  return person;
}
