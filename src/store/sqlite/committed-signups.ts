/** Follows the signups that are committed to SQLite, on a connection of its own. */
import type { CommittedSignups } from '../committed-signups.ts';
import { createRecordSource } from '../records/record-source.ts';
import { firstIdAt } from '../request-time.ts';
import { openConnection } from '../sqlite-connection.ts';
import type { StoredAssessment } from '../stored-assessment.ts';

export interface CommittedSignupsOptions<Signup> {
  readonly file: string;
  /** Signups from then on, milliseconds since the epoch; those before may come, too. */
  readonly since: number;
  /** `null`: it is left out. */
  readonly make: (stored: StoredAssessment) => Signup | null;
}

/** Signups that are read at once. */
const AT_ONCE = 256;

export function openCommittedSignups<Signup>({
  file,
  since,
  make,
}: CommittedSignupsOptions<Signup>): CommittedSignups<Signup> {
  const connection = openConnection(file);
  connection.pragma('query_only = ON');
  // The history reports what is damaged.
  const source = createRecordSource(connection, { onDamaged: () => {} });
  const findFirst = connection.prepare('SELECT min(seq) AS seq FROM assessment_batches WHERE last_id >= ?');
  /** Number of the last one that was read; below 0: none. */
  let upTo = -1;

  return {
    async next() {
      if (upTo < 0) {
        const { seq } = findFirst.get(firstIdAt(since)) as { seq: number | null };
        upTo = seq === null ? source.newestSeq() : seq - 1;
      }
      for (;;) {
        // Read first: what is committed meanwhile has a higher number.
        const newest = source.newestSeq();
        if (newest <= upTo) return [];
        const read = source.mapAfter(upTo, AT_ONCE, (record) => ({ seq: record.seq, signup: make(record) }));
        upTo = read.at(-1)?.seq ?? newest;
        const signups = read.flatMap(({ signup }) => (signup === null ? [] : [signup]));
        if (signups.length > 0) return signups;
      }
    },
    async close() {
      connection.close();
    },
  };
}
