/** Blanks the IP and the address in assessments that are older than their retention: a few rows at a time, on one node at a time. */
import type { Prune } from '../pruner.ts';
import { firstIdAt, timeOfId } from '../request-time.ts';
import { BLANKED_UNTIL, keptFrom, type PersonalDataRetention } from '../retention.ts';
import type { StoredAssessment } from '../stored-assessment.ts';
import type { Database, Query } from './database.ts';
import { createReadStored } from './stored-assessments.ts';

export interface BlankRowsOptions {
  readonly database: Pick<Database, 'transaction'>;
  readonly retention: PersonalDataRetention;
  /** Time of the newest assessment, or the database's clock where that is earlier; `undefined` where nothing is stored. */
  readonly newestAt: (query: Query) => Promise<number | undefined>;
}

/** Number of the advisory lock that the node has which blanks. */
const LOCK = 7_126_004;
const TRY = 'SELECT pg_try_advisory_xact_lock($1) AS locked';
const ROWS_A_STEP = 100;
const READ_NOTE = 'SELECT value FROM meta WHERE name = $1';
const NOTE = `INSERT INTO meta (name, value) VALUES ($1, $2)
  ON CONFLICT (name) DO UPDATE SET value = greatest(meta.value, excluded.value)`;
/** Records in order of ids, so that the next step goes on behind the last one; what is blanked is not found again. */
const FIND = `SELECT request_id AS id FROM assessments WHERE request_id >= $1 AND request_id < $2
    AND (ip IS NOT NULL OR network IS NOT NULL OR email IS NOT NULL OR email_masked <> '***@' || email_domain)
  ORDER BY request_id LIMIT ${ROWS_A_STEP}`;
const WRITE = `UPDATE assessments AS a SET ip = NULL, network = NULL, email = NULL, email_masked = input.masked, facts = input.facts
  FROM unnest($1::text[], $2::text[], $3::text[]) AS input (id, masked, facts) WHERE a.request_id = input.id`;

export function createBlankOld({ database, retention, newestAt }: BlankRowsOptions): Prune {
  async function step(query: Query): Promise<boolean> {
    const [lock] = await query<{ locked: boolean }>(TRY, [LOCK]);
    const newest = lock?.locked === true ? await newestAt(query) : undefined;
    if (newest === undefined) return false;
    const [note] = await query<{ value: number }>(READ_NOTE, [BLANKED_UNTIL]);
    const from = keptFrom(retention, newest);
    const found = await query<{ id: string }>(FIND, [firstIdAt(note?.value ?? 0), firstIdAt(from)]);
    const last = found.at(-1);
    if (last === undefined) return false;
    const stored = await createReadStored({ query })(found.map(({ id }) => id));
    await write(query, stored.map(retention.blank));
    await query(NOTE, [BLANKED_UNTIL, timeOfId(last.id) ?? 0]);
    return true;
  }

  return async (maxPruned) => ((await database.transaction(step)) ? maxPruned : 0);
}

async function write(query: Query, blanked: readonly StoredAssessment[]): Promise<void> {
  await query(WRITE, [
    blanked.map(({ requestId }) => requestId),
    blanked.map(({ emailMasked }) => emailMasked),
    blanked.map(({ facts }) => facts),
  ]);
}
