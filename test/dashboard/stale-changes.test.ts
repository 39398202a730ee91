/** Every route of the dashboard that replaces what others may have changed refuses a version from before their change; a new route has to be in one of the two tables. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyRow, ListEntryRow, PolicyPage, Session } from '../../src/contract/dashboard-account.ts';
import type { AssessmentDetail } from '../../src/contract/dashboard-assessments.ts';
import type { CampaignDetail } from '../../src/contract/dashboard-campaigns.ts';
import type { SupportAnswer } from '../../src/contract/dashboard-customer.ts';
import type { DestinationSecret, DestinationsPage } from '../../src/contract/dashboard-destinations.ts';
import type { HookRow } from '../../src/contract/dashboard-hooks.ts';
import type {
  Intelligence,
  OperatorAccount,
  People,
  VersionedMailHostReport,
} from '../../src/contract/dashboard-installation.ts';
import type { ConnectionRow, ConnectionsPage } from '../../src/contract/dashboard-take-back.ts';
import type { MeanwhileChange } from '../../src/contract/problem.ts';
import { aLearnedCampaign } from '../support/a-campaign.ts';
import { type Person, type PlantedPerson, plantPerson, signIn } from '../support/person.ts';
import { registeredRoutes } from '../support/registered-routes.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';
import { withStored } from '../support/stored.ts';

interface Refusal {
  readonly error: { readonly code: string; readonly meanwhile: readonly MeanwhileChange[] };
}
type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Change = readonly [method: Method, path: string, body?: unknown];

interface Row {
  /** Route of `own`, as the service registers it. */
  readonly route: string;
  read(): Promise<string>;
  /** Change by somebody else after `read`. */
  readonly theirs: () => Change;
  readonly own: () => Change;
  /** Words of the refusal for the change of the other person. */
  readonly what: string | RegExp;
}

/** Nothing of others is replaced. */
const REPLACES_NOTHING: Readonly<Record<string, string>> = {
  'POST /claim': 'a link is used once',
  'POST /claim/read': 'reads',
  'POST /invitations': 'joins by an invitation, once',
  'POST /invitations/read': 'reads',
  'POST /operator/accounts': 'adds',
  'DELETE /operator/accounts/:account': 'whatever is in it, after its name was typed',
  'POST /operator/tokens': 'adds',
  'POST /operator/tokens/:id/revoke': 'a token has nothing else that changes',
  'POST /operator/invitations': 'adds',
  'DELETE /operator/invitations/:id': 'an invitation never changes',
  'POST /operator/people/:user/verify': 'an address is verified once',
  'DELETE /operator/people/:user/sessions': 'whatever sessions there are',
  'DELETE /operator/sessions': 'whatever sessions there are',
  'DELETE /sessions': 'the own ones',
  'DELETE /sessions/:id': 'an own one',
  'POST /intelligence/refresh': 'fetches',
  'POST /accounts/:account/find': 'reads',
  'POST /accounts/:account/support': 'reads',
  'POST /accounts/:account/simulate': 'reads',
  'POST /accounts/:account/try': 'assesses',
  'POST /accounts/:account/lists/preview': 'reads',
  'POST /accounts/:account/assessments/:request_id/address': 'reads',
  'POST /accounts/:account/privacy/search': 'reads',
  'POST /accounts/:account/privacy/export': 'reads',
  'POST /accounts/:account/privacy/erase': 'a person has a right to it, whatever there is',
  'POST /accounts/:account/undo': 'has a token, which knows the state itself',
  'POST /accounts/:account/audit/undo': 'refuses what is not as the entry left it',
  'POST /accounts/:account/keys': 'adds; names are checked',
  'POST /accounts/:account/hooks': 'adds',
  'POST /accounts/:account/destinations': 'adds',
  'POST /accounts/:account/destinations/:destination/test': 'sends',
  'POST /accounts/:account/destinations/:destination/deliveries/:event/replay': 'sends again',
  'POST /accounts/:account/filters': 'adds an own one',
  'PATCH /accounts/:account/filters/:id': 'an own one',
  'DELETE /accounts/:account/filters/:id': 'an own one',
  'POST /accounts/:account/feedback/state': 'each report has its time in the body: a later one stays open',
  'POST /oidc': 'begins a sign-in',
  'POST /accounts/:account/feedback/labels': 'a report that a signup has already stays',
  'POST /accounts/:account/assessments/feedback': 'a report that a signup has already stays',
  'POST /accounts/:account/assessments/export': 'reads',
  'POST /accounts/:account/recall': 'asks for a run',
  'POST /accounts/:account/recall/dismiss': 'what is found later stays',
  'POST /accounts/:account/attacks/:attack/block': 'entries, reports and decisions of others stay',
  'POST /accounts/:account/attacks/:attack/report': 'a report that a signup has already stays',
  'POST /accounts/:account/attacks/:attack/undo': 'its actions know the state themselves',
  'POST /accounts/:account/connections': 'adds',
  'POST /accounts/:account/connections/:connection/check': 'asks',
  'POST /accounts/:account/takeback': 'adds; the preview says which signups',
  'POST /accounts/:account/takeback/preview': 'reads',
  'POST /accounts/:account/takeback/:job/cancel': 'refuses a job in another state',
  'POST /accounts/:account/takeback/:job/continue': 'refuses a job in another state',
  'POST /accounts/:account/takeback/:job/undo': 'releases what is as the job left it',
  'POST /accounts/:account/takeback/:job/ids': 'an id that an account has stays',
  'POST /accounts/:account/lists/batch': 'each value has its own version in the body, which is required',
  'DELETE /accounts/:account/lists/:id/history': 'whatever there is',
};

