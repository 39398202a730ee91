/** Removes the person from a stored assessment: all numbers that it counts for stay, and nothing that identifies a person. */
import { withoutTraits } from '../address/name-facts.ts';
import type { Evidence, Hit } from '../model/evidence.ts';
import type { PersonalColumns } from './blank-personal-data.ts';
import { writeFacts } from './facts.ts';
import { readFacts } from './read-facts.ts';
import type { RecordedAssessment } from './rebuild-answer.ts';

/** Identity of an assessment from the moment it is anonymous; nothing leads from it to the person. */
export interface NewIdentity {
  /** Id with the same time in it. */
  readonly requestId: string;
  /** Hash of nobody's address. */
  readonly addressHash: string;
}

/** Replaces the domain. Nobody can register it. */
export const ERASED_DOMAIN = 'erased.invalid';
/** An exact age could tell which domain it was. */
const MAX_AGE_DAYS = 365;

/** Verdict, score, reasons, weights, time, key and mode stay. */
export function anonymize<Row extends PersonalColumns & RecordedAssessment>(
  row: Row,
  { requestId, addressHash }: NewIdentity,
): Row {
  const { policy, thresholds, findings, evidence, ipStatus } = readFacts(row.facts, row);
  const facts = writeFacts(
    {
      policy,
      thresholds,
      findings,
      evidence: withoutPerson(evidence),
      ipStatus,
      local: '',
      challenge: undefined,
    },
    row.reasons,
  );
  return {
    ...row,
    requestId,
    emailDomain: ERASED_DOMAIN,
    addressHash,
    mailboxHash: addressHash,
    emailMasked: `***@${ERASED_DOMAIN}`,
    email: null,
    ip: null,
    network: null,
    countryCode: '',
    asn: 0,
    sessionId: null,
    facts,
  };
}

/** Evidence without the person. Everything that the judge reads of it stays: it would decide the same again. */
function withoutPerson({ snapshot, email, ip, velocity, list, office, campaign }: Evidence): Evidence {
  const { disposableHost: host } = email;
  return {
    snapshot,
    velocity,
    email: {
      ...email,
      domain: ERASED_DOMAIN,
      disposableHost: host.name === '' ? host : { ...host, name: ERASED_DOMAIN, matched: ERASED_DOMAIN },
      sharedSuffix: '',
      respelled: false,
      name: withoutTraits(email.name),
      providerMeant: email.providerMeant === '' ? '' : ERASED_DOMAIN,
      mx: { ...email.mx, hosts: [] },
      age: { ...email.age, days: Math.min(email.age.days, MAX_AGE_DAYS) },
      hits: email.hits.map(withoutEntry),
    },
    ip: ip && {
      ...ip,
      address: '',
      countryCode: '',
      country: '',
      asn: 0,
      hits: ip.hits.map(withoutEntry),
    },
    list: list && { ...list, id: '', value: '', reason: null },
    office: office && { ...office, id: '', value: '', reason: null },
    campaign: campaign && { ...campaign, id: '', scopeText: '' },
  };
}

const withoutEntry = (hit: Hit): Hit => ({ ...hit, entry: '' });
