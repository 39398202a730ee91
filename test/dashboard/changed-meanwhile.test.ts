/** Nothing is saved against a state that somebody else changed meanwhile: the person hears who did what, and decides again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AuditRow,
  CreatedKey,
  KeyRow,
  ListEntryRow,
  ListPreview,
  PolicyPage,
} from '../../src/contract/dashboard-account.ts';
import type { MeanwhileChange } from '../../src/contract/problem.ts';
import { actorName, type Person, plantPerson, signIn } from '../support/person.ts';
import { type Scene, startScene } from '../support/scene.ts';

interface Refusal {
  readonly error: { readonly code: string; readonly param?: string } & Record<'message', string> & {
      readonly meanwhile: readonly MeanwhileChange[];
    };
}

let scene: Scene;
let ana: Person;
let bo: Person;
let account: string;
beforeAll(async () => {
  scene = await startScene();
  account = `/accounts/${scene.account.id}`;
  const access = { account: scene.account.id, role: 'owner' } as const;
  const people = [
    await plantPerson(scene.installation, access),
    await plantPerson(scene.installation, access),
  ];
  [ana, bo] = (await Promise.all(people.map((person) => signIn(scene.service, person)))) as [Person, Person];
});
afterAll(async () => {
  ana?.close();
  bo?.close();
  await scene?.end();
});

const readPolicy = async () => (await ana.get<PolicyPage>(`${account}/policy`)).json;
const readKey = async (id: string) =>
  (await ana.get<KeyRow[]>(`${account}/keys`)).json.find((key) => key.id === id) as KeyRow;
const readLists = async () => (await ana.get<ListEntryRow[]>(`${account}/lists`)).json;
const countAudit = async () =>
  (await ana.get<{ rows: AuditRow[] }>(`${account}/audit?limit=200`)).json.rows.length;
let names = 0;
async function makeKey(name?: string): Promise<KeyRow> {
  names += 1;
  const body = { name: name ?? `key ${names}`, mode: 'live' };
  return (await ana.send<CreatedKey>('POST', `${account}/keys`, body)).json.key;
}
const preview = async (body: object) =>
  (await ana.send<ListPreview>('POST', `${account}/lists/preview`, body)).json;

type Call = readonly [method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown];
const send = (person: Person, [method, path, body]: Call, version?: string) =>
  person.send<Refusal>(
    method,
    `${account}/${path}${version === undefined ? '' : `?version=${version}`}`,
    body,
  );

/** Lets Bo change something between Ana's reading and her change, which is refused, and then made against what Bo made of it. */
async function expectRefused(read: () => Promise<string>, theirs: Call, own: Call, what: string | RegExp) {
  const version = await read();
  expect((await send(bo, theirs)).status).toBeLessThan(300);
  const before = await countAudit();
  const { status, json } = await send(ana, own, version);
  expect([status, json.error.code]).toEqual([409, 'changed_meanwhile']);
  const words: unknown = typeof what === 'string' ? what : expect.stringMatching(what);
  expect(json.error.meanwhile).toEqual([{ by: actorName(bo), at: expect.any(String), what: words }]);
  expect(Date.parse(json.error.meanwhile[0]?.at ?? '')).toBeGreaterThan(Date.now() - 60_000);
  expect(json.error.message).toBe(`${actorName(bo)} ${json.error.meanwhile[0]?.what}.`);
  expect(await countAudit()).toBe(before);
  expect((await send(ana, own, await read())).status).toBeLessThan(300);
}

describe('the secrets, the expiry and the ranges of a key', () => {
  it('are not changed against what somebody else made of them', async () => {
    const { id, name } = await makeKey();
    const version = async () => (await readKey(id)).version;
    const path = `keys/${id}`;
    await expectRefused(
      version,
      ['PATCH', path, { expires_at: '2099-01-31T12:00:00Z' }],
      ['PATCH', path, { expires_at: null }],
      `set the expiry of “${name}”: never → 2099-01-31T12:00:00Z`,
    );
    await expectRefused(
      version,
      ['PATCH', path, { allowed_ranges: ['203.0.113.7'] }],
      ['PATCH', path, { allowed_ranges: null }],
      `set the ranges of “${name}”: anywhere → 203.0.113.7/32`,
    );
    await expectRefused(
      version,
      ['POST', `${path}/rotate`, {}],
      ['POST', `${path}/rotate/end`],
      `rotated “${name}”`,
    );
  });
});