const VALUE = 'stale-harbour.com';
const HOST = 'mx.stale-harbour.com';
let scene: Scene;
let account: string;
let jo: PlantedPerson;
let requestId: string;
let campaignId: string;
let [keyId, hookId, destinationId, connectionId] = ['', '', '', ''];
const people: Person[] = [];
let owner: Person;
let operators: readonly [Person, Person];

beforeAll(async () => {
  scene = await startScene();
  const { id } = scene.account;
  account = `/accounts/${id}`;
  const plantIn = (role: 'owner' | 'member') => plantPerson(scene.installation, { account: id, role });
  jo = await plantIn('member');
  for (const planted of [
    await plantPerson(scene.installation, 'operator'),
    await plantPerson(scene.installation, 'operator'),
    await plantIn('owner'),
  ])
    people.push(await signIn(scene.service, planted));
  const [first, second, third] = people as [Person, Person, Person];
  operators = [first, second];
  owner = third;
  const campaign = await withStored(scene.installation, (store) =>
    store.saveLearned(aLearnedCampaign(id, VALUE, { openedAt: Date.now() - 60_000 })),
  );
  campaignId = campaign?.id as string;
  requestId = (await scene.live.assess({ email: colleague('jo', 'mailinator.com') })).json.request_id;
  const made = await first.send<{ key: KeyRow }>('POST', `${account}/keys`, { name: 'shop', mode: 'live' });
  keyId = made.json.key.id;
  const hook = { provider: 'supabase', name: 'form', mode: 'live', challenge_as: 'allow', on_error: 'allow' };
  const webhook = {
    kind: 'webhook',
    name: 'team',
    url: 'https://hooks.example.com/',
    types: [],
    verdicts: [],
  };
  const added = await first.send<DestinationSecret>('POST', `${account}/destinations`, webhook);
  destinationId = added.json.destination.id;
  const provider = { kind: 'kratos', name: 'shop', url: 'https://kratos.example.com', secret: 'secret' };
  connectionId = (await first.send<ConnectionRow>('POST', `${account}/connections`, provider)).json.id;
  hookId = (await first.send<{ hook: HookRow }>('POST', `${account}/hooks`, hook)).json.hook.id;
});
afterAll(async () => {
  for (const person of people) person.close();
  await scene?.end();
});

async function get<T>(path: string): Promise<T> {
  return (await operators[0].get<T>(path)).json;
}
const key = async () =>
  (await get<KeyRow[]>(`${account}/keys`)).find(({ id }) => id === keyId)?.version as string;
const hook = async () =>
  (await get<HookRow[]>(`${account}/hooks`)).find(({ id }) => id === hookId)?.version as string;
const connection = async () =>
  (await get<ConnectionsPage>(`${account}/connections`)).connections.find(({ id }) => id === connectionId)
    ?.version as string;
const destination = async () =>
  (await get<DestinationsPage>(`${account}/destinations`)).destinations.find(({ id }) => id === destinationId)
    ?.version as string;
const policy = async () => (await get<PolicyPage>(`${account}/policy`)).version;
const role = async () =>
  (await get<People>(`/operator/people?account=${scene.account.id}`)).users.find(({ id }) => id === jo.id)
    ?.memberships[0]?.version as string;
const setRole = (to: string): Change => [
  'PATCH',
  '/operator/memberships',
  { user_id: jo.id, account_id: scene.account.id, role: to },
];
const limits = async () =>
  (await get<OperatorAccount[]>('/operator/accounts')).find(({ id }) => id === scene.account.id)
    ?.version as string;
