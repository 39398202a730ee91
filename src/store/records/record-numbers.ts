/** SQL that says which numbers assessments have. */

/** Name in the table `installation` of the highest `seq` of a record that was undone. */
export const NEWEST_UNDONE = 'newest_undone_seq';

/** The newest number that was given. */
export const NEWEST_SEQ = `SELECT max(coalesce((SELECT seq + count - 1 FROM assessment_batches ORDER BY seq DESC LIMIT 1), 0),
  coalesce((SELECT value FROM installation WHERE name = '${NEWEST_UNDONE}'), 0)) AS seq`;
export const COUNT_RECORDS = 'SELECT coalesce(sum(count), 0) AS n FROM assessment_batches';
