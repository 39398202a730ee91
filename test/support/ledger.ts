/** Compares the answers that callers received with the database: bodies byte for byte, credits, and unanswered rows. */
import { answerBodyOf } from '../../src/signup/rebuild-answer.ts';
import type { Query } from '../../src/store/postgres/database.ts';
import { createReadStored } from '../../src/store/postgres/stored-assessments.ts';
import type { StoredAssessment } from '../../src/store/stored-assessment.ts';
import type { Cluster } from './cluster.ts';
import type { Outcome } from './steady-load.ts';

export interface Settled {
  /** Acknowledged, but missing or different in the database. */
  readonly lost: string[];
  /** Stored without an acknowledgement. */
  readonly unasked: string[];
  readonly records: number;
  readonly credits: number;
}

/** Checks a single account; `outcomes` contains all its live signups. */
export async function settle(
  { sql }: Pick<Cluster, 'sql'>,
  accountId: string,
  outcomes: readonly Pick<Outcome, 'status' | 'text'>[],
): Promise<Settled> {
  const rows = await sql<{ id: string }>(
    "SELECT request_id AS id FROM assessments WHERE account_id = $1 AND mode = 'live'",
    [accountId],
  );
  const stored = await readStored(
    sql,
    rows.map(({ id }) => id),
  );
  const [{ used } = { used: 0 }] = await sql<{ used: number }>(
    'SELECT coalesce(sum(used), 0)::int AS used FROM credits WHERE account_id = $1',
    [accountId],
  );
  const bodies = new Map(stored.map((each) => [each.requestId, answerBodyOf(each)]));
  const answered = new Map(
    outcomes.filter(({ status }) => status === 200).map(({ text }) => [idOf(text), text] as const),
  );
  return {
    lost: [...answered].filter(([id, text]) => bodies.get(id) !== text).map(([id]) => id),
    unasked: [...bodies.keys()].filter((id) => !answered.has(id)),
    records: stored.length,
    credits: used,
  };
}

/** Assessments of all accounts. */
export function readStored(sql: Cluster['sql'], requestIds: readonly string[]): Promise<StoredAssessment[]> {
  const query: Query = (statement, values = []) =>
    sql(typeof statement === 'string' ? statement : statement.text, values as unknown[]);
  return createReadStored({ query })(requestIds);
}

export function idOf(text: string): string {
  return (JSON.parse(text) as { request_id: string }).request_id;
}
