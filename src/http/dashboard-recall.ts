/** GET …/recall: who got in before and would not come in now, by cause; POST asks for a run, and says that there is nothing to do. */
import type {
  RecallCauseRow,
  RecallDismissed,
  RecalledRow,
  RecallReport,
} from '../contract/dashboard-recall.ts';
import { Problem } from '../contract/problem.ts';
import { describeCampaign } from '../signup/wave-words.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import type { HistoryStore } from '../store/history-store.ts';
import type { RecallCount, RecalledSignup, RecallRun, RecallStore } from '../store/recall-store.ts';
import type { ListStore } from '../store/store.ts';
import { instantOrNull, toAssessmentRow, toIndexBacklog, toInstant } from './dashboard-history.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { recallFilterOf } from './recall-filter.ts';

export interface RecallRoutesOptions {
  readonly store: RecallStore &
    Pick<HistoryStore, 'indexing' | 'findAssessments'> &
    Pick<ListStore, 'listEntries'> &
    Pick<CampaignStore, 'findCampaign'>;
  /** Settings of the installation. */
  readonly recall: { readonly days: number | null; readonly hour: number };
}

const PATH = '/accounts/:account/recall';
const MAX_NEWEST = 20;

export function recallRoutes(routes: DashboardRoutes, { store, recall }: RecallRoutesOptions): void {
  routes.forAccount({
    method: 'GET',
    path: PATH,
    minRole: 'member',
    async handle({ account }): Promise<RecallReport> {
      const run = await store.recallRun(account.id);
      const counts = await store.recallCounts(account.id);
      const newest = await store.recalledSignups(account.id, {}, MAX_NEWEST);
      return {
        ...recall,
        state: stateOf(run),
        indexing: toIndexBacklog(await store.indexing()),
        run: toRunRow(run),
        ...totalsOf(counts),
        causes: await causesOf(store, account.id, counts),
        seen: await store.countSeenRecalled(account.id),
        newest: await rowsOf(store, account.id, newest),
      };
    },
  });

  routes.forAccount({
    method: 'POST',
    path: PATH,
    minRole: 'analyst',
    async handle({ account, now, auditEntry }): Promise<void> {
      if (recall.days === null)
        throw new Problem('conflict', undefined, {
          message: 'Recall is off in this installation.',
          resolution: 'Ask the operator to set GATEHOUSE_RECALL_DAYS.',
        });
      await store.requestRecall(account.id, now, auditEntry('recall.request', '', ''));
    },
  });

  routes.forAccount({
    method: 'POST',
    path: `${PATH}/dismiss`,
    minRole: 'analyst',
    async handle({ account, now, auditEntry }): Promise<RecallDismissed> {
      return {
        dismissed: await store.dismissRecalled(account.id, now, auditEntry('recall.dismiss', '', '')),
      };
    },
  });
}

function stateOf(run: RecallRun | undefined): RecallReport['state'] {
  if (run?.endedAt === null) return 'running';
  if (run !== undefined && run.requestedAt !== null) return 'waiting';
  return run === undefined || run.id === '' ? 'never' : 'ended';
}

function toRunRow(run: RecallRun | undefined): RecallReport['run'] {
  if (run === undefined || run.id === '') return null;
  return {
    began_at: toInstant(run.beganAt),
    ended_at: instantOrNull(run.endedAt),
    since: toInstant(run.since),
    judged: run.judged,
    partial: run.isPartial,
  };
}

/** Numbers by new verdict. */
export function totalsOf(
  counts: readonly RecallCount[],
): Pick<RecallReport, 'total' | 'block' | 'challenge'> {
  const of = (verdict: 'block' | 'challenge') =>
    counts.reduce((sum, { newVerdict, count }) => sum + (newVerdict === verdict ? count : 0), 0);
  const [block, challenge] = [of('block'), of('challenge')];
  return { total: block + challenge, block, challenge };
}

async function causesOf(
  store: RecallRoutesOptions['store'],
  accountId: string,
  counts: readonly RecallCount[],
): Promise<RecallCauseRow[]> {
  const groups = new Map<string, RecallCount[]>();
  for (const count of counts) {
    const key = `${count.cause} ${count.causeId}`;
    groups.set(key, [...(groups.get(key) ?? []), count]);
  }
  const nameOf = await createNames(store, accountId, counts);
  const rows = [...groups.values()].map(async ([first, ...rest]): Promise<RecallCauseRow> => {
    const { cause, causeId: id } = first as RecallCount;
    const name = await nameOf(first as RecallCount);
    const filter = recallFilterOf(first as RecallCount);
    return { cause, id, name, ...totalsOf([first as RecallCount, ...rest]), filter };
  });
  return (await Promise.all(rows)).sort((a, b) => b.total - a.total);
}

/** Entries are read only where one is a cause. */
async function createNames(
  store: RecallRoutesOptions['store'],
  accountId: string,
  counts: readonly RecallCount[],
): Promise<(count: RecallCount) => Promise<string>> {
  const hasEntries = counts.some(({ cause }) => cause === 'list');
  const entries = hasEntries ? await store.listEntries(accountId) : [];
  return async ({ cause, causeId }) => {
    if (cause === 'list') return entries.find(({ id }) => id === causeId)?.shown ?? '';
    if (cause !== 'campaign') return causeId;
    const campaign = await store.findCampaign(accountId, causeId);
    return campaign === undefined ? '' : (describeCampaign(campaign).split('; ')[0] ?? '');
  };
}

async function rowsOf(
  store: Pick<HistoryStore, 'findAssessments'>,
  accountId: string,
  recalled: readonly RecalledSignup[],
): Promise<RecalledRow[]> {
  if (recalled.length === 0) return [];
  const ids = recalled.map(({ requestId }) => requestId);
  const search = { mode: 'live', where: { requestId: { any: ids, not: [] } } } as const;
  const { rows } = await store.findAssessments(accountId, search, null, MAX_NEWEST);
  return rows.flatMap((row) => {
    const found = recalled.find(({ requestId }) => requestId === row.requestId);
    if (found === undefined) return [];
    const { newVerdict: new_verdict, newScore: new_score, finding: new_finding } = found;
    return [{ ...toAssessmentRow(row), new_verdict, new_score, new_finding }];
  });
}
