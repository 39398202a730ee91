/** The statements for an erased assessment: its report, the result of its challenge, and its idempotency keys. */
import type { SqlStatement } from './sql-database.ts';

const ANONYMIZE = [
  'UPDATE feedback SET request_id = $2, note = NULL WHERE request_id = $1',
  'UPDATE challenges SET request_id = $2, return_url = NULL WHERE request_id = $1',
];

/** Reports and results are counted on, under the id of the assessment that is left; idempotency keys go. */
export function anonymizeStatements(erasedId: string, leftId: string): SqlStatement[] {
  return [
    ...ANONYMIZE.map((sql) => ({ sql, values: [erasedId, leftId] })),
    { sql: 'DELETE FROM idempotency WHERE request_id = $1', values: [erasedId] },
  ];
}
