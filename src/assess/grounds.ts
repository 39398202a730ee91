/** Writes the grounds of an assessment as they are stored: policy, findings and evidence. */
import buildSerializer from 'fast-json-stringify';
import type { Thresholds } from '../contract/thresholds.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Finding } from './judge.ts';

/** What a stored assessment can be explained by, and judged again from. */
export interface Grounds {
  /** Version of the policy that judged. */
  readonly policy: string;
  /** What the score was measured against. */
  readonly thresholds: Thresholds;
  readonly findings: readonly Finding[];
  readonly evidence: Evidence;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const number = { type: 'integer' } as const;
const shape = <P extends Record<string, object>>(properties: P) =>
  ({ type: 'object', required: Object.keys(properties), properties }) as const;
const list = (items: object) => ({ type: 'array', items }) as const;

const hit = shape({ fact: text, source: text, entry: text, version: text });
const hits = list({ ...hit, required: ['fact', 'source', 'entry'] });

const email = shape({
  domain: text,
  disposable: flag,
  disposableHost: shape({ name: text, matched: text, serves: number }),
  relay: flag,
  spam: flag,
  consumer: flag,
  role: flag,
  alias: flag,
  mx: shape({ status: text, hosts: list(text) }),
  age: shape({ days: number, status: text }),
  hits,
  unknown: list(text),
} satisfies Record<keyof Evidence['email'], object>);

const ip = shape({
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
} satisfies Record<keyof NonNullable<Evidence['ip']>, object>);

const velocity = shape({
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

/** JSON of the grounds, compiled from their shape; a fact without a place in it does not compile. */
export const serializeGrounds: (grounds: Grounds) => string = buildSerializer(
  shape({
    policy: text,
    thresholds: shape({ challenge: number, block: number } satisfies Record<keyof Thresholds, object>),
    findings: list(finding),
    evidence: shape({
      snapshot: text,
      email,
      ip: { ...ip, nullable: true },
      velocity,
      list: { ...listed, nullable: true },
    } satisfies Record<keyof Evidence, object>),
  }) as object,
);
