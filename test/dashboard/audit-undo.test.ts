/** Undo from the audit log: it restores exactly what was there before, is in the log itself, and refuses what changed since, with the name of who did. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditLogRow, KeyRow, ListEntryRow, PolicyPage } from '../../src/contract/dashboard-account.ts';
import type { OperatorAccount, People } from '../../src/contract/dashboard-installation.ts';
import { actorName, type Person, type PlantedPerson, plantPerson, signIn } from '../support/person.ts';
import { plant } from '../support/plant.ts';
import { type Scene, startScene } from '../support/scene.ts';

let scene: Scene;
let jo: Person;
let bea: Person;
let operator: Person;
let mo: PlantedPerson;
let account: string;
let keyId: string;
const people: Person[] = [];

beforeAll(async () => {
  scene = await startScene();
  const { id } = scene.account;
  account = `/accounts/${id}`;
  const plantIn = (role: 'owner' | 'member') => plantPerson(scene.installation, { account: id, role });
  mo = await plantIn('member');
  for (const planted of [
    await plantIn('owner'),
    await plantIn('owner'),
    await plantPerson(scene.installation, 'operator'),
  ])
    people.push(await signIn(scene.service, planted));
  [jo, bea, operator] = people as [Person, Person, Person];
  const made = await jo.send<{ key: KeyRow }>('POST', `${account}/keys`, { name: 'a → b', mode: 'live' });
  keyId = made.json.key.id;
});
afterAll(async () => {
  for (const person of people) person.close();
  await scene?.end();
});

const log = async () => (await jo.get<{ rows: AuditLogRow[] }>(`${account}/audit?limit=100`)).json.rows;
const newest = async () => (await log())[0] as AuditLogRow;
const undo = (id: number, by = bea, of = account) =>
  by.send<{ error: { code: string; message: string } }>('POST', `${of}/audit/undo`, { id });
const key = async () =>
  (await jo.get<KeyRow[]>(`${account}/keys`)).json.find(({ id }) => id === keyId) as KeyRow;
const policy = async () => (await jo.get<PolicyPage>(`${account}/policy`)).json;
const list = async () => (await jo.get<ListEntryRow[]>(`${account}/lists`)).json;
const roleOfMo = async () => {
  const { users } = (await jo.get<People>(`/operator/people?account=${scene.account.id}`)).json;
  return users.find(({ id }) => id === mo.id)?.memberships[0]?.role;
};
const settings = async () =>
  (await operator.get<OperatorAccount[]>('/operator/accounts')).json.find(
    ({ id }) => id === scene.account.id,
  );

type Change = readonly ['POST' | 'PUT' | 'PATCH', path: string, body: unknown];
interface Row {
  readonly name: string;
  readonly change: () => Change;
  /** Words of the entry, and of the one that takes it back. */
  readonly words: readonly [string | RegExp, string | RegExp];
  readonly read: () => Promise<unknown>;
  readonly by?: () => Person;
}

