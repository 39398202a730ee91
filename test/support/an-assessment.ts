/** An assessment to store, for tests that need only some of its fields. */
import { createMakeId } from '../../src/contract/identifiers.ts';
import type { NewAssessment } from '../../src/store/store.ts';

const AT = Date.UTC(2026, 4, 10, 10, 14, 33);

const makeId = createMakeId();

/** Its id is made from its `at`, also if that is earlier than another id's. */
export function anAssessment(fields: Partial<NewAssessment> = {}): NewAssessment {
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
    body: `{"request_id":"${requestId}"}`,
    evidence: '{"findings":[]}',
    cap: null,
    claim: null,
    ...fields,
  };
}
