/** Pages of the dashboard about an account: one assessment explained, related signups, numbers, the simulator, and Try it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditRow, Simulation, TryResult, UsagePage } from '../../src/contract/dashboard-account.ts';
import type {
  AssessmentDetail,
  AssessmentRow,
  AssessmentSearchResult,
  RelatedGroup,
} from '../../src/contract/dashboard-assessments.ts';
import type { FeedbackPage } from '../../src/contract/dashboard-mistakes.ts';
import type { Today } from '../../src/contract/dashboard-today.ts';
import type { Assessment, Verdict } from '../../src/contract/messages.ts';
import { verdictOf } from '../../src/signup/judge.ts';
import { actorName, type Person, plantPerson, signIn } from '../support/person.ts';
import { type Scene, startScene } from '../support/scene.ts';

let scene: Scene;
let owner: Person;
let member: Person;
let account: string;
const answered: Assessment[] = [];

beforeAll(async () => {
  scene = await startScene({ account: { plan: 'pro', overage: true, monthlyQuota: 10 } });
  account = `/accounts/${scene.account.id}`;
  const of = async (role: 'owner' | 'member') =>
    signIn(scene.service, await plantPerson(scene.installation, { account: scene.account.id, role }));
  [owner, member] = await Promise.all([of('owner'), of('member')]);
  for (let at = 0; at < 6; at += 1) {
    for (const body of [
      { email: `ann${at}@look-harbour.com`, ip: '79.192.3.3', session_id: 's-7' },
      { email: `bob+${at}@mailinator.com`, ip: '79.192.3.4' },
      { email: `support@quiet-${at}.com` },
    ])
      answered.push((await scene.live.assess(body)).json);
  }
  answered.push((await scene.sandbox.assess({ email: 'block@example.com' })).json);
});
afterAll(async () => {
  owner?.close();
  member?.close();
  await scene?.end();
});

const rowsOf = async (mode: 'live' | 'test') =>
  (await member.get<AssessmentSearchResult>(`${account}/assessments?limit=200&mode=${mode}`)).json.rows;
const detailOf = async (id: string) =>
  (await member.get<AssessmentDetail>(`${account}/assessments/${id}`)).json;
const counts = (rows: readonly { readonly verdict: Verdict }[]) => ({
  allow: rows.filter(({ verdict }) => verdict === 'allow').length,
  challenge: rows.filter(({ verdict }) => verdict === 'challenge').length,
  block: rows.filter(({ verdict }) => verdict === 'block').length,
});

describe('one assessment', () => {
  it('is explained by steps that add up to its score, with the exact response', async () => {
    for (const { request_id, score, verdict, reasons } of answered) {
      const detail = await detailOf(request_id);
      const sum = detail.waterfall.reduce((total, step) => total + Math.round(step.contribution * 100), 0);
      expect(sum).toBe(score * 100);
      expect(detail.row).toMatchObject({ request_id, score, verdict });
      expect(detail.thresholds).toEqual({ challenge: 30, block: 60 });
      expect(new Set(detail.waterfall.map(({ code }) => code).filter((code) => code !== null))).toEqual(
        new Set(reasons.map(({ code }) => code)),
      );
      expect(detail.body).toBe((await scene.live.get(request_id)).text);
    }
  });

  it('names the source and the entry behind a step, and what would have changed the verdict', async () => {
    const blocked = answered.find(({ verdict, signals }) => verdict === 'block' && signals.email.disposable);
    const detail = await detailOf(blocked?.request_id as string);
    expect(detail.waterfall[0]).toMatchObject({
      detector: 'disposable_domain',
      without: { verdict: 'allow' },
    });
    expect(detail.waterfall[0]?.hits.map(({ entry }) => entry)).toContain('mailinator.com');
    expect(detail.flips[0]).toContain('Without the finding “mailinator.com is on a list');
    expect(detail).toMatchObject({
      policy: 'default-2',
      list: null,
      feedback: null,
      mx: { status: 'valid' },
    });
  });

  it('says what was unknown, and that nothing was looked up in the sandbox', async () => {
    const [, , noIp] = answered as [Assessment, Assessment, Assessment];
    const { unknown } = await detailOf(noIp.request_id);
    expect(unknown).toContain('No IP address was sent, so none was looked up.');
    const sandbox = await detailOf(answered.at(-1)?.request_id as string);
    expect(sandbox.unknown).toHaveLength(1);
    expect(sandbox.flips).toEqual([]);
    expect(sandbox.policy).toBe('sandbox');
  });

  it('has related signups, newest first, without itself', async () => {
    const [first] = answered as [Assessment];
    const { json } = await member.get<RelatedGroup[]>(
      `${account}/assessments/${first.request_id}/neighbours`,
    );
    expect(json.map(({ relation }) => relation)).toEqual(['ip', 'domain', 'session']);
    const expected = (await rowsOf('live')).filter(
      ({ ip, request_id }) => ip === '79.192.3.3' && request_id !== first.request_id,
    );
    expect(json[0]).toEqual({ relation: 'ip', shared: '79.192.3.3', rows: expected, more: false });
  });

  it.each(['', '/neighbours'])('with an unknown id is not found%s', async (path) => {
    expect((await member.get(`${account}/assessments/req_nothing${path}`)).status).toBe(404);
  });
});

describe('feedback', () => {
  it('from here is the same record as from the API, with the name of its author', async () => {
    const [, blocked] = answered as [Assessment, Assessment];
    const path = `${account}/assessments/${blocked.request_id}`;
    const feedback = { outcome: 'false_positive', note: 'a good customer' };
    const { status } = await member.send('POST', `${path}/feedback`, feedback);
    expect(status).toBe(200);
    expect((await detailOf(blocked.request_id)).feedback).toMatchObject({
      ...feedback,
      by: expect.stringContaining('Person '),
    });
    const [, , , , again] = answered as Assessment[];
    await scene.live.feedback({ request_id: again?.request_id, outcome: 'false_negative' });
    const { json } = await member.get<FeedbackPage>(`${account}/feedback?mode=live&period=24h`);
    expect(json.queue.rows.map(({ request_id }) => request_id)).toEqual([
      again?.request_id,
      blocked.request_id,
    ]);
    expect(json.totals).toEqual({ false_positives: 1, false_negatives: 1, confirmed: 0 });
    const disposable = json.reasons.find(({ code }) => code === 'email_disposable');
    const none = { confirmed: 0, precision: null, precision_interval: null };
    expect(disposable).toEqual({ code: 'email_disposable', stopped: 6, reported_wrong: 1, ...none });
    const wrong = json.reasons.map(({ reported_wrong }) => reported_wrong);
    expect(wrong).toEqual(wrong.toSorted((a, b) => b - a));
    const first = await member.get<FeedbackPage>(`${account}/feedback?limit=1`);
    const second = await member.get<FeedbackPage>(`${account}/feedback?limit=1&cursor=${first.json.cursor}`);
    expect(second.json.queue.rows.map(({ request_id }) => request_id)).toEqual([blocked.request_id]);
    expect((await member.send('POST', `${path}/feedback`, { outcome: 'nonsense' })).status).toBe(400);
  });
});

describe('a confirmation', () => {
  const confirm = (id = '') =>
    member.send('POST', `${account}/assessments/${id}/feedback`, { outcome: 'confirmed_fraud' });
  const [wrong, first] = [1, 7];

  it('is for stopped signups, counts for their reasons, and is no reported mistake', async () => {
    const [allowed] = answered.filter(({ verdict }) => verdict === 'allow');
    expect((await confirm(allowed?.request_id)).status).toBe(400);
    expect((await detailOf(allowed?.request_id as string)).feedback).toBeNull();
    const { request_id: stopped } = answered[first] as Assessment;
    expect((await confirm(stopped)).status).toBe(200);
    expect((await detailOf(stopped)).feedback).toMatchObject({ outcome: 'confirmed_fraud', note: null });
    const { json } = await member.get<FeedbackPage>(`${account}/feedback?mode=live&period=24h`);
    expect(json.totals.confirmed).toBe(1);
    expect(json.queue.rows.map(({ request_id }) => request_id)).not.toContain(stopped);
    const disposable = json.reasons.find(({ code }) => code === 'email_disposable');
    // Two labels are too few.
    expect(disposable).toMatchObject({ reported_wrong: 1, confirmed: 1, precision: null });
    const { rows } = (
      await member.get<AssessmentSearchResult>(`${account}/assessments?feedback=confirmed_fraud`)
    ).json;
    expect(rows.map(({ request_id }) => request_id)).toEqual([stopped]);
  });

  it('is refused by the API, whose report replaces it', async () => {
    const { request_id: stopped } = answered[first] as Assessment;
    const refused = await scene.live.feedback({ request_id: stopped, outcome: 'confirmed_fraud' });
    expect(refused.status).toBe(400);
    await scene.live.feedback({ request_id: stopped, outcome: 'false_negative' });
    expect((await detailOf(stopped)).feedback).toMatchObject({ outcome: 'false_negative' });
    expect((await detailOf(answered[wrong]?.request_id as string)).feedback?.outcome).toBe('false_positive');
  });
});

describe('numbers', () => {
  it('of the first page equal those of the history', async () => {
    const rows = await rowsOf('live');
    for (const [period, buckets] of [
      ['24h', 24],
      ['7d', 42],
      ['30d', 30],
    ] as const) {
      const { json } = await member.get<Today>(`${account}/today?mode=live&period=${period}`);
      expect(json.series).toHaveLength(buckets);
      expect(json.totals).toEqual({ ...counts(rows), observed: { challenge: 0, block: 0 } });
      const summed = json.series.reduce(
        (sum, { allow, challenge, block }) => sum + allow + challenge + block,
        0,
      );
      expect(summed).toBe(rows.length);
      expect(json.latest).toBe(rows[0]?.at);
      expect(json.latency.p95).toBeGreaterThanOrEqual(json.latency.p50 as number);
      expect(json.intelligence.sources).toBeGreaterThan(5);
    }
    expect((await member.get(`${account}/today?period=1y`)).status).toBe(400);
  });

  it('of the usage are given for each day, and include the price of overage', async () => {
    const { json } = await member.get<UsagePage>(`${account}/usage`);
    const used = (await rowsOf('live')).length;
    expect(json).toMatchObject({ plan: 'pro', overage: true, overage_rate_per_1k: 0.4, used, limit: 10 });
    expect(json.overage_cost).toBe(Math.round(((used - 10) / 1000) * 0.4 * 100) / 100);
    expect(json.projected).toBeGreaterThanOrEqual(used);
    expect(json.days).toHaveLength(new Date().getUTCDate());
    expect(json.days.at(-1)).toMatchObject({ live: used, test: 1 });
    expect(json.days[0]?.from).toBe(json.period_start);
    expect(json.days.slice(1).map(({ from }) => from)).toEqual(json.days.slice(0, -1).map(({ to }) => to));
  });
});

describe('the simulator', () => {
  const ORDER = ['allow', 'challenge', 'block'] as const;
  const ask = async (body: object) => {
    const { status, json, text } = await member.send<Simulation>('POST', `${account}/simulate`, body);
    expect(status, text).toBe(200);
    return json;
  };

  it('moves thresholds like a count by hand', async () => {
    const rows = await rowsOf('live');
    for (const thresholds of [
      { challenge: 30, block: 60 },
      // Above what context weighs, and with no block that bursts would have to reach.
      { challenge: 2, block: 99 },
      { challenge: 7, block: 90 },
      { challenge: 100, block: 100 },
    ]) {
      const simulation = await ask({ mode: 'live', period: '24h', thresholds });
      const after = rows.map((row): AssessmentRow => ({ ...row, verdict: verdictOf(row.score, thresholds) }));
      expect(simulation).toMatchObject({ judged: rows.length, sampled: false });
      expect(simulation.before).toEqual(counts(rows));
      expect(simulation.after).toEqual(counts(after));
      expect(simulation.scores_before).toEqual(simulation.scores_after);
      for (let score = 0; score <= 100; score += 1)
        expect(simulation.scores_before[score]).toBe(rows.filter((row) => row.score === score).length);
      const moved = rows.filter((row, at) => row.verdict !== after[at]?.verdict);
      expect(new Set(simulation.samples.map(({ request_id }) => request_id))).toEqual(
        new Set(moved.map(({ request_id }) => request_id)),
      );
      const wrong = rows.filter(({ feedback }) => feedback === 'false_positive');
      const isMilder = ({ verdict, score }: AssessmentRow) =>
        ORDER.indexOf(verdictOf(score, thresholds)) < ORDER.indexOf(verdict);
      expect(simulation.effect.helped).toBe(wrong.filter(isMilder).length);
    }
  });

  it('recalculates scores, and does not change the sandbox', async () => {
    const thresholds = { challenge: 30, block: 60 };
    const weights = { disposable_domain: 20, role_account: 65 };
    const simulation = await ask({ mode: 'live', period: '7d', thresholds, weights });
    const roles = answered.filter(({ signals }) => signals.email.role_account).length;
    expect(roles).toBeGreaterThanOrEqual(6);
    expect(simulation.after.block).toBeGreaterThanOrEqual(roles);
    expect(simulation.scores_after[65]).toBe(roles);
    expect(simulation.samples[0]).toMatchObject({ new_score: expect.any(Number) });
    const sandbox = await ask({ mode: 'test', period: '24h', thresholds: { challenge: 99, block: 100 } });
    expect(sandbox).toMatchObject({ judged: 1, moves: [], after: { allow: 0, challenge: 0, block: 1 } });
  });

  it('compares with the current thresholds, and on request with the given answers', async () => {
    const thresholds = { challenge: 8, block: 40 };
    const put = (body: object | null) => owner.send('PUT', `${account}/thresholds`, body);
    expect((await put(thresholds)).status).toBe(200);
    const now = await ask({ mode: 'live', period: '24h', thresholds });
    expect(now).toMatchObject({ moves: [], samples: [], before: now.after });
    const then = await ask({ mode: 'live', period: '24h', thresholds, baseline: 'answered' });
    expect(then.before).toEqual(counts(await rowsOf('live')));
    expect(then.after).toEqual(now.after);
    expect(then.before).not.toEqual(then.after);
    expect(then.samples[0]).toMatchObject({ old_verdict: 'allow' });
    expect((await put(null)).status).toBe(200);
  });

  it.each([
    [{ mode: 'live', period: '24h', thresholds: { challenge: 1, block: 2 }, baseline: 'x' }, 'baseline'],
    [{ mode: 'live', period: '24h' }, 'thresholds'],
    [{ mode: 'live', period: '1y', thresholds: { challenge: 1, block: 2 } }, 'period'],
    [{ mode: 'live', period: '24h', thresholds: { challenge: 3, block: 2 } }, 'challenge'],
    [{ mode: 'live', period: '24h', thresholds: { challenge: 1, block: 2 }, weights: { x: 1 } }, 'weights'],
  ])('refuses %j', async (body, param) => {
    const { status, json } = await member.send<{ error: { param: string } }>(
      'POST',
      `${account}/simulate`,
      body,
    );
    expect(status).toBe(400);
    expect(json.error.param).toBe(param);
  });
});

describe('a try', () => {
  const attempt = (person: Person, body: object) =>
    person.send<TryResult>('POST', `${account}/try`, body).then(({ status, json }) => ({ status, json }));

  it('uses the sandbox for everybody', async () => {
    const { json } = await attempt(member, { mode: 'test', email: 'challenge@example.com' });
    expect(json.status).toBe(200);
    expect(JSON.parse(json.body)).toMatchObject({ verdict: 'challenge', score: 45 });
    expect(json.headers['X-RateLimit-Limit']).toBe('50');
    const id = (JSON.parse(json.body) as Assessment).request_id;
    expect((await detailOf(id)).row).toMatchObject({ mode: 'test', key_name: 'Try it' });
  });

  it('gets the API’s error if it is not valid', async () => {
    const { json } = await attempt(member, { mode: 'test', email: 'nonsense' });
    expect(json.status).toBe(400);
    expect(JSON.parse(json.body)).toMatchObject({ error: { code: 'invalid_email', param: 'email' } });
  });

  it('live is for owners, charges a credit and says so', async () => {
    const body = { mode: 'live', email: 'try@mailinator.com', ip: '79.192.3.9', session_id: 'tried' };
    expect((await attempt(member, body)).status).toBe(403);
    const before = (await scene.live.usage()).json.assessments_used;
    const { json } = await attempt(owner, body);
    expect(JSON.parse(json.body)).toMatchObject({ verdict: 'block', session_id: 'tried' });
    expect(json.headers['X-Quota-Used']).toBe(String(before + 1));
    expect((await scene.live.usage()).json.assessments_used).toBe(before + 1);
    const { json: audit } = await owner.get<{ rows: AuditRow[] }>(`${account}/audit`);
    expect(audit.rows[0]).toMatchObject({ action: 'try.live', by: actorName(owner) });
  });
});
