/** One meaning of a period: what each page counts, and the rows of the history behind its links, exactly at the edges. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Period, Simulation } from '../../src/contract/dashboard-account.ts';
import type { AssessmentRow, AssessmentSearchResult } from '../../src/contract/dashboard-assessments.ts';
import type { FeedbackPage } from '../../src/contract/dashboard-mistakes.ts';
import type { Today } from '../../src/contract/dashboard-today.ts';
import type { Verdict } from '../../src/contract/messages.ts';
import type { ReasonCode } from '../../src/contract/reasons.ts';
import { type Span, spanOf } from '../../src/http/dashboard-periods.ts';
import { anAssessment } from '../support/an-assessment.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { type Scene, startScene } from '../support/scene.ts';
import { withStored } from '../support/stored.ts';

const PERIODS = ['24h', '7d', '30d'] as const;
const VERDICTS = ['allow', 'challenge', 'block'] as const;

/** Its days begin in the middle of an hour of UTC. */
const ZONE = 'Asia/Kolkata';

interface Made {
  readonly at: number;
  readonly verdict: Verdict;
  readonly reasons: readonly ReasonCode[];
  readonly reported: boolean;
}

let scene: Scene;
let member: Person;
let account: string;
const made: Made[] = [];

beforeAll(async () => {
  scene = await startScene({ account: { timeZone: ZONE } });
  account = `/accounts/${scene.account.id}`;
  member = await signIn(
    scene.service,
    await plantPerson(scene.installation, { account: scene.account.id, role: 'member' }),
  );
  const now = Date.now();
  const edges = PERIODS.flatMap((period) => {
    const { from, to } = spanOf(period, now, ZONE);
    // The last rows are those that a window of 30 × 24 hours counts but this period does not, or the reverse.
    const sameTimeBefore = now - (to - from);
    return [from - 1, from, from + 1, sameTimeBefore - 1, sameTimeBefore + 1];
  });
  const instants = [...edges, now - 5_000, now - 4_000];
  await withStored(scene.installation, async (store) => {
    for (const [index, at] of instants.entries()) {
      const verdict = VERDICTS[index % 3] as Verdict;
      const reasons: ReasonCode[] = index % 2 === 0 ? ['email_alias', 'ip_hosting'] : ['email_alias'];
      const row = anAssessment({ accountId: scene.account.id, at, verdict, score: 20 + index, reasons });
      await store.record({ ...row, weights: reasons.map(() => 10) });
      const reported = index % 3 === 2;
      if (reported)
        await store.saveFeedback({
          requestId: row.requestId,
          outcome: 'false_positive',
          note: null,
          keyId: 'key_a',
          at: Math.max(at, now - 60_000),
        });
      made.push({ at, verdict, reasons, reported });
    }
  });
});
afterAll(async () => {
  member?.close();
  await scene?.end();
});

/** A result, with the bounds of the period before and after the request. */
async function during<T>(period: Period, request: () => Promise<T>): Promise<{ answer: T; inside: Made[] }> {
  for (;;) {
    const span = spanOf(period, Date.now(), ZONE);
    const answer = await request();
    if (same(span, spanOf(period, Date.now(), ZONE)))
      return { answer, inside: made.filter(({ at }) => at >= span.from && at < span.to) };
  }
}

const same = (a: Span, b: Span) => a.from === b.from && a.to === b.to;

/** All rows behind a link of the first page. */
async function behind(query: Readonly<Record<string, string>>): Promise<AssessmentRow[]> {
  const search = new URLSearchParams({ mode: 'live', limit: '200', ...query });
  const { status, json, text } = await member.get<AssessmentSearchResult>(`${account}/assessments?${search}`);
  expect(status, text).toBe(200);
  return [...json.rows];
}

describe.each(PERIODS)('the last %s', (period) => {
  it('are the same signups on the first page and in the rows behind its numbers', async () => {
    const { answer, inside } = await during(period, async () => {
      const { json: today } = await member.get<Today>(`${account}/today?mode=live&period=${period}`);
      const links = [{ period }, ...VERDICTS.map((verdict) => ({ period, verdict }))];
      const rows = await Promise.all(links.map(behind));
      return { today, counts: rows.map(({ length }) => length) };
    });
    const { totals } = answer.today;
    expect(inside.length).toBeLessThan(made.length);
    expect(answer.counts).toEqual([
      totals.allow + totals.challenge + totals.block,
      ...VERDICTS.map((verdict) => totals[verdict]),
    ]);
    expect(answer.counts[0]).toBe(inside.length);
  });

  it('are the same in each bar and in the rows between its ends', async () => {
    const { answer } = await during(period, async () => {
      const { json } = await member.get<Today>(`${account}/today?mode=live&period=${period}`);
      return Promise.all(
        json.series
          .filter(({ allow, challenge, block }) => allow + challenge + block > 0)
          .map(async ({ at, to, allow, challenge, block }) => {
            return { counted: allow + challenge + block, rows: (await behind({ from: at, to })).length };
          }),
      );
    });
    expect(answer.length).toBeGreaterThan(1);
    for (const { counted, rows } of answer) expect(counted).toBe(rows);
  });

  it('are the same in the simulator and on the feedback page', async () => {
    const { answer, inside } = await during(period, async () => {
      const body = { mode: 'live', period, thresholds: { challenge: 30, block: 60 } };
      const simulation = await member.send<Simulation>('POST', `${account}/simulate`, body);
      const feedback = await member.get<FeedbackPage>(`${account}/feedback?mode=live&period=${period}`);
      const marked = await behind({ period, feedback: 'any' });
      return { judged: simulation.json.judged, feedback: feedback.json, marked: marked.length };
    });
    const reported = inside.filter((signup) => signup.reported).length;
    expect(answer.judged).toBe(inside.length);
    expect(answer.feedback.totals.false_positives).toBe(reported);
    expect(answer.feedback.queue.rows).toHaveLength(reported);
    expect(answer.marked).toBe(reported);
  });
});

describe('the history', () => {
  it('treats instants with a period as a narrower period, never a wider one', async () => {
    const { from } = spanOf('7d', Date.now(), ZONE);
    const early = new Date(from - 20 * 86_400_000).toISOString();
    const late = new Date(from + 1).toISOString();
    const { answer } = await during('7d', () =>
      Promise.all([behind({ period: '7d' }), behind({ period: '7d', from: early }), behind({ from: late })]),
    );
    const [all, wide, narrow] = answer as [AssessmentRow[], AssessmentRow[], AssessmentRow[]];
    expect(wide).toEqual(all);
    expect(narrow).toEqual(await behind({ period: '7d', from: late }));
    expect(narrow.length).toBeLessThan(all.length);
  });

  it('finds the 60 minutes before now, however often it is asked', async () => {
    const hour = Date.now() - 3_600_000;
    const rows = await behind({ period: '1h' });
    expect(rows.length).toBe(made.filter(({ at }) => at >= hour).length);
    const pastHour = { period: '1h', from: new Date(hour - 60_000).toISOString() };
    expect(await behind(pastHour)).toEqual(rows);
    const today = await member.get(`${account}/today?mode=live&period=1h`);
    expect(today.status).toBe(400);
  });

  it('refuses an unknown period', async () => {
    const answer = await member.get<{ error: { param: string } }>(`${account}/assessments?period=1y`);
    expect([answer.status, answer.json.error.param]).toEqual([400, 'period']);
  });
});