describe('thresholds and weights', () => {
  const version = async () => (await readPolicy()).version;

  it('of the account are not saved over another’s thresholds', async () => {
    const theirs = { challenge: 33, block: 58 };
    await expectRefused(
      version,
      ['PUT', 'thresholds', theirs],
      ['PUT', 'thresholds', { challenge: 31, block: 60 }],
      'set challenge 33, block 58',
    );
    expect((await readPolicy()).thresholds).toEqual({ challenge: 31, block: 60 });
    await expectRefused(
      version,
      ['PUT', 'thresholds'],
      ['PUT', 'thresholds', theirs],
      'set the default thresholds',
    );
    await expectRefused(
      version,
      ['PUT', 'thresholds', { challenge: 1, block: 2 }],
      ['PUT', 'thresholds'],
      'set challenge 1, block 2',
    );
  });

  it('of the account are not saved over another’s weights, on which their effect depends', async () => {
    const theirs: Call = ['POST', 'policy', { weights: { vpn: 21 } }];
    const saved = async () => (await readPolicy()).current;
    await expectRefused(
      version,
      theirs,
      ['PUT', 'thresholds', { challenge: 31, block: 61 }],
      'saved the weights as custom-1: vpn 28 → 21',
    );
    expect(await saved()).toBe('custom-1');
  });

  it('are not saved as a policy over another’s weights or thresholds', async () => {
    const own: Call = ['POST', 'policy', { weights: { tor_exit: 30 } }];
    await expectRefused(
      version,
      ['POST', 'policy', { weights: { vpn: 20 } }],
      own,
      'saved the weights as custom-2: vpn 21 → 20',
    );
    expect((await readPolicy()).versions[0]).toMatchObject({
      version: 'custom-3',
      weights: { vpn: 20, tor_exit: 30 },
    });
    await expectRefused(
      version,
      ['PUT', 'thresholds', { challenge: 25, block: 65 }],
      own,
      'set challenge 25, block 65',
    );
  });

  it('of a key are not saved over another’s, nor over other weights', async () => {
    const { id, name } = await makeKey();
    const own: Call = ['PUT', `keys/${id}/thresholds`, { challenge: 10, block: 70 }];
    const inPolicy = async () => (await readPolicy()).keys.find((key) => key.id === id)?.version as string;
    const inKeys = async () => (await readKey(id)).version;
    const theirs: Call = ['PUT', `keys/${id}/thresholds`, { challenge: 9, block: 71 }];
    await expectRefused(inPolicy, theirs, own, `set challenge 9, block 71 for “${name}”`);
    await expectRefused(inKeys, theirs, own, `set challenge 9, block 71 for “${name}”`);
    const weights: Call = ['POST', 'policy', { weights: { vpn: 19 } }];
    await expectRefused(inPolicy, weights, own, /^saved the weights as custom-\d+: .*vpn 20 → 19$/);
  });

  it('of one who has seen what another did are saved, whatever happened before, and without a version always', async () => {
    expect((await send(bo, ['PUT', 'thresholds', { challenge: 40, block: 50 }])).status).toBe(200);
    const seen = await version();
    expect((await send(bo, ['PUT', 'thresholds', { challenge: 41, block: 51 }])).status).toBe(200);
    expect((await send(bo, ['PUT', 'thresholds', { challenge: 40, block: 50 }])).status).toBe(200);
    expect((await send(ana, ['PUT', 'thresholds', { challenge: 42, block: 52 }], seen)).status).toBe(200);
    expect((await send(ana, ['PUT', 'thresholds', { challenge: 43, block: 53 }])).status).toBe(200);
    const wrong = await send(ana, ['PUT', 'thresholds', null], 'nonsense');
    expect([wrong.status, wrong.json.error.param]).toEqual([400, 'version']);
    expect((await readPolicy()).thresholds).toEqual({ challenge: 43, block: 53 });
  });
});

describe('a key', () => {
  it('is not renamed, put into shadow mode or revoked, if somebody else changed it meanwhile', async () => {
    const { id, name } = await makeKey();
    const version = async () => (await readKey(id)).version;
    const path = `keys/${id}`;
    const shadow = (on: boolean): Call => ['PATCH', path, { shadow: on }];
    await expectRefused(
      version,
      shadow(true),
      ['PATCH', path, { name: `${name} b` }],
      `started shadow mode of “${name}”`,
    );
    await expectRefused(
      version,
      ['PATCH', path, { name: 'mobile' }],
      shadow(false),
      'renamed the key to “mobile”',
    );
    await expectRefused(version, shadow(true), ['POST', `${path}/revoke`], 'started shadow mode of “mobile”');
    expect((await readKey(id)).revoked_at).not.toBeNull();
  });
});