const IN_A_YEAR = new Date(Date.now() + 365 * 86_400_000).toISOString();
const RANGES = ['203.0.113.0/24', '2001:db8::/32'];
const ROWS: readonly Row[] = [
  {
    name: 'thresholds of the account',
    change: () => ['PUT', `${account}/thresholds`, { challenge: 33, block: 58 }],
    words: [
      'the default thresholds → challenge 33, block 58',
      'challenge 33, block 58 → the default thresholds',
    ],
    read: async () => [(await policy()).thresholds, (await policy()).own_thresholds],
  },
  {
    name: 'thresholds of a key',
    change: () => ['PUT', `${account}/keys/${keyId}/thresholds`, { challenge: 1, block: 2 }],
    words: [
      'the account’s thresholds → challenge 1, block 2',
      'challenge 1, block 2 → the account’s thresholds',
    ],
    read: async () => (await key()).thresholds,
  },
  {
    name: 'weights',
    change: () => ['POST', `${account}/policy`, { weights: { plus_alias: 40.5 } }],
    words: ['plus_alias 6 → 40.5', 'plus_alias 40.5 → 6'],
    read: async () => (await policy()).detectors.map(({ weight }) => weight),
  },
  {
    name: 'the name of a key, also one with arrows',
    change: () => ['PATCH', `${account}/keys/${keyId}`, { name: 'c → d' }],
    words: ['a → b → c → d', 'c → d → a → b'],
    read: async () => (await key()).name,
  },
  {
    name: 'shadow mode',
    change: () => ['PATCH', `${account}/keys/${keyId}`, { shadow: true }],
    words: ['enforced for everybody → observed only', 'observed only → enforced for everybody'],
    read: async () => (await key()).shadow,
  },
  {
    name: 'the share of people for whom a key enforces',
    change: () => ['PATCH', `${account}/keys/${keyId}`, { enforced_share: 10 }],
    words: ['enforced for everybody → enforced for 10%', 'enforced for 10% → enforced for everybody'],
    read: async () => (await key()).enforced_share,
  },
  {
    name: 'the expiry of a key, to the millisecond',
    change: () => ['PATCH', `${account}/keys/${keyId}`, { expires_at: IN_A_YEAR }],
    words: [/^never → 20\S+Z$/, /Z → never$/],
    read: async () => (await key()).expires_at,
  },
  {
    name: 'the callers of a key',
    change: () => ['PATCH', `${account}/keys/${keyId}`, { allowed_ranges: RANGES }],
    words: [`anywhere → ${RANGES.join(' ')}`, `${RANGES.join(' ')} → anywhere`],
    read: async () => (await key()).allowed_ranges,
  },
  {
    name: 'the secret of a key',
    change: () => ['POST', `${account}/keys/${keyId}/rotate`, { overlap_seconds: 3_600 }],
    words: [/^\S+… → \S+…, the old secret is valid until /, /the new secret is refused at once$/],
    read: async () => (await key()).prefix,
  },
  {
    name: 'a role',
    change: () => [
      'PATCH',
      '/operator/memberships',
      { user_id: mo.id, account_id: scene.account.id, role: 'analyst' },
    ],
    words: ['member → analyst', 'analyst → member'],
    read: roleOfMo,
  },
  {
    name: 'a new entry of a list',
    change: () => ['POST', `${account}/lists`, { action: 'deny', value: 'bad.example', reason: 'spam' }],
    words: ['spam', 'Block list'],
    read: async () => (await list()).map(({ value }) => value),
  },
  {
    name: 'the time zone',
    change: () => ['PATCH', `${account}/settings`, { time_zone: 'Europe/Berlin' }],
    words: ['time zone UTC → Europe/Berlin', 'time zone Europe/Berlin → UTC'],
    read: async () => (await settings())?.time_zone,
  },
  {
    name: 'limits, which only operators change',
    change: () => [
      'PATCH',
      `/operator${account}`,
      { plan: 'starter', monthly_quota: 7, requests_per_second: 9 },
    ],
    words: [
      /^plan business → starter, .*monthly quota as the plan says → 7, requests per second .+ → 9$/,
      /^plan starter → business, .*monthly quota 7 → as the plan says/,
    ],
    read: settings,
    by: () => operator,
  },
];