const report = async () => (await get<AssessmentDetail>(`${account}/assessments/${requestId}`)).version;
const label = async () => {
  const answer = await owner.send<SupportAnswer>('POST', `${account}/support`, { text: requestId });
  return answer.json.signups[0]?.version as string;
};
const give = (outcome: string): Change => [
  'POST',
  `${account}/assessments/${requestId}/feedback`,
  { outcome },
];
const entry = async () =>
  (await get<ListEntryRow[]>(`${account}/lists`)).find(({ value }) => value === VALUE) as ListEntryRow;
const addEntry = (reason: string): Change => [
  'POST',
  `${account}/lists`,
  { action: 'deny', value: VALUE, reason },
];
let entryId = '';

/** In this order; each leaves what the next needs. */
const ROWS: readonly Row[] = [
  {
    route: 'PATCH /operator/memberships',
    read: role,
    theirs: () => setRole('analyst'),
    own: () => setRole('owner'),
    what: /^changed the role of .*: member → analyst$/,
  },
  {
    route: 'DELETE /operator/memberships',
    read: role,
    theirs: () => setRole('member'),
    own: () => ['DELETE', '/operator/memberships', { user_id: jo.id, account_id: scene.account.id }],
    what: /^changed the role of .*: owner → member$/,
  },
  {
    route: 'PATCH /operator/accounts/:account',
    read: limits,
    theirs: () => ['PATCH', `/operator${account}`, { monthly_quota: 70_000 }],
    own: () => ['PATCH', `/operator${account}`, { requests_per_second: 70 }],
    what: /^changed .*: monthly quota as the plan says → 70000$/,
  },
  {
    route: 'PATCH /accounts/:account/settings',
    read: async () =>
      (await get<Session>('/session')).accounts.find(({ id }) => id === scene.account.id)
        ?.settings_version as string,
    theirs: () => ['PATCH', `${account}/settings`, { time_zone: 'Europe/Berlin' }],
    own: () => ['PATCH', `${account}/settings`, { time_zone: 'America/Lima' }],
    what: 'set the time zone Europe/Berlin',
  },
  {
    route: 'PUT /accounts/:account/thresholds',
    read: policy,
    theirs: () => ['PUT', `${account}/thresholds`, { challenge: 33, block: 58 }],
    own: () => ['PUT', `${account}/thresholds`, { challenge: 31, block: 60 }],
    what: 'set challenge 33, block 58',
  },
  {
    route: 'POST /accounts/:account/policy',
    read: policy,
    theirs: () => ['PUT', `${account}/thresholds`, { challenge: 32, block: 58 }],
    own: () => ['POST', `${account}/policy`, { weights: { vpn: 21 } }],
    what: 'set challenge 32, block 58',
  },
  {
    route: 'PUT /accounts/:account/keys/:key/thresholds',
    read: key,
    theirs: () => ['PATCH', `${account}/keys/${keyId}`, { shadow: true }],
    own: () => ['PUT', `${account}/keys/${keyId}/thresholds`, { challenge: 9, block: 71 }],
    what: 'started shadow mode of “shop”',
  },
  {
    route: 'PATCH /accounts/:account/keys/:key',
    read: key,
    theirs: () => ['PATCH', `${account}/keys/${keyId}`, { shadow: false }],
    own: () => ['PATCH', `${account}/keys/${keyId}`, { name: 'web shop' }],
    what: 'ended shadow mode of “shop”',
  },
  {
    route: 'POST /accounts/:account/keys/:key/rotate',
    read: key,
    theirs: () => ['PATCH', `${account}/keys/${keyId}`, { shadow: true }],
    own: () => ['POST', `${account}/keys/${keyId}/rotate`, {}],
    what: 'started shadow mode of “web shop”',
  },
  {
    route: 'POST /accounts/:account/keys/:key/rotate/undo',
    read: key,
    theirs: () => ['PATCH', `${account}/keys/${keyId}`, { shadow: false }],
    own: () => ['POST', `${account}/keys/${keyId}/rotate/undo`],
    what: 'ended shadow mode of “web shop”',
  },
  {
    route: 'POST /accounts/:account/keys/:key/rotate/end',
    read: key,
    theirs: () => ['POST', `${account}/keys/${keyId}/rotate`, {}],
    own: () => ['POST', `${account}/keys/${keyId}/rotate/end`],
    what: 'rotated “web shop”',
  },
  {
    route: 'POST /accounts/:account/keys/:key/revoke',
    read: key,
    theirs: () => ['PATCH', `${account}/keys/${keyId}`, { shadow: true }],
    own: () => ['POST', `${account}/keys/${keyId}/revoke`],
    what: 'started shadow mode of “web shop”',
  },
  {
    route: 'POST /accounts/:account/hooks/:hook/rotate',
    read: hook,
    theirs: () => ['POST', `${account}/hooks/${hookId}/rotate`, {}],
    own: () => ['POST', `${account}/hooks/${hookId}/rotate`, {}],
    what: 'replaced its secret',
  },
  {
    route: 'POST /accounts/:account/hooks/:hook/revoke',
    read: hook,
    theirs: () => ['POST', `${account}/hooks/${hookId}/rotate`, {}],
    own: () => ['POST', `${account}/hooks/${hookId}/revoke`],
    what: 'replaced its secret',
  },
  {
    route: 'PATCH /accounts/:account/connections/:connection',
    read: connection,
    theirs: () => ['PATCH', `${account}/connections/${connectionId}`, { per_second: 20 }],
    own: () => ['PATCH', `${account}/connections/${connectionId}`, { per_second: 30 }],
    what: 'changed “shop”: accounts a second 10 → 20',
  },
  {
    route: 'DELETE /accounts/:account/connections/:connection',
    read: connection,
    theirs: () => ['PATCH', `${account}/connections/${connectionId}`, { session_is_user: true }],
    own: () => ['DELETE', `${account}/connections/${connectionId}`],
    what: 'changed “shop”: session is the user id false → true',
  },
  {
    route: 'PATCH /accounts/:account/destinations/:destination',
    read: destination,
    theirs: () => ['PATCH', `${account}/destinations/${destinationId}`, { types: ['key.changed'] }],
    own: () => ['PATCH', `${account}/destinations/${destinationId}`, { types: ['list.changed'] }],
    what: 'changed “team”: events none → key.changed',
  },
  {
    route: 'POST /accounts/:account/destinations/:destination/rotate',
    read: destination,
    theirs: () => ['POST', `${account}/destinations/${destinationId}/rotate`, {}],
    own: () => ['POST', `${account}/destinations/${destinationId}/rotate`, {}],
    what: 'replaced the secret of “team”: old secret signs for another day',
  },
  {
    route: 'DELETE /accounts/:account/destinations/:destination',
    read: destination,
    theirs: () => ['PATCH', `${account}/destinations/${destinationId}`, { enabled: false }],
    own: () => ['DELETE', `${account}/destinations/${destinationId}`],
    what: 'changed “team”: disabled',
  },
  {
    route: 'POST /accounts/:account/campaigns/:campaign/decision',
    read: async () => (await get<CampaignDetail>(`${account}/campaigns/${campaignId}`)).campaign.version,
    theirs: () => ['POST', `${account}/campaigns/${campaignId}/decision`, { action: 'dismiss' }],
    own: () => ['POST', `${account}/campaigns/${campaignId}/decision`, { action: 'confirm' }],
    what: 'said that these are your people',
  },
  {
    route: 'POST /accounts/:account/assessments/:request_id/feedback',
    read: report,
    theirs: () => give('confirmed_fraud'),
    own: () => give('false_positive'),
    what: 'confirmed it as fraud',
  },
  {
    route: 'POST /accounts/:account/assessments/:request_id/feedback',
    read: label,
    theirs: () => give('confirmed_fraud'),
    own: () => give('false_positive'),
    what: 'confirmed it as fraud',
  },
  {
    route: 'POST /accounts/:account/assessments/:request_id/customer',
    read: report,
    theirs: () => give('confirmed_fraud'),
    own: () => ['POST', `${account}/assessments/${requestId}/customer`, { report: true }],
    what: 'confirmed it as fraud',
  },
  {
    route: 'POST /accounts/:account/lists',
    read: async () => {
      const preview = { action: 'deny', value: VALUE };
      const answer = await owner.send<{ version: string }>('POST', `${account}/lists/preview`, preview);
      return answer.json.version;
    },
    theirs: () => addEntry('chargebacks'),
    own: () => addEntry('bot wave'),
    what: 'put it on the Block list: chargebacks',
  },
  {
    route: 'DELETE /accounts/:account/lists/:id',
    read: async () => {
      const { id, version } = await entry();
      entryId = id;
      return version;
    },
    theirs: () => addEntry('third'),
    own: () => ['DELETE', `${account}/lists/${entryId}`],
    what: 'put it on the Block list: bot wave, for ever → third, for ever',
  },
  {
    route: 'POST /intelligence/host/never-flag',
    read: async () => (await get<VersionedMailHostReport>(`/intelligence/host?q=${HOST}`)).version,
    theirs: () => ['POST', '/intelligence/host/never-flag', { host: HOST, never_flag: true }],
    own: () => ['POST', '/intelligence/host/never-flag', { host: HOST, never_flag: false }],
    what: 'decided never to flag this host',
  },
  {
    route: 'POST /intelligence/host/forget',
    read: async () => (await get<VersionedMailHostReport>(`/intelligence/host?q=${HOST}`)).version,
    theirs: () => ['POST', '/intelligence/host/never-flag', { host: HOST, never_flag: true }],
    own: () => ['POST', '/intelligence/host/forget', { host: HOST }],
    what: 'decided never to flag this host',
  },
];