describe('a list entry', () => {
  it('is not added over one that somebody else made or removed meanwhile, on either list', async () => {
    const value = 'meanwhile-harbour.com';
    const own: Call = ['POST', 'lists', { action: 'deny', value, reason: 'bot wave' }];
    const version = async () => (await preview({ action: 'deny', value })).version;
    const entry = (action: string, reason: string): Call => ['POST', 'lists', { action, value, reason }];
    await expectRefused(version, entry('deny', 'chargebacks'), own, 'put it on the Block list: chargebacks');
    await expectRefused(version, entry('allow', 'partner'), own, 'put it on the Allow list: partner');
    const allowed = (await readLists()).find((each) => each.value === value && each.action === 'allow');
    await expectRefused(version, ['DELETE', `lists/${allowed?.id}`], own, 'removed it from the Allow list');
  });

  it('is not removed after somebody else gave it another reason', async () => {
    const value = 'reason-harbour.com';
    const entry = (reason: string): Call => ['POST', 'lists', { action: 'deny', value, reason }];
    await send(ana, entry('first'));
    const row = async () => (await readLists()).find((each) => each.value === value) as ListEntryRow;
    const { id } = await row();
    await expectRefused(
      async () => (await row()).version,
      entry('chargebacks'),
      ['DELETE', `lists/${id}`],
      'put it on the Block list: first, for ever → chargebacks, for ever',
    );
    expect(await row()).toBeUndefined();
  });

  it('keeps its version while it decides', async () => {
    const value = 'hits-harbour.com';
    await send(ana, ['POST', 'lists', { action: 'deny', value, reason: 'hits' }]);
    const row = async () => (await readLists()).find((each) => each.value === value) as ListEntryRow;
    const { version } = await row();
    await expect
      .poll(async () => {
        await scene.live.assess({ email: `jo@${value}` });
        return (await row()).hits;
      })
      .toBeGreaterThan(0);
    expect((await row()).version).toBe(version);
  });
});

it('of changes at the same moment, against the same state, one is saved', async () => {
  const { id } = await makeKey();
  const value = 'race-harbour.com';
  const thresholds = (challenge: number): Call => ['PUT', 'thresholds', { challenge, block: 90 }];
  const policyVersion = async () => (await readPolicy()).version;
  const races: readonly [() => Promise<string>, (turn: number) => Call][] = [
    [policyVersion, (turn) => thresholds(turn + 1)],
    [policyVersion, (turn) => ['POST', 'policy', { weights: { vpn: turn + 1 } }]],
    [async () => (await readKey(id)).version, (turn) => ['PATCH', `keys/${id}`, { name: `raced ${turn}` }]],
    [
      async () => (await preview({ action: 'deny', value })).version,
      (turn) => ['POST', 'lists', { action: 'deny', value, reason: `race ${turn}` }],
    ],
  ];
  for (const [read, callOf] of races) {
    const version = await read();
    const answers = await Promise.all(
      [0, 1, 2, 3].map((turn) => send(turn % 2 === 0 ? ana : bo, callOf(turn), version)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  }
});

describe('names of keys', () => {
  const create = (person: Person, name: string, mode = 'live') =>
    send(person, ['POST', 'keys', { name, mode }]);

  it('are unique within a mode, whatever their case and spaces', async () => {
    const first = await makeKey('Web shop');
    for (const name of ['Web shop', 'web  SHOP', ' WEB SHOP ', 'Ｗeb\u00a0shop']) {
      const { status, json } = await create(bo, name);
      expect([status, json.error.code, json.error.param]).toEqual([409, 'conflict', 'name']);
      expect(json.error.message).toContain(`“Web shop”, ${first.prefix}…`);
    }
    const other = await makeKey('other shop');
    const renamed = await send(bo, ['PATCH', `keys/${other.id}`, { name: 'WEB shop' }]);
    expect([renamed.status, renamed.json.error.param]).toEqual([409, 'name']);
    expect((await create(bo, 'Web shop', 'test')).status).toBe(200);
    // Its own name in another spelling.
    expect((await send(bo, ['PATCH', `keys/${first.id}`, { name: 'Web Shop' }])).status).toBe(200);
    await send(bo, ['POST', `keys/${first.id}/revoke`]);
    expect((await create(bo, 'web shop')).status).toBe(200);
  });

  it('go to one of those who want one at the same moment', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => create(bo, 'raced name')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });
});
