/** POST …/assessments/feedback and …/assessments/export: reports, and exports as CSV, up to 100 signups that a person chose, with one line in the audit log. */
import { type BatchExported, type BatchReported, MAX_BATCH } from '../contract/dashboard-batches.ts';
import type { HistoryStore, WholeAssessment } from '../store/history-store.ts';
import type { RecallStore } from '../store/recall-store.ts';
import { CSV_HEADER, recalledById, toCsvLine } from './dashboard-assessments.ts';
import type { FeedbackGivingStore } from './dashboard-give-feedback.ts';
import { toAssessmentRow } from './dashboard-history.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import type { UndoTokens } from './dashboard-undo.ts';
import { bodyOf, oneOf, SHORT_TEXT, TEXT, unusable } from './dashboard-values.ts';
import { createReportMany, signupsInWords } from './report-many.ts';

export interface BatchRoutesOptions {
  readonly store: Pick<HistoryStore, 'findAssessment'> &
    Pick<RecallStore, 'recalledSignups'> &
    FeedbackGivingStore;
  readonly undo: UndoTokens;
}

interface Chosen {
  readonly request_ids: readonly string[];
}

interface ReportBody extends Chosen {
  readonly outcome: string;
  /** Time since the same batch was sent before, and no answer came. */
  readonly tried_ms_ago?: number;
}

const PATH = '/accounts/:account/assessments';
const IDS = { type: 'array', items: SHORT_TEXT };

export function batchRoutes(routes: DashboardRoutes, { store, undo }: BatchRoutesOptions): void {
  /** The signups of the account that were chosen, in their order. */
  async function findAll({ account, body }: AccountCall<Chosen>) {
    const ids = idsOf(body);
    const found: WholeAssessment[] = [];
    for (const id of ids) {
      const whole = await store.findAssessment(account.id, id);
      if (whole !== undefined) found.push(whole);
    }
    return { found, missing: ids.length - found.length };
  }

  const report = createReportMany(store);

  routes.forAccount<ReportBody>({
    method: 'POST',
    path: `${PATH}/feedback`,
    minRole: 'member',
    body: bodyOf({ outcome: TEXT, request_ids: IDS, tried_ms_ago: { type: 'number' } }, [
      'outcome',
      'request_ids',
    ]),
    async handle(call): Promise<BatchReported> {
      const { account, body, user, now } = call;
      const outcome = oneOf(['fraud', 'good'], 'outcome', body.outcome);
      const { found, missing } = await findAll(call);
      const { reports, same, other, allowed } = await report(call, outcome, found, {
        triedMsAgo: body.tried_ms_ago,
      });
      const done = { accountId: account.id, userId: user.id, reports, saved: [], isBatch: true };
      return {
        reported: reports.length,
        same,
        other,
        allowed,
        missing,
        undo: reports.length === 0 ? null : undo.make(done, now),
      };
    },
  });

  routes.forAccount<Chosen>({
    method: 'POST',
    path: `${PATH}/export`,
    minRole: 'member',
    body: bodyOf({ request_ids: IDS }),
    async handle(call): Promise<BatchExported> {
      const { found, missing } = await findAll(call);
      // Personal data is exported: the audit log names who did it.
      await call.audit(
        'signups.export',
        'signups',
        `${signupsInWords(found.length)} that were chosen one by one`,
      );
      const recalled = await recalledById(store, call.account.id);
      const lines = found
        .map(({ row }) => toCsvLine(toAssessmentRow(row), recalled.get(row.requestId)))
        .join('');
      return { header: CSV_HEADER, lines, exported: found.length, missing };
    },
  });
}

/** @throws Problem `invalid_value` */
function idsOf({ request_ids: ids }: Chosen): readonly string[] {
  const different = [...new Set(ids)];
  if (different.length >= 1 && different.length <= MAX_BATCH) return different;
  throw unusable(
    'request_ids',
    `\`request_ids\` has ${different.length} ids.`,
    `Send 1 to ${MAX_BATCH} ids of signups.`,
  );
}
