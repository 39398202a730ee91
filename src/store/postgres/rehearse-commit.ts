/** Has a connection go through a commit that stores nothing, so that the first assessment finds it open and everything planned. */
import { createMakeId } from '../../contract/identifiers.ts';
import type { AssessmentRecord } from '../store.ts';
import type { BinaryArrays } from './binary-arrays.ts';
import { COMMIT, writeBatch } from './commit-params.ts';
import type { Database } from './database.ts';

/** A server that was idle may answer too late at first. */
const ATTEMPTS = 3;

const makeId = createMakeId();

/** @throws when nothing can be stored */
export async function rehearse(
  database: Database,
  arrays: BinaryArrays,
  record: AssessmentRecord,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await recordAndUndo(database, arrays, record);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** @throws when nothing can be stored */
export function recordAndUndo(
  database: Database,
  arrays: BinaryArrays,
  record: AssessmentRecord,
): Promise<void> {
  const { requestId, keyId, at } = record;
  const feedback = { requestId, outcome: 'false_positive', note: null, keyId, at } as const;
  return database.transaction(async (query) => {
    await query('SAVEPOINT before');
    await query(COMMIT, writeBatch({ records: [record], feedback: [feedback] }, arrays, new Map()));
    await query('ROLLBACK TO before');
  });
}

/** A record of an account that does not exist, with an id of its own: no rehearsal waits for another. */
export function emptyRecord(at: number): AssessmentRecord {
  const requestId = makeId('req', at);
  return {
    requestId,
    accountId: requestId,
    keyId: '',
    mode: 'live',
    shadow: false,
    at,
    verdict: 'allow',
    score: 0,
    reasons: [],
    emailDomain: '',
    addressHash: '',
    mailboxHash: '',
    emailMasked: '',
    email: null,
    ip: null,
    network: null,
    countryCode: '',
    asn: 0,
    sessionId: null,
    processedMs: 0,
    weights: [],
    facts: '',
    cap: null,
    claim: null,
  };
}
