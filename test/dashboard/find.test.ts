/** The search over HTTP: what is pasted is found, with exactly the signups that the list shows; each role sees its own; nobody sees another account. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedKey } from '../../src/contract/dashboard-account.ts';
import type { AssessmentSearchResult } from '../../src/contract/dashboard-assessments.ts';
import type { FindResult, FindSuggestion } from '../../src/contract/dashboard-find.ts';
import { aLearnedCampaign } from '../support/a-campaign.ts';
import { problemOf } from '../support/expectations.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { type Planted, plant } from '../support/plant.ts';
import { type Scene, startScene } from '../support/scene.ts';
import { withStored } from '../support/stored.ts';

const [HETZNER, OVH, TELEKOM] = ['49.12.150', '51.81.6', '79.192.3'];
const BODIES = [
  { email: 'jane.doe@gmail.com', ip: `${TELEKOM}.1`, session_id: 'cart-77' },
  { email: 'janedoe+shop@gmail.com', ip: `${TELEKOM}.1` },
  { email: 'j.anedoe@gmail.com', ip: `${TELEKOM}.2` },
  { email: 'john@gmail.com', ip: `${OVH}.44` },
  { email: 'bot1@mailinator.com', ip: `${HETZNER}.7`, session_id: 'a,!b' },
  { email: 'bot2@mailinator.com', ip: `${OVH}.8` },
  { email: 'zoë@bücher-harbour.com', ip: '2a02:8070::17' },
  { email: 'ann@mail.deep-harbour.com', ip: `${HETZNER}.9` },
  { email: 'nobody@quiet-harbour.com' },
];

let scene: Scene;
let owner: Person;
let member: Person;
let stranger: Person;
let other: Planted;
let requestId: string;
let key: CreatedKey;

beforeAll(async () => {
  scene = await startScene();
  other = await plant(scene.installation);
  const signed = async (account: string, role: 'owner' | 'member') =>
    signIn(scene.service, await plantPerson(scene.installation, { account, role }));
  [owner, member, stranger] = await Promise.all([
    signed(scene.account.id, 'owner'),
    signed(scene.account.id, 'member'),
    signed(other.id, 'owner'),
  ]);
  const path = `/accounts/${scene.account.id}`;
  key = (await owner.send<CreatedKey>('POST', `${path}/keys`, { name: 'Mobile app', mode: 'live' })).json;
  await withStored(scene.installation, (store) =>
    store.saveLearned(aLearnedCampaign(scene.account.id, 'postfarm.example')),
  );
  for (const body of BODIES) requestId = (await scene.live.assess(body)).json.request_id;
  await scene.sandbox.assess({ email: 'jane.doe@gmail.com' });
  // The same again in another account.
  for (const body of BODIES) await scene.live.assess(body, other.live);
  const add = (action: string, value: string, reason: string) =>
    owner.send('POST', `${path}/lists`, { action, value, reason });
  await add('deny', 'yopmail.com', 'Three chargebacks');
  await add('allow', 'jane.doe@gmail.com', 'Press');
  await add('deny', `${HETZNER}.0/24`, 'Bot wave of November');
  await add('office', `deep-harbour.com + ${HETZNER}.9`, 'Their head quarters');
});
afterAll(async () => {
  for (const person of [owner, member, stranger]) person?.close();
  await scene?.end();
});

async function find(text: string, by = owner, mode = 'live', account = scene.account.id) {
  const answer = await by.send<FindResult>('POST', `/accounts/${account}/find`, { text, mode });
  expect(answer.status, answer.text).toBe(200);
  return answer.json.suggestions;
}
const shortly = ({ kind, title, signups }: FindSuggestion) => [kind, title, signups?.count ?? null];

describe('the first suggestion', () => {
  it.each([
    ['jane.doe@gmail.com', ['mailbox', 'jane.doe@gmail.com', 3]],
    ['Jane Doe <JaneDoe+x@gmail.com>', ['mailbox', 'janedoe+x@gmail.com', 3]],
    ['zoë@bücher-harbour.com', ['mailbox', 'zoë@xn--bcher-harbour-wob.com', 1]],
    ['stranger@gmail.com', ['mailbox', 'stranger@gmail.com', 0]],
    ['j***@gmail.com', ['domain', 'gmail.com', 4]],
    ['gmail.com', ['domain', 'gmail.com', 4]],
    ['https://mailinator.com/inbox', ['domain', 'mailinator.com', 2]],
    ['bücher-harbour.com', ['domain', 'bücher-harbour.com', 1]],
    ['xn--bcher-harbour-wob.com', ['domain', 'bücher-harbour.com', 1]],
    ['mailinat', ['domain', 'mailinator.com', 2]],
    ['bucher', ['domain', 'bücher-harbour.com', 1]],
    ['deep-harbour.com', ['domain', 'deep-harbour.com and its sub-domains', 1]],
    [`${TELEKOM}.1`, ['ip', `${TELEKOM}.1`, 2]],
    [`${TELEKOM}.1:443`, ['ip', `${TELEKOM}.1`, 2]],
    [HETZNER, ['ip', `${HETZNER}.0/24`, 2]],
    [`${HETZNER}.0/28`, ['ip', `${HETZNER}.0/28`, 2]],
    ['2a02:8070::/32', ['ip', '2a02:8070::/32', 1]],
    ['Hetzner', ['network', 'Hetzner Online GmbH', 2]],
    ['telekom', ['network', 'Deutsche Telekom AG', 3]],
    ['AS24940', ['network', 'Hetzner Online GmbH', 2]],
    ['24940', ['network', 'Hetzner Online GmbH', 2]],
    ['Germany', ['country', 'Germany', 6]],
    ['usa', ['country', 'United States', 2]],
    ['throw-away domain', ['finding', 'Throw-away domain', 2]],
    ['disposable_domain', ['finding', 'Throw-away domain', 2]],
    ['email_disposable', ['reason', 'Disposable email', 2]],
    ['hosting', ['finding', 'Hosting network', 2]],
    ['cart-77', ['session', 'cart-77', 1]],
    ['a,!b', ['session', 'a,!b', 1]],
    ['chargebacks', ['list_entry', 'yopmail.com', null]],
    ['yopmail', ['list_entry', 'yopmail.com', null]],
    ['postfarm', ['campaign', 'A wave at postfarm.example', null]],
    ['mobile app', ['key', 'Mobile app', 0]],
  ])('for %j is %j', async (text, expected) => {
    const [first] = await find(text);
    expect(first && shortly(first)).toEqual([
      expected[0],
      expect.stringContaining(expected[1] as string),
      expected[2],
    ]);
  });

  it('for a request id is the signup, for a key its name, for a person the person', async () => {
    expect((await find(requestId)).map(shortly)).toEqual([['signup', requestId, 1]]);
    for (const text of [key.key.prefix, key.secret])
      expect((await find(text)).map(shortly), text).toEqual([['key', 'Mobile app', 0]]);
    expect((await find('person'))[0]).toMatchObject({ kind: 'person' });
  });

  it('does not exist for a text that nothing has', async () => {
    for (const text of [
      'john',
      'qqqqqq',
      'req_01none',
      '',
      '   ',
      '@',
      '(',
      '\\',
      '\u0000',
      '💥',
      '%',
      "'; --",
    ])
      expect(await find(text), text).toEqual([]);
  });
});

describe('suggestions', () => {
  it('lead to exactly the signups that they count, and say the last verdict', async () => {
    const texts = [
      'jane.doe@gmail.com',
      'gmail.com',
      HETZNER,
      'Hetzner',
      'Germany',
      'hosting',
      'a,!b',
      'deep-harbour.com',
    ];
    for (const text of texts)
      for (const { filter, signups, title } of await find(text)) {
        if (filter === null) continue;
        const query = new URLSearchParams({ ...filter, mode: 'live', period: '30d', limit: '200' });
        const { json } = await member.get<AssessmentSearchResult>(
          `/accounts/${scene.account.id}/assessments?${query}`,
        );
        expect([title, signups?.count]).toEqual([title, json.rows.length]);
        const [row] = json.rows;
        expect(signups?.last).toEqual(
          row === undefined ? null : { at: row.at, verdict: row.verdict, shadow: false },
        );
        expect(signups?.at_least).toBe(false);
      }
  });

  it('for an address name the entries for it, and never put it into a filter', async () => {
    const found = await find('janedoe@gmail.com');
    expect(found.map(shortly)).toEqual([
      ['mailbox', 'janedoe@gmail.com', 3],
      ['domain', 'gmail.com', 4],
      ['list_entry', 'j***@gmail.com', null],
    ]);
    expect(JSON.stringify(found.map(({ filter }) => filter))).not.toContain('janedoe');
    const ofIp = await find(`${HETZNER}.7`);
    expect(ofIp.map(({ kind }) => kind)).toEqual(['ip', 'list_entry']);
    expect(ofIp[0]?.note).toBe('IP address · Hetzner Online GmbH, Germany');
  });

  it('name the list of an entry', async () => {
    const notes = await Promise.all(['chargebacks', 'press', 'their head'].map((text) => find(text)));
    expect(notes.map(([first]) => first?.note.split(' · ')[0])).toEqual([
      'Block list',
      'Allow list',
      'Shared offices',
    ]);
  });

  it('are of live or sandbox traffic, as asked', async () => {
    expect((await find('jane.doe@gmail.com', member, 'test')).map(shortly)[0]).toEqual([
      'mailbox',
      'jane.doe@gmail.com',
      1,
    ]);
    expect(await find('cart-77', member, 'test')).toEqual([]);
  });
});

describe('who may search', () => {
  it('lets a member find everything but keys and people', async () => {
    const texts = ['jane.doe@gmail.com', 'Hetzner', 'chargebacks', 'postfarm', 'cart-77', requestId];
    for (const text of texts) expect(await find(text, member), text).toEqual(await find(text, owner));
    for (const text of ['mobile app', key.key.prefix, key.secret, 'person', owner.email]) {
      const kinds = (await find(text, member)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'key' || kind === 'person')).toEqual([]);
    }
  });

  it('shows nothing of another account', async () => {
    for (const text of ['chargebacks', 'postfarm', 'mobile app', key.secret, requestId])
      expect(await find(text, stranger, 'live', other.id), text).toEqual([]);
    expect((await find('jane.doe@gmail.com', stranger, 'live', other.id)).map(shortly)).toEqual([
      ['mailbox', 'jane.doe@gmail.com', 3],
      ['domain', 'gmail.com', 4],
    ]);
    const kinds = (await find(owner.email, stranger, 'live', other.id)).map(({ kind }) => kind);
    expect(kinds).not.toContain('person');
    const answer = await stranger.send('POST', `/accounts/${scene.account.id}/find`, {
      text: 'x',
      mode: 'live',
    });
    expect(answer.status).toBe(404);
  });

  it('refuses what is no text', async () => {
    const send = (body: object) => member.send('POST', `/accounts/${scene.account.id}/find`, body);
    expect(problemOf(await send({ text: 'x'.repeat(1_001), mode: 'live' }))).toMatchObject({ param: 'text' });
    expect(problemOf(await send({ text: 'x', mode: 'both' }))).toMatchObject({ param: 'mode' });
  });
});
