/** The job that finds out whether something can be committed: it grows the files as an assessment does, and leaves nothing behind. */
import type { StatementsJob } from './jobs.ts';

/** As much as a few assessments add to the write-ahead log. */
const BYTES = 32_768;
const NAME = 'rehearsal';

const WRITE = `INSERT INTO knowledge (name, text, expires_at) VALUES ('${NAME}', zeroblob(${BYTES}), 0)
  ON CONFLICT (name) DO UPDATE SET text = excluded.text`;
const REMOVE = `DELETE FROM knowledge WHERE name = '${NAME}'`;

/** To be committed one after the other: within one transaction nothing of it would reach the disk. */
export const REHEARSAL: readonly StatementsJob[] = [WRITE, REMOVE].map((sql) => ({
  statements: [{ sql, values: [] }],
}));
