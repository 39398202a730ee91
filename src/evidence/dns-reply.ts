/** Decides what a DNS response says: records, their proven absence, or nothing usable. */
import { type Answer, decode } from 'dns-packet';
import { headerCode, type QuestionType } from './dns-message.ts';

export interface DnsReply {
  /** `failed`: a server replied, but with nothing usable. `silent`: no server replied at all. */
  readonly status: 'records' | 'no_records' | 'no_domain' | 'failed' | 'silent';
  /** Records of the asked type, at the end of any CNAME chain; empty unless `records`. */
  readonly records: readonly Answer[];
  /** How long the answer may be used: the lowest TTL on the way, or the negative TTL of RFC 2308. 0: not at all. */
  readonly ttlSeconds: number;
}

export const FAILED: DnsReply = { status: 'failed', records: [], ttlSeconds: 0 };
export const SILENT: DnsReply = { status: 'silent', records: [], ttlSeconds: 0 };

const NO_ERROR = 0;
const NAME_ERROR = 3;
const MAX_ALIASES = 12;

/** Reads a message that `answersQuery`; one that cannot be decoded counts as `failed`. */
export function readReply(message: Buffer, name: string, type: QuestionType): DnsReply {
  try {
    return interpret(message, name, type);
  } catch {
    return FAILED;
  }
}

function interpret(message: Buffer, name: string, type: QuestionType): DnsReply {
  const { answers = [], authorities = [], additionals = [], flag_aa } = decode(message);
  const code = responseCode(message, additionals);
  if (code !== NO_ERROR && code !== NAME_ERROR) return FAILED;
  const found = followAliases(answers, name, type);
  if (found.records.length > 0) {
    return { status: 'records', records: found.records, ttlSeconds: found.ttlSeconds };
  }
  const soa = authorities.find((record) => record.type === 'SOA');
  const referral = soa === undefined && !flag_aa && authorities.some((record) => record.type === 'NS');
  if (code === NO_ERROR && referral) return FAILED;
  const negative = soa === undefined ? 0 : Math.min(ttlOf(soa), soa.data.minimum ?? 0);
  // The target of an alias that is missing does not make the alias itself a name that does not exist.
  const status = code === NAME_ERROR && !found.aliased ? 'no_domain' : 'no_records';
  return { status, records: [], ttlSeconds: Math.min(negative, found.ttlSeconds) };
}

function followAliases(answers: readonly Answer[], name: string, type: QuestionType) {
  let owner = name.toLowerCase();
  let ttlSeconds = Number.POSITIVE_INFINITY;
  for (let aliases = 0; aliases <= MAX_ALIASES; aliases += 1) {
    const own = answers.filter((record) => record.name.toLowerCase() === owner);
    const records = own.filter((record) => record.type === type);
    ttlSeconds = Math.min(ttlSeconds, ...records.map(ttlOf));
    if (records.length > 0) return { records, ttlSeconds, aliased: aliases > 0 };
    const target = aliasTarget(own);
    if (target === undefined) return { records, ttlSeconds, aliased: aliases > 0 };
    ttlSeconds = Math.min(ttlSeconds, ...own.map(ttlOf));
    owner = target;
  }
  return { records: [], ttlSeconds: 0, aliased: true };
}

function aliasTarget(records: readonly Answer[]): string | undefined {
  for (const record of records) if (record.type === 'CNAME') return record.data.toLowerCase();
  return undefined;
}

/** RFC 2181: a TTL with its highest bit set counts as zero. */
function ttlOf(record: Answer): number {
  const ttl = 'ttl' in record ? (record.ttl ?? 0) : 0;
  return ttl > 0x7fffffff ? 0 : ttl;
}

function responseCode(message: Buffer, additionals: readonly Answer[]): number {
  const opt = additionals.find((record) => record.type === 'OPT');
  return ((opt?.extendedRcode ?? 0) << 4) | headerCode(message);
}
