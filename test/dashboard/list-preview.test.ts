/** The preview of an entry counts the signups that the entry later decides. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AnswerCounts,
  CreatedKey,
  ListEntryRow,
  ListPreview,
} from '../../src/contract/dashboard-account.ts';
import type { Assessment } from '../../src/contract/messages.ts';
import { until } from '../support/expectations.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { type Scene, startScene } from '../support/scene.ts';

const PEOPLE = [
  { email: 'ann@preview-harbour.com', ip: '79.192.7.9' },
  { email: 'ann+news@preview-harbour.com', ip: '79.192.7.9' },
  { email: 'bob@mail.preview-harbour.com', ip: '79.192.7.200' },
  { email: 'eve@not-preview-harbour.com', ip: '79.192.8.1' },
  { email: 'dan@mailinator.com', ip: '52.95.110.1' },
  { email: 'ann@preview-harbour.com' },
];

let scene: Scene;
let owner: Person;
let member: Person;
let account: string;
let first: Assessment[];

beforeAll(async () => {
  scene = await startScene();
  account = `/accounts/${scene.account.id}`;
  const roles = ['owner', 'member'] as const;
  const people = await Promise.all(
    roles.map((role) => plantPerson(scene.installation, { account: scene.account.id, role })),
  );
  [owner, member] = (await Promise.all(people.map((person) => signIn(scene.service, person)))) as [
    Person,
    Person,
  ];
  first = await assessAll();
  await scene.sandbox.assess(PEOPLE[0] as object);
});
afterAll(async () => {
  owner?.close();
  member?.close();
  await scene?.end();
});

const assessAll = () => Promise.all(PEOPLE.map(async (body) => (await scene.live.assess(body)).json));
const preview = async (action: 'allow' | 'deny', value: string, exact = false, by = owner) =>
  by.send<ListPreview>('POST', `${account}/lists/preview`, { action, value, exact });
const add = async (action: 'allow' | 'deny', value: string, exact = false) =>
  (
    await owner.send<ListEntryRow>('POST', `${account}/lists`, {
      action,
      value,
      exact,
      reason: 'a test',
      confirm: value,
    })
  ).json;
const remove = (entry: ListEntryRow) => owner.send('DELETE', `${account}/lists/${entry.id}`);

describe('a preview of an entry', () => {
  it('counts the signups that the entry then decides', async () => {
    const { asn, country_code: country } = (first[0] as Assessment).signals.ip ?? {
      asn: '',
      country_code: '',
    };
    const values: [string, count: number, exact?: boolean][] = [
      ['A.n.n+x@preview-harbour.com', 0],
      ['Ann+other@preview-harbour.com', 3],
      ['Ann@preview-harbour.com', 2, true],
      ['preview-harbour.com', 4],
      ['79.192.7.9', 2],
      ['79.192.7.0/24', 3],
      ['79.192.0.0/16', 4],
      [asn, 4],
      [country, 4],
      ['nobody-harbour.com', 0],
    ];
    for (const [value, count, exact] of values) {
      const { json } = await preview('deny', value, exact);
      expect({ value, count: sum(json.matched) }).toEqual({ value, count });
    }
    for (const [value, count, exact] of values.filter(([, count]) => count > 0)) {
      const entry = await add('deny', value, exact);
      const decided = async () => (await assessAll()).filter(({ score }) => score === 100).length;
      await until(async () => (await decided()) === count);
      await remove(entry);
      await until(async () => (await decided()) === 0);
    }
  }, 240_000);

  it('shows what was answered and reported, starting with the signups that it would have changed', async () => {
    const [person] = await assessAll();
    const request_id = person?.request_id as string;
    await scene.live.send({
      method: 'POST',
      path: '/v1/feedback',
      body: { request_id, outcome: 'false_negative' },
    });
    const { json } = await preview('allow', 'mailinator.com');
    expect(json).toMatchObject({ kind: 'domain', value: 'mailinator.com', counted_from: null, overruled: 0 });
    expect(json.matched).toMatchObject({ allow: 0, challenge: 0 });
    expect(
      json.samples.every(({ domain, verdict }) => domain === 'mailinator.com' && verdict === 'block'),
    ).toBe(true);
    const denied = (await preview('deny', 'preview-harbour.com')).json;
    expect(denied.labelled).toEqual({ good: 0, fraud: 1 });
    expect(denied.effect).toEqual({ helped: 0, harmed: 0, stopped: 1, let_in: 0 });
    expect(denied.samples).toHaveLength(5);
    expect(denied.samples[0]?.verdict).not.toBe('block');
    expect(Date.parse(denied.since)).toBeLessThan(Date.now() - 29 * 86_400_000);
  });

  it('shows labels of fraud wherever it shows those of good customers, and what would become of both', async () => {
    const mails = ['good@mailinator.com', 'bad@mailinator.com', 'worse@mailinator.com'];
    const [good, bad, worse] = await Promise.all(
      mails.map(async (email) => (await scene.live.assess({ email })).json.request_id),
    );
    const report = (id: string | undefined, outcome: string) =>
      owner.send('POST', `${account}/assessments/${id}/feedback`, { outcome });
    await report(good, 'false_positive');
    await report(bad, 'confirmed_fraud');
    await report(worse, 'false_negative');
    const allowing = (await preview('allow', 'mailinator.com')).json;
    expect(allowing.labelled).toEqual({ good: 1, fraud: 2 });
    expect(allowing.effect).toEqual({ helped: 1, harmed: 0, stopped: 0, let_in: 2 });
    const denying = (await preview('deny', 'mailinator.com')).json;
    expect(denying.labelled).toEqual({ good: 1, fraud: 2 });
    expect(denying.effect).toEqual({ helped: 0, harmed: 0, stopped: 0, let_in: 0 });
  });

  it('counts what a key in shadow mode let in apart, and no effect on it', async () => {
    const body = { name: 'observes', mode: 'live', shadow: true };
    const { key, secret } = (await owner.send<CreatedKey>('POST', `${account}/keys`, body)).json;
    const before = (await preview('allow', 'mailinator.com')).json;
    const observed = await scene.live.send<Assessment>({
      method: 'POST',
      path: '/v1/assess',
      body: { email: 'observed@mailinator.com' },
      key: secret,
    });
    expect(observed.json.verdict).toBe('allow');
    await owner.send('POST', `${account}/assessments/${observed.json.request_id}/feedback`, {
      outcome: 'confirmed_fraud',
    });
    const after = (await preview('allow', 'mailinator.com')).json;
    expect(after.matched).toEqual({ ...before.matched, observed: { challenge: 0, block: 1 } });
    expect(after.labelled.fraud).toBe(before.labelled.fraud + 1);
    expect(after.effect).toEqual(before.effect);
    await owner.send('DELETE', `${account}/keys/${key.id}`);
  });

  it('says how many of them another entry decides', async () => {
    const entry = await add('allow', 'ann@preview-harbour.com');
    const { json } = await preview('deny', 'preview-harbour.com');
    const { matched } = (await preview('deny', 'ann@preview-harbour.com')).json;
    expect((await preview('deny', 'ann@preview-harbour.com')).json.listed).toEqual(['allow']);
    expect(json.listed).toEqual([]);
    expect(json.overruled).toBe(sum(matched));
    expect(json.overruled).toBeLessThan(sum(json.matched));
    await remove(entry);
  });

  it('names the entries that it contradicts, who made them and why, and which of the two decides', async () => {
    const narrow = await add('allow', '79.192.7.0/24');
    const network = (await preview('deny', narrow.value)).json;
    expect(network.conflicts).toMatchObject([{ entry: { id: narrow.id }, winner: 'existing' }]);
    expect(network.replaces).toBeNull();
    const country = (await preview('deny', 'DE')).json;
    expect(country.conflicts).toEqual([{ entry: narrow, winner: 'existing', signups: country.overruled }]);
    expect(narrow).toMatchObject({ reason: 'a test', author: expect.stringContaining('@') });
    const single = (await preview('deny', '79.192.7.9')).json;
    expect(single.conflicts).toEqual([{ entry: narrow, winner: 'new', signups: sum(single.matched) }]);
    const again = (await preview('allow', '79.192.7.0/24')).json;
    expect(again.replaces).toEqual(narrow);
    expect(again.conflicts).toEqual([]);
    await remove(narrow);
  });

  it('of a mailbox says how many of them an entry for one spelling decides, also after a rotation', async () => {
    const exact = await add('allow', 'ann@preview-harbour.com', true);
    const all = sum((await preview('deny', 'ann@preview-harbour.com')).json.matched);
    const one = sum((await preview('deny', 'ann@preview-harbour.com', true)).json.matched);
    expect(one).toBeGreaterThan(0);
    expect(one).toBeLessThan(all);
    const before = (await preview('deny', 'ann+x@preview-harbour.com')).json;
    expect(before).toMatchObject({ kind: 'mailbox', listed: [], overruled: one });
    await scene.installation.json('secret', 'rotate');
    await until(async () => sum((await preview('deny', 'ann@preview-harbour.com')).json.matched) === all);
    const after = (await preview('deny', 'ann+x@preview-harbour.com')).json;
    expect(after).toMatchObject({ listed: [], overruled: one });
    await remove(exact);
  });

  it.each([
    ['deny', 'not anything!', 'value'],
    ['deny', '', 'value'],
    ['ban', 'example.com', 'action'],
  ])('is refused for %s %j', async (action, value, param) => {
    const { status, json } = await preview(action as 'deny', value);
    expect({ status, error: (json as unknown as { error: object }).error }).toMatchObject({
      status: 400,
      error: { code: 'invalid_value', param },
    });
  });

  it('is available only to those who may change the lists', async () => {
    expect((await preview('deny', 'example.com', false, member)).status).toBe(403);
  });
});

const sum = ({ allow, challenge, block, observed }: AnswerCounts) =>
  allow + challenge + block + observed.challenge + observed.block;
