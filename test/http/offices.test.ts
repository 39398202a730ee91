/** Shared offices: colleagues behind one address are let in together, everything else about them counts, and nobody else is affected. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListEntryRow, ListPreview } from '../../src/contract/dashboard-account.ts';
import type { AssessmentDetail } from '../../src/contract/dashboard-assessments.ts';
import type { Assessment } from '../../src/contract/messages.ts';
import { until } from '../support/expectations.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { type Planted, plant } from '../support/plant.ts';
import { type Scene, startScene } from '../support/scene.ts';

const PROXY = '79.192.40.14';
const COMPANY = 'proxied-harbour.com';
const PAIR = `${COMPANY} + ${PROXY}`;

let scene: Scene;
let other: Planted;
let owner: Person;
beforeAll(async () => {
  scene = await startScene({
    async prepare(installation) {
      other = await plant(installation);
    },
  });
  const planted = await plantPerson(scene.installation, { account: scene.account.id, role: 'owner' });
  owner = await signIn(scene.service, planted);
});
afterAll(async () => {
  owner?.close();
  await scene?.end();
});

const path = () => `/accounts/${scene.account.id}`;
const list = <T>(...args: string[]) =>
  scene.installation.json<T>('list', ...args, '--account', scene.account.id);
const assess = async (email: string, ip = PROXY, key = scene.account.live): Promise<Assessment> => {
  const answer = await scene.live.assess({ email, ip }, key);
  expect(answer.status).toBe(200);
  return answer.json;
};
let strangers = 0;
/** Signups of many people: addresses whose names say nothing, among strangers, so that the IP is not that of everybody. */
async function employ(count: number, first: number, key?: string): Promise<Assessment[]> {
  const answers: Assessment[] = [];
  for (let at = first; at < first + count; at += 1) {
    answers.push(await assess(`zq${String.fromCharCode(97 + (at % 26))}${at}@${COMPANY}`, PROXY, key));
    strangers += 1;
    await assess(`jo@office-stranger-${strangers}.com`, `79.193.${strangers >> 8}.${strangers & 255}`, key);
  }
  return answers;
}
const codesOf = ({ reasons }: Assessment) => reasons.map(({ code }) => code);
const detailOf = async ({ request_id: id }: Assessment) =>
  (await owner.get<AssessmentDetail>(`${path()}/assessments/${id}`)).json;

describe('a shared office', () => {
  it('lets 60 colleagues in who would be stopped for coming together, and counts everything else', async () => {
    const before = await employ(60, 0);
    const stopped = before.filter(({ verdict }) => verdict !== 'allow');
    expect(stopped.length).toBeGreaterThan(20);
    const last = before.at(-1) as Assessment;
    expect(await detailOf(last)).toMatchObject({ office: null, office_offer: PAIR });

    const body = { action: 'office', value: ` ${COMPANY}+${PROXY}` };
    const preview = (await owner.send<ListPreview>('POST', `${path()}/lists/preview`, body)).json;
    expect(preview).toMatchObject({ kind: 'domain_network', value: PAIR, overruled: 0 });
    expect(preview.office).toEqual({
      people: 60,
      judged: stopped.length,
      after: { allow: stopped.length, challenge: 0, block: 0 },
      let_in: { good: 0, fraud: 0 },
    });

    const saved = await owner.send<ListEntryRow>('POST', `${path()}/lists`, {
      ...body,
      reason: 'their proxy',
    });
    expect(saved).toMatchObject({
      status: 200,
      json: { action: 'office', kind: 'domain_network', value: PAIR },
    });
    await until(async () => (await employ(1, 60)).every(({ verdict }) => verdict === 'allow'));
    const after = await employ(60, 100);
    expect(after.map(({ verdict, score }) => ({ verdict, score }))).toEqual(
      after.map(() => ({ verdict: 'allow', score: 0 })),
    );
    // Signals stay the same: only the judgement differs.
    expect(after.at(-1)?.signals.velocity.ip_signups_1h).toBeGreaterThan(100);
    const explained = await detailOf(after.at(-1) as Assessment);
    expect(explained.office).toMatchObject({ value: PAIR, reason: 'their proxy' });
    expect(explained.office?.set_aside.join()).toContain('people from this IP within an hour');
    expect(explained.flips.join()).toContain(`Without the shared office ${PAIR}, this would have been`);
    expect(explained.office_offer).toBeNull();

    const thrown = await assess('jo@mailinator.com');
    expect(thrown.verdict).toBe('block');
    expect(codesOf(thrown)).toContain('email_disposable');
    // Somebody else behind the same proxy is no colleague.
    expect(codesOf(await assess('jo@elsewhere-harbour.com'))).toEqual(['velocity_ip']);
    await until(async () => (await list<{ hits: number }[]>('show'))[0]?.hits !== 0);
  });

  it('of one account changes nothing for another', async () => {
    await list('add', '--office', PAIR, '--reason', 'again');
    const [last] = (await employ(40, 0, other.live)).slice(-1);
    expect(codesOf(last as Assessment)).toContain('velocity_ip');
  });

  it('is an address alone, too, and is added, shown and removed by the command line', async () => {
    const added = await list<{ id: string }>('add', '--office', '79.192.41.0/24');
    expect(added).toMatchObject({ action: 'office', kind: 'cidr', value: '79.192.41.0/24' });
    let at = 0;
    const next = () => {
      at += 1;
      return assess(`jo@anybody-harbour-${at}.com`, '79.192.41.7');
    };
    for (let count = 0; count < 30; count += 1) await next();
    await until(async () => codesOf(await next()).length === 0);
    await list('remove', '79.192.41.0/24');
    await until(async () => codesOf(await next()).includes('velocity_ip'));
  });

  it.each([
    ['office', COMPANY, 'is no shared office'],
    ['office', 'AS64500', 'is no shared office'],
    ['office', 'jo@example.com', 'is no shared office'],
    ['office', `${COMPANY} + FR`, 'is not a domain with an IP address'],
    ['office', `${COMPANY} +`, 'is not a domain with an IP address'],
    ['deny', PAIR, 'can only be a shared office'],
  ])('or another entry is refused where it means nothing: %s %s', async (action, value, message) => {
    const body = { action, value, reason: 'a test' };
    const { status, json } = await owner.send<{ error: { message: string } }>(
      'POST',
      `${path()}/lists`,
      body,
    );
    expect(status).toBe(400);
    expect(json.error.message).toContain(message);
  });
});
