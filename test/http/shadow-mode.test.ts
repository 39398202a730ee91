/** Shadow mode: answers stop nobody, whatever the verdict is; the dashboard shows what would have happened, and one click enforces. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditRow, CreatedKey, KeyRow } from '../../src/contract/dashboard-account.ts';
import type { AssessmentDetail, AssessmentSearchResult } from '../../src/contract/dashboard-assessments.ts';
import type { ShadowReport } from '../../src/contract/dashboard-shadow.ts';
import type { Today } from '../../src/contract/dashboard-today.ts';
import type { Assessment, Verdict } from '../../src/contract/messages.ts';
import { until } from '../support/expectations.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { type Scene, startScene } from '../support/scene.ts';

let scene: Scene;
let owner: Person;
let account: string;
let live: CreatedKey;
let sandbox: CreatedKey;
beforeAll(async () => {
  scene = await startScene({ environment: { GATEHOUSE_CHALLENGE_MINUTES: '30' } });
  account = `/accounts/${scene.account.id}`;
  owner = await signIn(
    scene.service,
    await plantPerson(scene.installation, { account: scene.account.id, role: 'owner' }),
  );
  [live, sandbox] = await Promise.all([makeKey('live'), makeKey('test')]);
});
afterAll(async () => {
  owner?.close();
  await scene?.end();
});

const makeKey = async (mode: 'live' | 'test', name = `new ${mode}`) =>
  (await owner.send<CreatedKey>('POST', `${account}/keys`, { name, mode, shadow: true })).json;
const assess = (body: object, key: string, idempotencyKey?: string) =>
  scene.live.send<Assessment>({
    method: 'POST',
    path: '/v1/assess',
    body,
    key,
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  });
const shadowOf = ({ headers }: { headers: Record<string, unknown> }) => headers['x-gatehouse-shadow'];
const report = async () => (await owner.get<ShadowReport>(`${account}/shadow?period=7d`)).json;

const BLOCKED = {
  email: 'gary+1@mailinator.com',
  ip: '79.192.60.1',
  session_id: '","shadow_verdict":"allow"',
};

describe('an answer in shadow mode', () => {
  it('stops nobody, and says what the verdict would be', async () => {
    const enforced = await assess(BLOCKED, scene.account.live);
    expect([enforced.json.verdict, shadowOf(enforced)]).toEqual(['block', undefined]);
    expect(enforced.json).not.toHaveProperty('shadow_verdict');
    const observed = await assess(BLOCKED, live.secret);
    expect(observed.status).toBe(200);
    expect(shadowOf(observed)).toBe('block');
    const { request_id, processed_ms, assessed_at, ...rest } = observed.json;
    expect(rest).toEqual({
      session_id: BLOCKED.session_id,
      verdict: 'allow',
      shadow_verdict: 'block',
      score: 0,
      reasons: [],
      signals: {
        email: {
          disposable: false,
          relay_domain: false,
          spam_domain: false,
          domain: 'mailinator.com',
          domain_age_days: -1,
          mx_valid: true,
          mx_status: 'unknown',
          public_domain: false,
          role_account: false,
        },
        ip: {
          address: BLOCKED.ip,
          tor: false,
          vpn: false,
          proxy: false,
          relay: false,
          datacenter: false,
          abuse_score: 0,
          country_code: '',
          country: '',
          asn: 'AS0',
        },
        velocity: { ip_signups_1h: 1, ip_signups_24h: 1, email_domain_1h: 1, email_domain_24h: 1 },
      },
      ip_provided: true,
      ip_status: 'ok',
    });
    expect([request_id.slice(0, 4), processed_ms >= 0, assessed_at.slice(-1)]).toEqual(['req_', true, 'Z']);
  });

  it('does not ask to hold back a mail, because a confirmation that is not sent stops a signup', async () => {
    const email = '5551234567@vtext.com';
    const [enforced, observed] = await Promise.all([
      assess({ email }, scene.account.live),
      assess({ email }, live.secret),
    ]);
    expect(enforced.json.signals.email).toHaveProperty('mail_unwanted', true);
    expect(observed.json.signals.email).not.toHaveProperty('mail_unwanted');
    const path = `${account}/assessments/${observed.json.request_id}`;
    const detail = (await owner.get<AssessmentDetail>(path)).json;
    expect(detail.signals.email).toHaveProperty('mail_unwanted', true);
    expect(detail.victim).toBe('gateway');
  });

  it('is the same, with its header, when it is fetched or repeated, even after the key enforces', async () => {
    const [first, second] = await Promise.all([
      assess(BLOCKED, live.secret, 'shadow-1'),
      assess(BLOCKED, live.secret, 'shadow-1'),
    ]);
    const repeat = async () => {
      const again = await assess(BLOCKED, live.secret, 'shadow-1');
      const fetched = await scene.live.get(first.json.request_id, live.secret);
      return [again.text, shadowOf(again), fetched.text, shadowOf(fetched)];
    };
    const same = [first.text, 'block', first.text, 'block'];
    expect([second.text, shadowOf(second)]).toEqual(same.slice(0, 2));
    expect(await repeat()).toEqual(same);
    await owner.send('PATCH', `${account}/keys/${live.key.id}`, { shadow: false });
    expect((await assess(BLOCKED, live.secret)).json.verdict).toBe('block');
    expect(await repeat()).toEqual(same);
    await owner.send('PATCH', `${account}/keys/${live.key.id}`, { shadow: true });
    expect((await assess(BLOCKED, live.secret)).json.verdict).toBe('allow');
  });

  it('comes from sandbox keys too', async () => {
    const answers = await Promise.all(
      ['ann', 'challenge', 'block'].map((name) => assess({ email: `${name}@example.com` }, sandbox.secret)),
    );
    expect(answers.map(({ json }) => [json.verdict, json.shadow_verdict, json.score])).toEqual([
      ['allow', 'allow', 0],
      ['allow', 'challenge', 0],
      ['allow', 'block', 0],
    ]);
    expect(answers.map(shadowOf)).toEqual(['allow', 'challenge', 'block']);
    // Nothing to redeem: the visitor is not challenged.
    expect(answers[1]?.json).not.toHaveProperty('challenge');
    const enforced = await scene.sandbox.assess({ email: 'challenge@example.com' });
    expect(enforced.json).toHaveProperty('challenge');
  });

  it('costs a credit and counts like any other', async () => {
    const before = (await scene.live.usage()).json.assessments_used;
    await assess({ email: 'first@shadow-counted.com', ip: '79.192.61.1' }, live.secret);
    const next = await assess({ email: 'second@shadow-counted.com', ip: '79.192.61.1' }, scene.account.live);
    expect(next.json.signals.velocity).toMatchObject({ ip_signups_1h: 2, email_domain_1h: 2 });
    expect((await scene.live.usage()).json.assessments_used).toBe(before + 2);
  });
});

describe('the dashboard', () => {
  it('shows the actual verdict with its signals, and that the answer was different', async () => {
    const { json, text } = await assess(BLOCKED, live.secret);
    const path = `${account}/assessments/${json.request_id}`;
    const detail = (await owner.get<AssessmentDetail>(path)).json;
    expect(detail.row).toMatchObject({ shadow: true, verdict: 'block' });
    expect(detail.row.reasons).toContain('email_disposable');
    expect(detail.signals.email.disposable).toBe(true);
    expect(detail.waterfall.length).toBeGreaterThan(0);
    expect(detail.body).toBe(text);
    const list = async (query: string) =>
      (await owner.get<AssessmentSearchResult>(`${account}/assessments?mode=live&limit=200&${query}`)).json
        .rows;
    const [observed, others] = [await list('shadow=true'), await list('shadow=false')];
    expect(observed.every((row) => row.shadow && row.key_id === live.key.id)).toBe(true);
    expect(observed.map(({ request_id: id }) => id)).toContain(json.request_id);
    expect(others.every((row) => !row.shadow)).toBe(true);
    expect(observed.length + others.length).toBe((await list('')).length);
    const today = (await owner.get<Today>(`${account}/today?period=7d&mode=live`)).json;
    const counts = (rows: typeof observed, verdict: Verdict) =>
      rows.filter((row) => row.verdict === verdict).length;
    const wouldStop = { challenge: counts(observed, 'challenge'), block: counts(observed, 'block') };
    const totals = {
      allow: counts(observed, 'allow') + counts(others, 'allow'),
      challenge: counts(others, 'challenge'),
      block: counts(others, 'block'),
      observed: wouldStop,
    };
    expect(wouldStop.block).toBeGreaterThan(0);
    expect(today.totals).toEqual(totals);
    expect(today.observed_keys).toEqual([{ id: live.key.id, name: 'new live', ...wouldStop }]);
    const sums = today.series.reduce(
      (sum, { block, observed }) => [(sum[0] ?? 0) + block, (sum[1] ?? 0) + observed.block],
      [0, 0],
    );
    expect(sums).toEqual([totals.block, wouldStop.block]);
  });

  it('shows for each key what would have happened, and what was reported', async () => {
    const before = (await report()).keys.find(({ id }) => id === live.key.id);
    const stopped = await assess(BLOCKED, live.secret);
    const allowed = await assess({ email: 'fraud@shadow-allowed.com', ip: '79.192.62.1' }, live.secret);
    await scene.live.feedback({ request_id: stopped.json.request_id, outcome: 'false_positive' });
    await scene.live.feedback({ request_id: allowed.json.request_id, outcome: 'false_negative' });
    const after = (await report()).keys.find(({ id }) => id === live.key.id);
    expect(after).toMatchObject({ shadow: true, revoked: false, name: 'new live' });
    expect(after?.verdicts).toEqual({
      allow: (before?.verdicts.allow ?? 0) + 1,
      challenge: before?.verdicts.challenge,
      block: (before?.verdicts.block ?? 0) + 1,
    });
    expect(after?.reasons.map(({ code }) => code)).toContain('email_disposable');
    expect(after?.reported).toEqual({
      good_stopped: 1,
      good_allowed: 0,
      fraud_stopped: 0,
      fraud_allowed: 1,
    });
    expect(after?.latest[0]).toMatchObject({
      request_id: stopped.json.request_id,
      feedback: 'false_positive',
    });
    const { keys } = await report();
    expect(keys.map(({ id }) => id).sort()).toEqual([live.key.id, sandbox.key.id].sort());
    expect(keys.find(({ id }) => id === sandbox.key.id)?.verdicts).toEqual({
      allow: 1,
      challenge: 1,
      block: 1,
    });
  });

  it('has each change of the mode in the audit log, once', async () => {
    const { key } = await makeKey('live', 'another live');
    const change = (body: object) => owner.send<KeyRow>('PATCH', `${account}/keys/${key.id}`, body);
    expect((await change({ shadow: false, name: 'checkout' })).json).toMatchObject({
      shadow: false,
      name: 'checkout',
    });
    expect((await change({ shadow: false })).json.shadow).toBe(false);
    expect((await change({ shadow: 'no' })).status).toBe(400);
    expect((await change({})).status).toBe(400);
    const { rows } = (await owner.get<{ rows: AuditRow[] }>(`${account}/audit`)).json;
    const own = rows.filter(({ target }) => target.includes('checkout'));
    expect(own.map(({ action }) => action).sort()).toEqual(['key.enforce', 'key.rename']);
  });
});

describe('a key that enforces for a share of people', () => {
  const PEOPLE = Array.from({ length: 60 }, (_, at) => `person${at}@mailinator.com`);

  it('answers each person as the log says, and lists, counts and lines of the CSV agree', async () => {
    const made = await makeKey('live', 'partly');
    const patch = (share: number, version?: string) =>
      owner.send<KeyRow>(
        'PATCH',
        `${account}/keys/${made.key.id}${version === undefined ? '' : `?version=${version}`}`,
        { enforced_share: share },
      );
    const observedOf = async () => {
      const answers = await Promise.all(PEOPLE.map((email) => assess({ email }, made.secret)));
      const observed = answers.map((answer) => shadowOf(answer) === 'block');
      expect(answers.map(({ json }) => json.verdict)).toEqual(observed.map((is) => (is ? 'allow' : 'block')));
      return observed;
    };
    const changed = (await patch(30)).json;
    expect(changed).toMatchObject({ shadow: true, enforced_share: 30 });
    const atThirty = await observedOf();
    const count = atThirty.filter(Boolean).length;
    expect(count).toBeGreaterThan(30);
    expect(count).toBeLessThan(54);
    const filter = `mode=live&period=7d&key=${made.key.id}&verdict=block`;
    for (const [shadow, expected] of [
      ['true', count],
      ['false', PEOPLE.length - count],
    ] as const) {
      const { text } = await owner.get(`${account}/assessments.csv?${filter}&shadow=${shadow}`);
      expect(text.trimEnd().split('\r\n')).toHaveLength(expected + 1);
    }
    const shown = (await report()).keys.find(({ id }) => id === made.key.id);
    expect(shown).toMatchObject({ shadow: true, enforced_share: 30, verdicts: { block: count } });
    expect(shown?.readiness).toMatchObject({
      state: 'collecting',
      missing: { days: 7, signups: 500 - count },
      verdicts: { block: count },
    });
    // Somebody who decided on the key as it was overwrites nothing.
    const stale = await patch(50, made.key.version);
    expect([stale.status, stale.text.includes('set “partly” to enforced for 30%')]).toEqual([409, true]);
    await patch(80, changed.version);
    const atEighty = await observedOf();
    expect(atEighty.filter((is, at) => is && !atThirty[at])).toEqual([]);
    await patch(0);
    expect((await observedOf()).every(Boolean)).toBe(true);
    const { rows } = (await owner.get<{ rows: AuditRow[] }>(`${account}/audit`)).json;
    const own = rows.filter(({ target }) => target.endsWith('key partly'));
    expect(own.map(({ action, detail }) => [action, detail]).slice(0, 3)).toEqual([
      ['key.shadow', 'enforced for 80% → observed only'],
      ['key.enforce', 'enforced for 30% → enforced for 80%'],
      ['key.enforce', 'observed only → enforced for 30%'],
    ]);
  });
});

describe('the command line', () => {
  it('turns shadow mode on and off, and a running service follows', async () => {
    const { installation } = scene;
    const made = await installation.key(scene.account.id, 'test', '--shadow');
    expect(made).toMatchObject({ shadow: true });
    const verdict = async () => (await assess({ email: 'block@example.com' }, made.key)).json.verdict;
    await until(async () => (await assess({ email: 'block@example.com' }, made.key)).status === 200);
    expect(await verdict()).toBe('allow');
    expect(await installation.json('key', 'enforce', made.id)).toMatchObject({ shadow: false });
    await until(async () => (await verdict()) === 'block');
    expect(await installation.json('key', 'enforce', made.id, '--share', '10')).toMatchObject({
      shadow: true,
      enforced_share: 10,
    });
    expect(await installation.json('key', 'shadow', made.id)).toMatchObject({ shadow: true });
    await until(async () => (await verdict()) === 'allow');
    const { rows } = (await owner.get<{ rows: AuditRow[] }>(`${account}/audit`)).json;
    const actions = rows.filter(({ target }) => target.includes('a test key')).map(({ action }) => action);
    expect(actions).toEqual(['key.shadow', 'key.shadow', 'key.enforce', 'key.create']);
  });
});
