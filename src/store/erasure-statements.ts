/** Statements that both databases run for an erasure: who was erased, by hashes alone, and what an erased assessment leaves behind. */
import type { HashedPerson } from '../model/hashed-person.ts';
import type { ErasureStore } from './erasure-store.ts';
import type { SqlDatabase, SqlStatement } from './sql-database.ts';
import { encodeText } from './text.ts';

interface ErasureRow {
  readonly account_id: string;
  readonly stored_until: number;
  readonly hashes: string;
  readonly applied_at: number | null;
  readonly noted_by: string | null;
}

const NOTE = `INSERT INTO erasures (account_id, stored_until, hashes, noted_by) VALUES ($1, $2, $3, $4)
  ON CONFLICT (account_id, stored_until, hashes) DO NOTHING RETURNING account_id`;
const END = `UPDATE erasures SET applied_at = $4, noted_by = NULL WHERE account_id = $1 AND stored_until = $2 AND hashes = $3
  RETURNING account_id`;
const READ = 'SELECT * FROM erasures ORDER BY stored_until, account_id, hashes';
const ANONYMIZE = [
  'UPDATE feedback SET request_id = $2, note = NULL WHERE request_id = $1',
  'UPDATE outcomes SET request_id = $2, email_domain = NULL WHERE request_id = $1',
  'UPDATE campaign_reports SET request_id = $2 WHERE request_id = $1',
  'UPDATE challenges SET request_id = $2, return_url = NULL, redeemer = NULL, mailbox = NULL, network = NULL WHERE request_id = $1',
];

const REPLACE_TEXT = 'UPDATE knowledge SET text = $2, expires_at = $3 WHERE name = $1 RETURNING name';
const REMOVE_TEXT = 'DELETE FROM knowledge WHERE name = $1 RETURNING name';

const keyOf = ({ account, until, hashes }: HashedPerson) => [account, until, hashes.join(' ')];

export function createErasureNotes({
  query,
  change,
  nextVersion,
  newVersion,
}: Pick<SqlDatabase, 'query' | 'change' | 'nextVersion' | 'newVersion'>): Pick<
  ErasureStore,
  'noteErasure' | 'endErasure' | 'erasures' | 'replaceCachedTexts'
> {
  // The result is the new version, also where no text is left to change.
  const told = { sql: `SELECT ${newVersion('mail_hosts')} AS version`, values: [] };
  return {
    async replaceCachedTexts(changes) {
      const statements = changes.map(({ name, stored }) =>
        stored === null
          ? { sql: REMOVE_TEXT, values: [name] }
          : { sql: REPLACE_TEXT, values: [name, encodeText(stored.text), stored.expiresAt] },
      );
      await change([], ...nextVersion('mail_hosts'), ...statements, told);
    },
    async noteErasure(person, by) {
      await change([], { sql: NOTE, values: [...keyOf(person), by] });
    },
    async endErasure(person, at) {
      await change([], { sql: END, values: [...keyOf(person), at] });
    },
    erasures: async () =>
      (await query<ErasureRow>(READ)).map(
        ({ account_id: account, stored_until: until, hashes, applied_at, noted_by }) => ({
          person: { account, until, hashes: hashes.split(' ') },
          by: noted_by,
          appliedAt: applied_at,
        }),
      ),
  };
}

/** Reports and results are counted on, under the id of the assessment that is left; idempotency keys, events and what a recall or a review of a feed found go. */
export function anonymizeStatements(erasedId: string, leftId: string): SqlStatement[] {
  return [
    ...ANONYMIZE.map((sql) => ({ sql, values: [erasedId, leftId] })),
    { sql: 'DELETE FROM appeals WHERE request_id = $1', values: [erasedId] },
    { sql: 'DELETE FROM idempotency WHERE request_id = $1', values: [erasedId] },
    { sql: 'DELETE FROM events WHERE object = $1', values: [erasedId] },
    { sql: 'DELETE FROM recalled_signups WHERE request_id = $1', values: [erasedId] },
    { sql: 'DELETE FROM feed_flips WHERE request_id = $1', values: [erasedId] },
    { sql: 'DELETE FROM takeback_accounts WHERE request_id = $1', values: [erasedId] },
  ];
}
