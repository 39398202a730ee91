/** Shows stored assessments as rows, and decides what happens while their index is behind. */
import type {
  AssessmentRow,
  FeedbackMark,
  IndexBacklog,
  NamedSignup,
} from '../contract/dashboard-assessments.ts';
import { mainFindingOf } from '../signup/main-finding.ts';
import { stillIndexing } from '../store/history-problems.ts';
import type { HistoryEntry, HistoryStore, IndexProgress, StoredFeedback } from '../store/history-store.ts';
import type { IntelligenceService } from './dashboard-intelligence-service.ts';

/** The key id of assessments that were made on the page "Try it". */
export const DASHBOARD_KEY = 'dashboard';
const DASHBOARD_NAME = 'Try it';

export function toAssessmentRow(row: HistoryEntry): AssessmentRow {
  return {
    request_id: row.requestId,
    at: toInstant(row.at),
    mode: row.mode,
    shadow: row.shadow,
    verdict: row.verdict,
    score: row.score,
    reasons: row.reasons,
    email: row.email,
    domain: row.emailDomain,
    ip: row.ip,
    country_code: row.countryCode,
    asn: row.asn,
    key_id: row.keyId,
    key_name: row.keyId === DASHBOARD_KEY ? DASHBOARD_NAME : row.keyName,
    session_id: row.sessionId,
    feedback: row.feedback,
    main_finding: mainFindingOf(row),
  };
}

export function toNamedSignup(
  row: HistoryEntry,
  { asName }: Pick<IntelligenceService, 'asName'>,
): NamedSignup {
  return { ...toAssessmentRow(row), as_name: row.asn === 0 ? '' : asName(row.asn) };
}

export function toMark({ outcome, note, at, by }: StoredFeedback): FeedbackMark {
  return { outcome, note, at: toInstant(at), by };
}

/** RFC 3339 with milliseconds: they show the order of signups within a second. */
export function toInstant(at: number): string {
  return new Date(at).toISOString();
}

export function instantOrNull(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : toInstant(at);
}

/**
 * Check before answers that would mislead without the signups that are not indexed yet.
 * @throws Problem `unavailable` with progress and Retry-After
 */
export async function requireIndexed(store: Pick<HistoryStore, 'indexing'>, to?: number): Promise<void> {
  const progress = await store.indexing(to);
  if (progress !== null) throw stillIndexing(progress);
}

/** Progress of the index for an answer that says it; read it before the signups of the answer. */
export function toIndexBacklog(progress: IndexProgress | null): IndexBacklog | null {
  if (progress === null) return null;
  const { indexed, total, secondsLeft } = progress;
  return { indexed, total, seconds_left: secondsLeft };
}
