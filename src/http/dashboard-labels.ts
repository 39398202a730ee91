/** POST …/feedback/labels: rows that say who was a fraud and who a good customer become reports, a batch at a time. Answers tell how many, never whose address is known. */
import {
  type BatchOutcome,
  type FileLabel,
  type FileLabelCounts,
  type LabelBatchResult,
  MAX_LABEL_ROWS,
  MAX_LABELLED_OF_ADDRESS,
} from '../contract/dashboard-batches.ts';
import type { HistoryStore, WholeAssessment } from '../store/history-store.ts';
import type { EmailHashes } from './dashboard-find.ts';
import { type FindReaders, recognizeText } from './dashboard-find-text.ts';
import type { FeedbackGivingStore } from './dashboard-give-feedback.ts';
import { requireIndexed } from './dashboard-history.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import type { UndoTokens } from './dashboard-undo.ts';
import { bodyOf, FLAG, oneOf, SHORT_TEXT, TEXT, unusable } from './dashboard-values.ts';
import { createReportMany, foreseeReports, type ReportedMany } from './report-many.ts';

export interface LabelRoutesOptions {
  readonly store: Pick<HistoryStore, 'indexing' | 'findAssessment' | 'replayableAssessments'> &
    FeedbackGivingStore;
  readonly readers: FindReaders;
  readonly hashesOf: (address: string) => EmailHashes;
  readonly undo: UndoTokens;
}

interface LabelsBody {
  readonly labels: readonly FileLabel[];
  /** Says what would be done, and does nothing. */
  readonly preview?: boolean;
  /** Time since the same batch was sent before, and no answer came. */
  readonly tried_ms_ago?: number;
}

/** The signups that the rows of a batch mean. */
interface Meant {
  readonly signups: ReadonlyMap<string, { readonly outcome: BatchOutcome; readonly whole: WholeAssessment }>;
  readonly missing: number;
  readonly contradicting: number;
}

const OUTCOMES = ['fraud', 'good'] as const;
const LABEL = bodyOf({ signup: SHORT_TEXT, outcome: TEXT });

export function labelRoutes(routes: DashboardRoutes, options: LabelRoutesOptions): void {
  const { store, undo } = options;
  const meantBy = createMeantBy(options);
  const report = createReportMany(store);

  routes.forAccount<LabelsBody>({
    method: 'POST',
    path: '/accounts/:account/feedback/labels',
    minRole: 'analyst',
    body: bodyOf(
      {
        labels: { type: 'array', minItems: 1, maxItems: MAX_LABEL_ROWS, items: LABEL },
        preview: FLAG,
        tried_ms_ago: { type: 'number' },
      },
      ['labels'],
    ),
    async handle(call): Promise<LabelBatchResult> {
      const { account, body, user, now } = call;
      await requireIndexed(store);
      const { signups, missing, contradicting } = await meantBy(account.id, body.labels);
      const of = (outcome: BatchOutcome) =>
        [...signups.values()].filter((each) => each.outcome === outcome).map(({ whole }) => whole);
      if (body.preview) {
        const [fraud, good] = OUTCOMES.map((outcome) => foreseeReports(outcome, of(outcome)));
        return { fraud, good, missing, contradicting, undo: null } as LabelBatchResult;
      }
      const fraud = await report(call, 'fraud', of('fraud'), { triedMsAgo: body.tried_ms_ago });
      const good = await report(call, 'good', of('good'), { triedMsAgo: body.tried_ms_ago });
      const reports = [...fraud.reports, ...good.reports];
      const done = { accountId: account.id, userId: user.id, reports, saved: [], isBatch: true };
      return {
        fraud: countsOf(fraud),
        good: countsOf(good),
        missing,
        contradicting,
        undo: reports.length === 0 ? null : undo.make(done, now),
      };
    },
  });
}

function createMeantBy({ store, readers, hashesOf }: LabelRoutesOptions) {
  async function idsOf(accountId: string, text: string): Promise<readonly string[]> {
    const { requestId, email } = recognizeText(text, readers);
    if (requestId !== undefined) return [requestId];
    if (email === undefined)
      throw unusable(
        'labels',
        'A row names neither a signup nor an address.',
        'Send its request id or its email address.',
      );
    const ids: string[] = [];
    for (const mailbox of hashesOf(email).mailbox) {
      const search = { mailbox, mode: 'live', since: 0 } as const;
      const pages = store.replayableAssessments(accountId, search, MAX_LABELLED_OF_ADDRESS);
      for await (const page of pages) ids.push(...page.map(({ row }) => row.requestId));
    }
    return ids.slice(0, MAX_LABELLED_OF_ADDRESS);
  }

  return async (accountId: string, labels: readonly FileLabel[]): Promise<Meant> => {
    const signups = new Map<string, { outcome: BatchOutcome; whole: WholeAssessment }>();
    let [missing, contradicting] = [0, 0];
    for (const label of labels) {
      const outcome = oneOf(OUTCOMES, 'outcome', label.outcome);
      const ids = await idsOf(accountId, label.signup);
      const found = await Promise.all(ids.map((id) => store.findAssessment(accountId, id)));
      const wholes = found.filter((whole) => whole !== undefined);
      if (wholes.length === 0) missing += 1;
      if (wholes.some(({ row }) => isOther(signups.get(row.requestId)?.outcome, outcome))) contradicting += 1;
      for (const whole of wholes)
        if (!signups.has(whole.row.requestId)) signups.set(whole.row.requestId, { outcome, whole });
    }
    return { signups, missing, contradicting };
  };
}

function countsOf({ reports, ...others }: ReportedMany): FileLabelCounts {
  return { reported: reports.length, ...others };
}

function isOther(before: BatchOutcome | undefined, outcome: BatchOutcome): boolean {
  return before !== undefined && before !== outcome;
}
