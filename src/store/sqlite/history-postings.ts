/** Reads where the assessments of a term stand, newest first, run by run of the log. */
import type { LogPosition } from '../history-store.ts';
import type { SqliteConnection } from './connection.ts';

/** Somewhere to look for assessments, newest first. */
export interface SqliteSearchSource {
  /** The next places strictly before one, not older than `from`; fewer than `count` only at the end. */
  read(before: LogPosition, from: number, count: number): readonly LogPosition[];
  /** About how many there are; counts no further than to `most`. */
  estimate(before: LogPosition, from: number, most: number): number;
}

interface Segment {
  readonly segment: number;
  readonly min_at: number;
  readonly max_at: number;
}

export function createPostings(index: SqliteConnection): (term: number) => SqliteSearchSource {
  const readSegments = index.prepare(
    'SELECT segment, min_at, max_at FROM segments WHERE min_at <= ? AND max_at >= ? ORDER BY max_at DESC',
  );
  const readPlaces = index.prepare(
    `SELECT at, seq FROM postings WHERE segment = ? AND term = ? AND (at, seq) < (?, ?) AND at >= ?
     ORDER BY at DESC, seq DESC LIMIT ?`,
  );
  const countPlaces = index.prepare(
    `SELECT count(*) AS count FROM
       (SELECT 1 FROM postings WHERE segment = ? AND term = ? AND (at, seq) < (?, ?) AND at >= ? LIMIT ?)`,
  );

  return (term) => ({
    read(before, from, count) {
      let found: LogPosition[] = [];
      for (const { segment, max_at: newest } of readSegments.all(before.at, from) as Segment[]) {
        // Runs overlap a little in time: only what is newer than all of the next run is settled.
        const last = found[count - 1];
        if (last !== undefined && last.at > newest) break;
        const places = readPlaces.all(segment, term, before.at, before.seq, from, count) as LogPosition[];
        if (places.length > 0) found = newestOf([...found, ...places], count);
      }
      return found;
    },
    estimate(before, from, most) {
      let sum = 0;
      for (const { segment } of readSegments.all(before.at, from) as Segment[]) {
        const row = countPlaces.get(segment, term, before.at, before.seq, from, most - sum);
        sum += (row as { count: number }).count;
        if (sum >= most) break;
      }
      return sum;
    },
  });
}

/** Several sources as one; a place that two of them have comes once. */
export function mergeSources(sources: readonly SqliteSearchSource[]): SqliteSearchSource {
  if (sources.length === 1) return sources[0] as SqliteSearchSource;
  return {
    read(before, from, count) {
      const all = sources.flatMap((source) => source.read(before, from, count));
      return newestOf(all, count);
    },
    estimate(before, from, most) {
      return sources.reduce((sum, source) => sum + source.estimate(before, from, most), 0);
    },
  };
}

function newestOf(places: LogPosition[], count: number): LogPosition[] {
  places.sort((a, b) => b.at - a.at || b.seq - a.seq);
  return places.filter(({ seq }, index) => seq !== places[index - 1]?.seq).slice(0, count);
}
