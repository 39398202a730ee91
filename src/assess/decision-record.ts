/** Writes the grounds of an assessment as they are stored: policy, findings and evidence. */

import buildSerializer from 'fast-json-stringify';
import type { ReasonCode } from '../contract/reasons.ts';
import type { Evidence, IpEvidence } from '../model/evidence.ts';
import type { Finding } from '../model/finding.ts';
import type { Thresholds } from '../model/policy.ts';

/** What a stored assessment can be explained by, and judged again from. */
export interface DecisionRecord {
  /** Version of the policy that judged. */
  readonly policy: string;
  /** What the score was measured against. */
  readonly thresholds: Thresholds;
  readonly findings: readonly Finding<ReasonCode>[];
  readonly evidence: Evidence;
}

/** Every member is named, so that none is forgotten. */
type Said<T> = { readonly [K in keyof T]: unknown };

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const number = { type: 'integer' } as const;
const shape = <P extends Record<string, object>>(properties: P) =>
  ({ type: 'object', required: Object.keys(properties), properties }) as const;
/** Each member may be absent. */
const sparse = <P extends Record<string, object>>(properties: P) => ({ ...shape(properties), required: [] });
const list = (items: object) => ({ type: 'array', items }) as const;

const hit = shape({ fact: text, source: text, entry: text, version: text });
const hits = list({ ...hit, required: ['fact', 'source', 'entry'] });

const email = sparse({
  domain: text,
  disposable: flag,
  disposableDisputed: flag,
  disposableHost: shape({ name: text, matched: text, serves: number }),
  relay: flag,
  spam: flag,
  consumer: flag,
  sharedSuffix: text,
  role: flag,
  alias: flag,
  providerMeant: text,
  mx: { ...shape({ status: text, hosts: list(text), unanswered: flag }), required: ['status', 'hosts'] },
  age: shape({ days: number, status: text }),
  hits,
  unknown: list(text),
} satisfies Record<keyof Evidence['email'], object>);

const ip = sparse({
  address: text,
  tor: flag,
  vpn: flag,
  proxy: flag,
  relay: flag,
  datacenter: flag,
  abuseScore: number,
  countryCode: text,
  country: text,
  asn: number,
  hits,
  unknown: list(text),
} satisfies Record<keyof IpEvidence, object>);

const velocity = sparse({
  ip1h: number,
  ip24h: number,
  domain1h: number,
  domain24h: number,
  mailbox24h: number,
  partial: flag,
} satisfies Record<keyof Evidence['velocity'], object>);

const listed = shape({
  id: text,
  action: text,
  kind: text,
  value: text,
  reason: { ...text, nullable: true },
} satisfies Record<keyof NonNullable<Evidence['list']>, object>);

const finding = shape({
  detector: text,
  code: text,
  weight: { type: 'number' },
  detail: text,
} satisfies Record<keyof Finding, object>);

const serialize = buildSerializer(
  shape({
    policy: text,
    thresholds: shape({ challenge: number, block: number } satisfies Record<keyof Thresholds, object>),
    findings: list(finding),
    evidence: sparse({ snapshot: text, email, ip, velocity, list: listed } satisfies Record<
      keyof Evidence,
      object
    >),
  }) as object,
);

/**
 * JSON of the grounds, compiled from their shape; a fact without a place in it does not compile. What says nothing
 * (false, 0, empty, unknown) is left out: it is a third of the text, and `readGrounds` fills it in.
 */
export function serializeDecisionRecord({ policy, thresholds, findings, evidence }: DecisionRecord): string {
  return serialize({ policy, thresholds, findings, evidence: said(evidence) });
}

/** Without what says nothing. */
function said({ snapshot, email, ip, velocity, list }: Evidence): Said<Evidence> {
  return {
    snapshot,
    email: {
      domain: email.domain,
      disposable: email.disposable || undefined,
      disposableDisputed: email.disposableDisputed || undefined,
      disposableHost: email.disposableHost.name === '' ? undefined : email.disposableHost,
      relay: email.relay || undefined,
      spam: email.spam || undefined,
      consumer: email.consumer || undefined,
      sharedSuffix: email.sharedSuffix || undefined,
      role: email.role || undefined,
      alias: email.alias || undefined,
      providerMeant: email.providerMeant || undefined,
      mx: email.mx.status === 'unknown' && email.mx.unanswered !== true ? undefined : email.mx,
      age: email.age.status === 'unavailable' ? undefined : email.age,
      hits: email.hits.length === 0 ? undefined : email.hits,
      unknown: email.unknown.length === 0 ? undefined : email.unknown,
    } satisfies Said<Evidence['email']>,
    ip: ip === null ? undefined : saidOfIp(ip),
    velocity: {
      ip1h: velocity.ip1h || undefined,
      ip24h: velocity.ip24h || undefined,
      domain1h: velocity.domain1h || undefined,
      domain24h: velocity.domain24h || undefined,
      mailbox24h: velocity.mailbox24h || undefined,
      partial: velocity.partial || undefined,
    } satisfies Said<Evidence['velocity']>,
    list: list ?? undefined,
  };
}

function saidOfIp(ip: IpEvidence): Said<IpEvidence> {
  return {
    address: ip.address,
    tor: ip.tor || undefined,
    vpn: ip.vpn || undefined,
    proxy: ip.proxy || undefined,
    relay: ip.relay || undefined,
    datacenter: ip.datacenter || undefined,
    abuseScore: ip.abuseScore || undefined,
    countryCode: ip.countryCode || undefined,
    country: ip.country || undefined,
    asn: ip.asn || undefined,
    hits: ip.hits.length === 0 ? undefined : ip.hits,
    unknown: ip.unknown.length === 0 ? undefined : ip.unknown,
  };
}