describe('a change against what somebody else changed meanwhile', () => {
  it.each(ROWS.map((row) => [row.route, row] as const))('is refused: %s', async (_, row) => {
    const [mine, other] = operators;
    const version = await row.read();
    expect(version).toMatch(/-/);
    const theirs = row.theirs();
    expect((await other.send(...theirs)).status).toBeLessThan(300);
    const send = async (against: string) => {
      const [method, path, body] = row.own();
      return mine.send<Refusal>(method, `${path}?version=${against}`, body);
    };
    const { status, json } = await send(version);
    expect([status, json.error?.code]).toEqual([409, 'changed_meanwhile']);
    const what: unknown = typeof row.what === 'string' ? row.what : expect.stringMatching(row.what);
    expect(json.error.meanwhile).toEqual([
      { by: expect.stringContaining(other.email), at: expect.any(String), what },
    ]);
    // Against what the other person made of it, it is decided anew.
    const { text, status: then } = await send(await row.read());
    expect(text).not.toContain('changed_meanwhile');
    if (!row.route.endsWith('/forget')) expect(then).toBeLessThan(300);
  });

  it('is refused for a feed whose version in use is another one', async () => {
    const feed = (await get<Intelligence>('/intelligence')).sources.find(
      ({ state_version }) => state_version !== '',
    );
    const roll = (version: string) =>
      operators[0].send<Refusal>('POST', `/intelligence/${feed?.id}/rollback?version=${version}`);
    expect((await roll('feed-000000000000')).json.error.code).toBe('changed_meanwhile');
    for (const choice of ['use', 'keep']) {
      const path = `/intelligence/${feed?.id}/${choice}?version=feed-000000000000`;
      const { json } = await operators[0].send<Refusal>('POST', path);
      expect(json.error.code).toBe('changed_meanwhile');
    }
    expect((await roll(feed?.state_version as string)).json.error.code).not.toBe('changed_meanwhile');
  });

  it('has a row for every route that replaces something', async () => {
    const routes = (await registeredRoutes())
      .filter(({ method, path }) => method !== 'GET' && path.startsWith('/dashboard/api/'))
      .map(({ method, path }) => `${method} ${path.slice('/dashboard/api'.length)}`);
    expect(routes.length).toBeGreaterThan(40);
    const known = [
      ...ROWS.map(({ route }) => route),
      ...['rollback', 'use', 'keep'].map((choice) => `POST /intelligence/:id/${choice}`),
      ...Object.keys(REPLACES_NOTHING),
    ];
    expect(routes.filter((route) => !known.includes(route))).toEqual([]);
    expect(known.filter((route) => !routes.includes(route))).toEqual([]);
  });
});

it('of two changes of a role at the same moment, against the same state, one is saved', async () => {
  const { id, email } = await plantPerson(scene.installation, { account: scene.account.id, role: 'member' });
  const row = (await get<People>(`/operator/people?account=${scene.account.id}`)).users.find(
    (user) => user.email === email,
  );
  const version = row?.memberships[0]?.version;
  const answers = await Promise.all(
    ['analyst', 'owner', 'analyst', 'owner'].map((to, turn) =>
      operators[turn % 2 === 0 ? 0 : 1].send('PATCH', `/operator/memberships?version=${version}`, {
        user_id: id,
        account_id: scene.account.id,
        role: to,
      }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  const kept = answers.map(({ status }) => status).filter((status) => status !== 200);
  expect(kept.every((status) => status === 409)).toBe(true);
  const roles = answers.flatMap(({ status }, turn) => (status === 200 ? [turn % 2] : []));
  expect(new Set(roles).size).toBe(1);
});
