/** Shows a stored assessment as a row of the log. */
import type { FeedbackMark, LogRow } from '../contract/dashboard-assessments.ts';
import type { LoggedAssessment, StoredFeedback } from '../store/history-store.ts';

/** What assessments made on the page "Try it" carry instead of a key. */
export const DASHBOARD_KEY = 'dashboard';
const DASHBOARD_NAME = 'Try it';

export function toLogRow(row: LoggedAssessment): LogRow {
  return {
    request_id: row.requestId,
    at: toInstant(row.at),
    mode: row.mode,
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
  };
}

export function toMark({ outcome, note, at, by }: StoredFeedback): FeedbackMark {
  return { outcome, note, at: toInstant(at), by };
}

/** RFC 3339 with milliseconds: the log's order shows within a second. */
export function toInstant(at: number): string {
  return new Date(at).toISOString();
}
