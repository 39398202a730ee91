/** An assessment to store, for tests that need only some of its fields. */
import { expect } from 'vitest';
import { createMakeId } from '../../src/contract/identifiers.ts';
import type { AssessmentRecord } from '../../src/store/store.ts';
import type { StoredAssessment } from '../../src/store/stored-assessment.ts';

const AT = Date.UTC(2026, 4, 10, 10, 14, 33);

const makeId = createMakeId();

/** Its id is made from its `at`, even if that is earlier than the time of another id. */
export function anAssessment(fields: Partial<AssessmentRecord> = {}): AssessmentRecord {
  const { at = AT } = fields;
  const { requestId = (at === AT ? makeId : createMakeId())('req', at) } = fields;
  return {
    requestId,
    accountId: 'acc_a',
    keyId: 'key_a',
    mode: 'live',
    shadow: false,
    at,
    verdict: 'challenge',
    score: 34,
    reasons: ['email_alias', 'ip_hosting'],
    emailDomain: 'example.com',
    addressHash: 'address-hash',
    mailboxHash: 'mailbox-hash',
    emailMasked: 'j***@example.com',
    email: null,
    ip: '203.0.113.7',
    network: '203.0.113.7',
    countryCode: 'FR',
    asn: 64_500,
    sessionId: null,
    processedMs: 4,
    weights: [12, 30.5],
    facts:
      '[1,"a1","default-1",30,60,["plus_alias",12,0,"hosting",30.5,1],17984,0,0,0,4000,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,"France"]',
    cap: null,
    claim: null,
    ...fields,
  };
}

/** The assessment as a store returns it. */
export function asStored({ cap: _, claim: __, ...stored }: AssessmentRecord): StoredAssessment {
  return { ...stored, weights: stored.weights.map((weight) => expect.closeTo(weight, 3)) };
}
