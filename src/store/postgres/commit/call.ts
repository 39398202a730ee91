/** Turns a batch into the one call of the server's function that commits it, and reads what came back. */
import type { Outcome } from '../../../contract/messages.ts';
import { monthOf } from '../../month.ts';
import type { Feedback, NewAssessment, Recorded } from '../../store.ts';
import { encodeText } from '../../text.ts';
import type { Sql, SqlValue } from '../database.ts';
import type { BinaryArrays } from './binary-arrays.ts';

export interface Batch {
  readonly records: readonly NewAssessment[];
  /** One of an assessment at most, in order of their request ids: nodes that save the same ones then never wait in a circle. */
  readonly feedback: readonly Feedback[];
}

/** Of an account and a month of its credits. */
interface Pair {
  readonly accountId: string;
  readonly month: string;
  /** Its place in the order that all nodes lock credits in, from 1. */
  place: number;
}

const PARAMETERS = 32;
export const COMMIT: Sql = {
  name: 'gatehouse_commit_1',
  text: `SELECT gatehouse_commit_1(${Array.from({ length: PARAMETERS }, (_, at) => `$${at + 1}`).join(', ')})::text AS results`,
};

/** The values of `COMMIT`; good until the arrays are begun again. @param known account and month of credits whose row is there; grows */
export function writeBatch(
  { records, feedback }: Batch,
  arrays: BinaryArrays,
  known: Set<string>,
): SqlValue[] {
  const pairs = new Map<string, Pair>();
  let fresh = false;
  const paired = records.map(({ accountId, at }) => {
    const month = monthOf(at);
    const name = `${accountId} ${month}`;
    let pair = pairs.get(name);
    if (pair === undefined) {
      pair = { accountId, month, place: 0 };
      pairs.set(name, pair);
      fresh ||= !known.has(name);
    }
    return pair;
  });
  const sorted = [...pairs].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, pair]) => pair);
  for (const [index, pair] of sorted.entries()) pair.place = index + 1;

  arrays.begin();
  arrays.text(sorted, ({ accountId }) => accountId);
  arrays.text(sorted, ({ month }) => month);
  arrays.int4(paired, ({ place }) => place);
  writeRecords(records, arrays);
  writeFeedback(feedback, arrays);
  return [fresh, ...arrays.end()];
}

/** What `writeBatch` asked for is there once the batch is committed. */
export function noteCredits({ records }: Batch, known: Set<string>): void {
  for (const { accountId, at } of records) known.add(`${accountId} ${monthOf(at)}`);
}

/** In the order of the function's parameters. */
function writeRecords(records: readonly NewAssessment[], { text, int4, int8 }: BinaryArrays): void {
  int4(records, ({ mode }) => (mode === 'live' ? 1 : 0));
  int8(records, ({ cap }) => cap);
  text(records, ({ requestId }) => requestId);
  text(records, ({ accountId }) => accountId);
  text(records, ({ keyId }) => keyId);
  int8(records, ({ at }) => at);
  text(records, ({ verdict }) => verdict);
  int4(records, ({ score }) => score);
  text(records, ({ reasons }) => reasons.join(' '));
  text(records, ({ emailDomain }) => emailDomain);
  text(records, ({ addressHash }) => addressHash);
  text(records, ({ mailboxHash }) => mailboxHash);
  text(records, ({ emailMasked }) => emailMasked);
  text(records, ({ email }) => email);
  text(records, ({ ip }) => ip);
  text(records, ({ network }) => network);
  text(records, ({ countryCode }) => countryCode);
  int8(records, ({ asn }) => asn);
  text(records, ({ sessionId }) => (sessionId === null ? null : encodeText(sessionId)));
  int4(records, ({ processedMs }) => processedMs);
  text(records, ({ weights }) => `{${weights.join(',')}}`);
  text(records, ({ body }) => body);
  text(records, ({ evidence }) => evidence);
}

function writeFeedback(feedback: readonly Feedback[], { text, int8 }: BinaryArrays): void {
  text(feedback, ({ requestId }) => requestId);
  text(feedback, ({ outcome }: { outcome: Outcome }) => outcome);
  text(feedback, ({ note }) => (note === null ? null : encodeText(note)));
  text(feedback, ({ keyId }) => keyId);
  int8(feedback, ({ at }) => at);
}

/** One for each record. */
export function readResults(results: string | null): Recorded[] {
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
