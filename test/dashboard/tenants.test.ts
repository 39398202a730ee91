/** Generated calls of every route, public and dashboard, by the people and keys of three accounts: nobody is shown anything of another account, and an id of others is answered like one that does not exist. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { type Answer, createClient } from '../support/client.ts';
import { dashboardRouteTable } from '../support/dashboard-route-table.ts';
import { rounds } from '../support/long-version.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';
import { createTenants, type IdKind, type Tenant } from '../support/three-tenants.ts';

/** Set GATEHOUSE_TEST_SEED to make other calls. */
const SEED = Number(process.env.GATEHOUSE_TEST_SEED ?? 20260510);
const CALLS_OF_EACH = rounds(6, 200);
const PARAMETER = /:(\w+)\??/g;
const KINDS: readonly string[] = ['account', 'request_id', 'key', 'hook', 'id', 'user'] satisfies IdKind[];
/** They end the session of the person who calls, and what follows would prove nothing. */
const SIGNS_OUT = /^\/dashboard\/(?:auth\/|api\/(?:sessions|claim|invitations|password))/;

const ROUTES = [
  ...dashboardRouteTable().filter(({ path }) => !SIGNS_OUT.test(path)),
  ...Object.values(OPERATIONS).map(({ method, path }) => ({
    method,
    path: path.replace(/\{(\w+)\}/g, ':$1'),
  })),
];

interface Call {
  /** Who calls, and whose ids the call names: of three accounts; 3 stands for ids that do not exist. */
  readonly caller: number;
  readonly of: number;
  readonly asMember: boolean;
  /** It names the caller's own account, and ids of the other in it. */
  readonly inOwnAccount: boolean;
  readonly text: string;
}
const call: fc.Arbitrary<Call> = fc.record({
  caller: fc.nat({ max: 2 }),
  of: fc.nat({ max: 3 }),
  asMember: fc.boolean(),
  inOwnAccount: fc.boolean(),
  text: fc.oneof(
    fc.constantFrom('false_positive', 'allow', '7d', 'live', 'owner', 'deny'),
    fc.string({ maxLength: 8 }),
  ),
});

let installation: Installation;
let service: Service;
let tenants: Tenant[];
beforeAll(async () => {
  installation = await createInstallation();
  ({ service, tenants } = await createTenants(installation));
}, 120_000);
afterAll(() => installation?.remove());

describe(`calls of every route, seed ${SEED}`, { timeout: 600_000 }, () => {
  it('knows what each parameter of a path names', () => {
    const names = ROUTES.flatMap(({ path }) => [...path.matchAll(PARAMETER)].map((match) => match[1]));
    expect(ROUTES.length).toBeGreaterThan(50);
    expect([...new Set(names)].filter((name) => !KINDS.includes(name as string))).toEqual([]);
  });

  it.each(ROUTES)('$method $path shows nothing of another account', async ({ method, path }) => {
    for (const generated of fc.sample(call, { numRuns: CALLS_OF_EACH, seed: SEED })) {
      const { status, text } = await send({ method, path }, generated);
      const about = `${JSON.stringify(generated)}: ${status} ${text.slice(0, 500)}`;
      expect(status, about).toBeLessThan(500);
      expect(shownOfOthers(text, generated), about).toEqual([]);
    }
  });

  it.each(ROUTES.filter(({ path }) => path.includes(':')))(
    '$method $path answers ids of others like unknown ones',
    async (route) => {
      const [generated] = fc.sample(call, { numRuns: 1, seed: SEED }) as [Call];
      const hasOtherIds = /:(?!account\b)/.test(route.path);
      for (const inOwnAccount of hasOtherIds ? [false, true] : [false]) {
        const foreign = { ...generated, inOwnAccount, of: (generated.caller + 1) % 3 };
        const [own, none] = [await send(route, foreign), await send(route, { ...foreign, of: 3 })];
        expect(summary(own), JSON.stringify(foreign)).toEqual(summary(none));
      }
    },
  );
});

/** What the answer has of the two other accounts, beside what the caller sent. */
function shownOfOthers(text: string, { caller, of }: Call): string[] {
  const sent = new Set(of < 3 ? Object.values((tenants[of] as Tenant).ids) : []);
  return tenants
    .filter((_tenant, at) => at !== caller)
    .flatMap(({ secrets }) => secrets)
    .filter((secret) => text.includes(secret) && !sent.has(secret));
}

function send(
  { method, path }: (typeof ROUTES)[number],
  { caller, of, asMember, inOwnAccount, text }: Call,
): Promise<Answer> {
  const tenant = tenants[caller] as Tenant;
  const id = (kind: string) =>
    (inOwnAccount && kind === 'account' ? tenant : tenants[of])?.ids[kind as IdKind] ?? `${kind}_none`;
  const target = path.replace(PARAMETER, (_match, kind: string) => id(kind));
  const body = method === 'GET' ? undefined : bodyOf(id, text);
  if (!path.startsWith('/v1/')) {
    const query =
      method === 'GET'
        ? `?account=${id('account')}&key=${id('key')}&cursor=${encodeURIComponent(text)}&q=example`
        : '';
    return (asMember ? tenant.member : tenant.owner).send(method, target + query, body);
  }
  const client = createClient(service.url, asMember ? tenant.test : tenant.live);
  return client.send({ method, path: target, body }).finally(() => client.close());
}

/** Names ids in every way that a body can. */
function bodyOf(id: (kind: string) => string, text: string) {
  return {
    account: id('account'),
    account_id: id('account'),
    key_id: id('key'),
    request_id: id('request_id'),
    user_id: id('user'),
    hook_id: id('hook'),
    id: id('id'),
    entry_id: id('id'),
    email: 'new@example.com',
    name: text,
    outcome: text,
    value: 'some.example',
    action: text,
    role: 'member',
    mode: 'live',
    token: text,
    period: text,
  };
}

/** Status and text, without ids of requests and of what was asked for. */
function summary({ status, text }: Answer) {
  return {
    status,
    text: text.replace(/(?:acc|key|hook|req|lst|usr|request_id|account|id|user)_[\w-]+/g, 'ID'),
  };
}
