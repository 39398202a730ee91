/** Reads stored grounds back: what says nothing was not written, and some facts were not kept in earlier days. */

import type { Evidence } from '../../model/evidence.ts';
import type { Thresholds } from '../../model/policy.ts';
import type { DecisionRecord } from '../decision-record.ts';

export interface StoredDecisionRecord extends Omit<DecisionRecord, 'thresholds'> {
  /** `null` in a record of before they were kept. */
  readonly thresholds: Thresholds | null;
}

type Loose<T> = { readonly [K in keyof T]?: T[K] };
interface StoredEvidence {
  readonly snapshot?: string;
  readonly email?: Loose<Evidence['email']>;
  readonly ip?: Loose<NonNullable<Evidence['ip']>> | null;
  readonly velocity?: Loose<Evidence['velocity']>;
  readonly list?: Evidence['list'];
}

/** `text` as `serializeGrounds` wrote it, now or then. What is absent says nothing. @throws when it is no JSON */
export function parseDecisionRecord(text: string): StoredDecisionRecord {
  const {
    policy = '',
    thresholds = null,
    findings = [],
    evidence,
  } = JSON.parse(text) as Loose<StoredDecisionRecord>;
  return { policy, thresholds, findings, evidence: complete((evidence ?? {}) as StoredEvidence) };
}

function complete({ snapshot = '', email, ip = null, velocity, list = null }: StoredEvidence): Evidence {
  return {
    snapshot,
    email: {
      domain: '',
      disposable: false,
      disposableDisputed: false,
      disposableHost: { name: '', matched: '', serves: 0 },
      relay: false,
      spam: false,
      consumer: false,
      sharedSuffix: '',
      role: false,
      alias: false,
      providerMeant: '',
      mx: { status: 'unknown', hosts: [] },
      age: { days: -1, status: 'unavailable' },
      hits: [],
      unknown: [],
      ...email,
    },
    ip: ip === null ? null : completeIp(ip),
    velocity: {
      ip1h: 0,
      ip24h: 0,
      domain1h: 0,
      domain24h: 0,
      mailbox24h: 0,
      partial: false,
      ...velocity,
    },
    list,
  };
}

function completeIp(ip: Loose<NonNullable<Evidence['ip']>>): NonNullable<Evidence['ip']> {
  return {
    address: '',
    tor: false,
    vpn: false,
    proxy: false,
    relay: false,
    datacenter: false,
    abuseScore: 0,
    countryCode: '',
    country: '',
    asn: 0,
    hits: [],
    unknown: [],
    ...ip,
  };
}
