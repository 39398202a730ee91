/** Reads what the simulator judges again, a chunk at a time. */
import type { LogPosition, ReplayableAssessment, ReplaySearch } from '../history-store.ts';
import type { SqliteConnection } from './connection.ts';
import { toLogged } from './history-rows.ts';
import type { SqliteSearchLog } from './history-search.ts';

export interface ReplayableChunk {
  readonly judged: readonly ReplayableAssessment[];
  readonly next: LogPosition | null;
}

export function createReadReplayable(log: SqliteConnection, search: SqliteSearchLog) {
  const readEvidence = log.prepare(
    `SELECT seq, evidence FROM json_each(?) AS place
       CROSS JOIN assessment_documents AS d ON d.seq = place.value`,
  );
  return (accountId: string, of: ReplaySearch, after: LogPosition | null, limit: number): ReplayableChunk => {
    const { mode, since: from, keyId } = of;
    const asked = { mode, from, ...(keyId === undefined ? {} : { keyId }) };
    const { rows, next } = search(accountId, asked, after, limit);
    const texts = readEvidence.all(JSON.stringify(rows.map(({ seq }) => seq)));
    const evidence = new Map((texts as { seq: number; evidence: string }[]).map((one) => [one.seq, one]));
    const judged = rows.map((row) => ({
      row: toLogged(row),
      evidence: evidence.get(row.seq)?.evidence ?? '',
    }));
    return { judged, next };
  };
}
