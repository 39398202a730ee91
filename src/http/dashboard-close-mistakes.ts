/** POST …/feedback/state: closes reports that somebody has dealt with, or opens them again; neither says anything about the signup. */
import { MAX_BATCH } from '../contract/dashboard-batches.ts';
import { MISTAKE_STATES, type MistakesChanged } from '../contract/dashboard-mistakes.ts';
import { parseInstant } from '../platform/timestamp.ts';
import type { AppealStore } from '../store/appeal-store.ts';
import type { HistoryStore, StoredFeedback } from '../store/history-store.ts';
import type { MistakeStore, ReportOfSignup } from '../store/mistake-store.ts';
import { reporterOf } from './dashboard-give-feedback.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import type { UndoTokens } from './dashboard-undo.ts';
import { bodyOf, lineOf, oneOf, SHORT_TEXT, TEXT, unusable } from './dashboard-values.ts';
import { signupsInWords } from './report-many.ts';

export interface CloseMistakesOptions {
  readonly store: MistakeStore &
    Pick<HistoryStore, 'findAssessment'> &
    Pick<AppealStore, 'findAppeal' | 'closeAppeals' | 'reopenAppeals'>;
  readonly undo: UndoTokens;
}

interface StateBody {
  readonly state: string;
  /** Each with the time of the report that the page showed: a later one stays open. */
  readonly reports: readonly { readonly request_id: string; readonly at: string }[];
  /** Words for the audit log. */
  readonly reason?: string;
}

const REPORTS = {
  type: 'array',
  items: bodyOf({ request_id: SHORT_TEXT, at: SHORT_TEXT }),
};

export function closeMistakesRoute(routes: DashboardRoutes, { store, undo }: CloseMistakesOptions): void {
  routes.forAccount<StateBody>({
    method: 'POST',
    path: '/accounts/:account/feedback/state',
    minRole: 'analyst',
    body: bodyOf({ state: TEXT, reports: REPORTS, reason: TEXT }, ['state', 'reports']),
    async handle(call): Promise<MistakesChanged> {
      const { account, body, user, now } = call;
      const state = oneOf(MISTAKE_STATES, 'state', body.state);
      const sent = reportsOf(body);
      const reason = body.reason === undefined ? '' : lineOf('reason', body.reason);
      const found = await findReports(store, account.id, sent, now);
      if (state === 'open') {
        const changed = await reopen(call, found, reason);
        return { changed, unchanged: sent.length - changed, undo: null };
      }
      const reports = found.filter(({ mark }) => mark.closed === undefined).map(({ report }) => report);
      const closing = { at: now, by: reporterOf(user) };
      const entry = call.auditEntry('feedback.close', targetOf(reports), reason);
      const appeals = reports.filter(({ isAppeal }) => isAppeal);
      const closedAppeals = await store.closeAppeals(account.id, appeals, closing, entry);
      const entries = closedAppeals.length > 0 ? [] : [entry];
      const ids = [
        ...closedAppeals,
        ...(await store.closeReports(account.id, reports.filter(isReport), closing, ...entries)),
      ];
      const closed = { at: now, reports: reports.filter(({ requestId }) => ids.includes(requestId)) };
      const done = { accountId: account.id, userId: user.id, reports: [], saved: [], closed, isBatch: true };
      return {
        changed: ids.length,
        unchanged: sent.length - ids.length,
        undo: ids.length === 0 ? null : undo.make(done, now),
      };
    },
  });

  /** Reports may have been closed at different times. */
  async function reopen(
    { account, auditEntry }: AccountCall<StateBody>,
    found: readonly FoundReport[],
    reason: string,
  ): Promise<number> {
    const closed = found.filter(({ mark }) => mark.closed !== undefined);
    const target = targetOf(closed.map(({ report }) => report));
    let count = 0;
    for (const at of new Set(closed.map(({ mark }) => mark.closed?.at ?? 0))) {
      const reports = closed.filter(({ mark }) => mark.closed?.at === at).map(({ report }) => report);
      const entries = count > 0 ? [] : [auditEntry('feedback.reopen', target, reason)];
      const appeals = reports.filter(({ isAppeal }) => isAppeal).map(({ requestId }) => requestId);
      const reopened = await store.reopenAppeals(account.id, appeals, at, ...entries);
      const otherEntries = reopened.length > 0 ? [] : entries;
      const opened = await store.reopenReports(account.id, reports.filter(isReport), at, ...otherEntries);
      count += reopened.length + opened.length;
    }
    return count;
  }
}

interface FoundReport {
  readonly report: ReportOfSignup & { readonly isAppeal: boolean };
  readonly mark: Pick<StoredFeedback, 'closed'>;
}

function isReport({ isAppeal }: FoundReport['report']): boolean {
  return !isAppeal;
}

/** Reports that are as they were sent. */
async function findReports(
  store: Pick<HistoryStore, 'findAssessment'> & Pick<AppealStore, 'findAppeal'>,
  accountId: string,
  sent: readonly ReportOfSignup[],
  now: number,
): Promise<FoundReport[]> {
  const found: FoundReport[] = [];
  for (const report of sent) {
    const { requestId, at } = report;
    const appeal = await store.findAppeal(accountId, requestId, now);
    if (appeal?.at === at) {
      found.push({ report: { ...report, isAppeal: true }, mark: appeal });
      continue;
    }
    const mark = (await store.findAssessment(accountId, requestId))?.feedback ?? null;
    if (mark?.at === at) found.push({ report: { ...report, isAppeal: false }, mark });
  }
  return found;
}

/** @throws Problem `invalid_value` */
function reportsOf({ reports }: StateBody): ReportOfSignup[] {
  const byId = new Map<string, ReportOfSignup>();
  for (const { request_id: requestId, at: text } of reports) {
    const at = parseInstant(text);
    if (at === undefined)
      throw unusable(
        'reports',
        'A report has no time.',
        'Send the time of each report as the page shows it.',
      );
    byId.set(requestId, { requestId, at });
  }
  if (byId.size >= 1 && byId.size <= MAX_BATCH) return [...byId.values()];
  throw unusable('reports', `\`reports\` has ${byId.size} reports.`, `Send 1 to ${MAX_BATCH} reports.`);
}

function targetOf(reports: readonly ReportOfSignup[]): string {
  const [first, second] = reports;
  return first !== undefined && second === undefined ? first.requestId : signupsInWords(reports.length);
}
