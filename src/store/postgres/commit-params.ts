/** Turns a batch into one call of the server's function that commits it, and reads the results. */
import type { Label } from '../../contract/dashboard-assessments.ts';
import { monthOf } from '../../platform/month.ts';
import type { AssessmentRecord, Feedback, RecordResult } from '../store.ts';
import { encodeText } from '../text.ts';
import type { BinaryArrays } from './binary-arrays.ts';
import type { PostgresValue, Sql } from './database.ts';

export interface Batch {
  readonly records: readonly AssessmentRecord[];
  /** Reports in order of request ids, at most one of each assessment: nodes that save the same ones then never wait in a circle. */
  readonly feedback: readonly Feedback[];
}

/** An account and a month of its credits. */
interface Pair {
  readonly accountId: string;
  readonly month: string;
  /** Its place in the order that all nodes lock credits in, from 1. */
  place: number;
}

const PARAMETERS = 14;
/** Other nodes may charge about so much until a batch has come to its credits; if it was more, it comes again. */
const ROOM = 1_000;
const places = Array.from({ length: PARAMETERS }, (_, at) => `$${at + 1}`);
/** Commits a batch. */
export const COMMIT: Sql = {
  name: 'gatehouse_commit_1',
  text: `SELECT gatehouse_commit_1(${places.join(', ')})::text AS results`,
};

/**
 * The values of `COMMIT`; good until the arrays are begun again.
 * @param known credits that were used last, by account and month
 */
export function writeBatch(
  { records, feedback }: Batch,
  arrays: BinaryArrays,
  known: ReadonlyMap<string, number>,
): PostgresValue[] {
  const pairs = new Map<string, Pair>();
  let fresh = false;
  let hasRoom = true;
  const paired = records.map(({ accountId, at, cap }) => {
    const month = monthOf(at);
    const name = `${accountId} ${month}`;
    const used = known.get(name);
    if (used === undefined || (cap !== null && cap - used < ROOM)) hasRoom = false;
    let pair = pairs.get(name);
    if (pair === undefined) {
      pair = { accountId, month, place: 0 };
      pairs.set(name, pair);
      fresh ||= used === undefined;
    }
    return pair;
  });
  const sorted = [...pairs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair);
  for (const [index, pair] of sorted.entries()) pair.place = index + 1;

  arrays.begin();
  arrays.text(sorted, ({ accountId }) => accountId);
  arrays.text(sorted, ({ month }) => month);
  arrays.int4(paired, ({ place }) => place);
  arrays.int4(records, ({ mode }) => (mode === 'live' ? 1 : 0));
  arrays.int8(records, ({ cap }) => cap);
  arrays.cells(records, CELLS);
  writeFeedback(feedback, arrays);
  const keyed = records.filter(({ claim }) => claim !== null);
  arrays.text(keyed, ({ requestId }) => requestId);
  return [hasRoom, fresh, ...arrays.end()];
}

/** Remembers the credits that a committed batch reported. */
export function noteCredits(
  { records }: Batch,
  results: readonly RecordResult[],
  known: Map<string, number>,
): void {
  for (const [index, { accountId, at }] of records.entries())
    known.set(`${accountId} ${monthOf(at)}`, (results[index] as RecordResult).used);
}

/** Values that the function writes of a record, in its order. */
const CELLS: readonly ((record: AssessmentRecord) => string | null)[] = [
  ({ requestId }) => requestId,
  ({ accountId }) => accountId,
  ({ keyId }) => keyId,
  ({ at }) => String(at),
  ({ verdict }) => verdict,
  ({ score }) => String(score),
  ({ reasons }) => reasons.join(' '),
  ({ emailDomain }) => emailDomain,
  ({ addressHash }) => addressHash,
  ({ mailboxHash }) => mailboxHash,
  ({ emailMasked }) => emailMasked,
  ({ email }) => email,
  ({ ip }) => ip,
  ({ network }) => network,
  ({ countryCode }) => countryCode,
  ({ asn }) => String(asn),
  ({ sessionId }) => (sessionId === null ? null : encodeText(sessionId)),
  ({ processedMs }) => String(processedMs),
  ({ weights }) => `{${weights.join(',')}}`,
  ({ shadow }) => (shadow ? '1' : '0'),
  ({ facts }) => facts,
];

function writeFeedback(feedback: readonly Feedback[], { text, int8 }: BinaryArrays): void {
  text(feedback, ({ requestId }) => requestId);
  text(feedback, ({ outcome }: { outcome: Label }) => outcome);
  text(feedback, ({ note }) => (note === null ? null : encodeText(note)));
  text(feedback, ({ keyId }) => keyId);
  int8(feedback, ({ at }) => at);
}

/** One for each record. */
export function readResults(results: string | null): RecordResult[] {
  if (results === null || results === '{}') return [];
  return results
    .slice(1, -1)
    .split(',')
    .map((text) => {
      const result = Number(text);
      return result >= 0
        ? { outcome: 'recorded', used: result }
        : { outcome: 'quota_exceeded', used: -1 - result };
    });
}