describe('undo from the audit log', () => {
  it.each(ROWS)('restores $name, and is in the log', async ({ change, words, read, by = () => jo }) => {
    const before = await read();
    const [method, path, body] = change();
    expect((await by().send(method, path, body)).status).toBe(200);
    const after = await read();
    expect(after).not.toEqual(before);
    const entry = await newest();
    expect(entry).toMatchObject({ undone_by: null, can_undo: by() === jo });
    expect(entry.detail).toMatch(words[0]);

    const undoer = by() === jo ? bea : operator;
    expect((await undo(entry.id, undoer)).status).toBe(204);
    expect(await read()).toEqual(before);
    const [undone, ...older] = await log();
    expect(undone?.by).toMatch(new RegExp(` \\(undo of #${entry.id}\\)$`));
    expect(undone?.by).toContain(undoer.email);
    expect(undone?.detail).toMatch(words[1]);
    const row = older.find(({ id }) => id === entry.id);
    if (by() === jo) expect(row?.undone_by).toBe(actorName(bea));

    // A second time, nothing happens.
    const again = await undo(entry.id, undoer);
    expect([again.status, again.json.error.code]).toEqual([409, 'conflict']);
    expect(again.json.error.message).toContain('changed this since');
    expect(await read()).toEqual(before);
    expect((await newest()).id).toBe(undone?.id);
  });

  it('names who changed it since, and takes the undo itself back', async () => {
    await jo.send('PUT', `${account}/thresholds`, { challenge: 30, block: 60 });
    const first = await newest();
    await bea.send('PUT', `${account}/thresholds`, { challenge: 31, block: 61 });
    const second = await newest();
    const refused = await undo(first.id, jo);
    expect(refused.status).toBe(409);
    expect(refused.json.error.message).toBe(
      `${actorName(bea)} changed this since (challenge 30, block 60 → challenge 31, block 61).`,
    );
    await undo(second.id, jo);
    expect((await policy()).thresholds).toEqual({ challenge: 30, block: 60 });
    await undo((await newest()).id, jo);
    expect((await policy()).thresholds).toEqual({ challenge: 31, block: 61 });
  });

  it('says that it cannot, where the log does not have the old value', async () => {
    const reported = { action: 'allow', value: 'twice.example', reason: 'once' };
    await jo.send('POST', `${account}/lists`, reported);
    await jo.send('POST', `${account}/lists`, { ...reported, reason: 'again' });
    const [replaced, , created] = [
      await newest(),
      0,
      (await log()).find(({ action }) => action === 'key.create'),
    ];
    expect(replaced.detail).toBe('once, for ever → again, for ever');
    for (const entry of [replaced, created]) {
      expect(entry?.can_undo).toBe(false);
      const refused = await undo(entry?.id as number);
      expect([refused.status, refused.json.error.message]).toEqual([
        409,
        'This entry of the log cannot be taken back: it does not have the old value.',
      ]);
    }
  });

  it('does not confuse a key with another one that took its name', async () => {
    await jo.send('PATCH', `${account}/keys/${keyId}`, { name: 'first' });
    await jo.send('PUT', `${account}/keys/${keyId}/thresholds`, { challenge: 11, block: 12 });
    const entry = await newest();
    await jo.send('PATCH', `${account}/keys/${keyId}`, { name: 'second' });
    const other = { name: 'first', mode: 'live', thresholds: { challenge: 11, block: 12 } };
    await jo.send('POST', `${account}/keys`, other);
    const refused = await undo(entry.id);
    expect(refused.status).toBe(409);
    expect(refused.json.error.message).toContain('first → second');
    expect((await key()).thresholds).toEqual({ challenge: 11, block: 12 });
  });

  it('is for the entries of the own account', async () => {
    const { id } = await plant(scene.installation);
    const other = await signIn(
      scene.service,
      await plantPerson(scene.installation, { account: id, role: 'owner' }),
    );
    people.push(other);
    const theirs = await newest();
    for (const [entry, of] of [
      [theirs.id, `/accounts/${id}`],
      [theirs.id, account],
      [999_999, `/accounts/${id}`],
    ] as const)
      expect((await undo(entry, other, of)).status).toBe(404);
    expect((await undo(theirs.id, other, `/accounts/${id}`)).text).toBe(
      (await undo(999_999, other, `/accounts/${id}`)).text,
    );
  });

  it('believes no mark that somebody wrote', async () => {
    const target = await newest();
    const token = `x (undo of #${target.id})`;
    await operator.send('POST', `${account}/keys`, { name: token, mode: 'live' });
    expect((await log()).find(({ id }) => id === target.id)?.undone_by).toBeNull();
  });
});
