/** The export over a real connection: refused early if it cannot be complete, and visibly broken if it fails midway. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type ServedRoutes, serveRoutes } from '../../test/support/serve-routes.ts';
import type { AssessmentRow } from '../contract/dashboard-assessments.ts';
import { Problem } from '../contract/problem.ts';
import type { HistoryEntry, HistoryStore, IndexProgress } from '../store/history-store.ts';
import type { RecallStore } from '../store/recall-store.ts';
import { assessmentsRoutes, toCsvLine } from './dashboard-assessments.ts';
import type { AccountCall, AccountRoute, DashboardRoutes } from './dashboard-route.ts';

const ROW = { at: 0, reasons: [], emailDomain: 'example.com', facts: '' } as unknown as HistoryEntry;
const CHUNK = Array.from({ length: 500 }, () => ROW);

describe('the export', () => {
  let served: ServedRoutes;
  afterEach(() => served.close());

  async function serve(log: Partial<HistoryStore>) {
    const store = {
      indexing: async () => null,
      dayCounts: async () => [],
      recalledSignups: async () => [],
      ...log,
    } as unknown as HistoryStore & Pick<RecallStore, 'recalledSignups'>;
    const readers = { block: () => undefined, domain: () => undefined };
    const intelligence = { asName: () => '' };
    served = await serveRoutes((routes) => {
      const add = ({ method, path, handle }: AccountRoute<never>) =>
        routes.add(method, path, async (context) => {
          const account = { id: context.params.account };
          const call = { account, query: context.query, context, now: 0, audit: async () => {} };
          await handle(call as unknown as AccountCall<never>);
          if (!context.response.headersSent) context.empty(204);
        });
      assessmentsRoutes({ forAccount: add } as unknown as DashboardRoutes, { store, readers, intelligence });
    });
    return (account = 'acc_a', what = 'assessments.csv') =>
      fetch(`${served.url}/accounts/${account}/${what}`);
  }

  it('is refused before it begins if some signups in it are not indexed yet', async () => {
    const progress: IndexProgress = { indexed: 812_000, total: 1_200_000, secondsLeft: 20 };
    const ask = await serve({ indexing: async () => progress });
    for (const what of ['assessments.csv', 'assessments.csv/ready']) {
      const answer = await ask('acc_a', what);
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({
        error: { code: 'unavailable', progress: { indexed: 812_000, total: 1_200_000 } },
      });
    }
  });

  it('is refused before it begins if nothing can be read', async () => {
    const refused = new Problem('unavailable');
    async function* exportAssessments() {
      yield await Promise.reject(refused);
    }
    const ask = await serve({ exportAssessments });
    expect((await ask()).status).toBe(503);
  });

  it('breaks the connection if it fails midway, so that nobody takes a part for the whole', async () => {
    async function* exportAssessments() {
      yield CHUNK;
      yield CHUNK;
      throw new Error('the history went away');
    }
    const ask = await serve({ exportAssessments });
    const answer = await ask();
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow('terminated');
  });

  it('has a limit per account and in total, and frees its place at the end', async () => {
    const doors: (() => void)[] = [];
    async function* exportAssessments() {
      yield CHUNK;
      await new Promise<void>((resolve) => doors.push(resolve));
    }
    const ask = await serve({ exportAssessments });
    const begun = [];
    for (const account of ['acc_a', 'acc_a', 'acc_b', 'acc_b', 'acc_c', 'acc_c'])
      begun.push(await ask(account));
    expect(begun.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await ask('acc_a')).status).toBe(429);
    expect((await ask('acc_d')).status).toBe(503);
    expect((await ask('acc_d', 'assessments.csv/ready')).status).toBe(503);
    // One export is read to its end, one is cancelled.
    await begun[1]?.body?.cancel();
    while (doors.length < 6) await sleep(5);
    doors[0]?.();
    expect((await begun[0]?.text())?.split('\r\n')).toHaveLength(502);
    while ((await ask('acc_a', 'assessments.csv/ready')).status !== 204) await sleep(5);
    for (const open of doors) open();
    await Promise.all(begun.slice(2).map((answer) => answer.text()));
  });
});

const cellOf = (text: string) =>
  toCsvLine({ session_id: text } as AssessmentRow)
    .split(',')
    .slice(-9)[0];

describe('a cell of the file', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['＝1+1', "'＝1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\n=1', '"\'\n\'=1"'],
    ['a;=1+1', "a;'=1+1"],
    ['a;"=1+1', `"a;""'=1+1"`],
    ['a\t "=1+1', `"a\t ""'=1+1"`],
    ['"=1+1', `"""'=1+1"`],
    ['a\r\n-1', '"a\r\n\'-1"'],
  ])('%j begins no formula, wherever a spreadsheet starts a cell', (text, cell) => {
    expect(cellOf(text)).toBe(cell);
  });

  it.each(['a=1', 'a;b', 's-1', '3+4', 'x@y.example'])('%j is not changed', (text) => {
    expect(cellOf(text)).toBe(text);
  });
});
