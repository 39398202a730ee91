/** Writes DNS queries, matches replies to them, and reads the replies. */
import { randomBytes, randomInt } from 'node:crypto';
import type { Answer } from 'dns-packet';
import { requirePackage } from '../../platform/common-js.ts';

const { decode, encode, RECURSION_DESIRED } = requirePackage('dns-packet') as typeof import('dns-packet');

export type QuestionType = 'MX' | 'NS' | 'A' | 'AAAA';

const HEADER_BYTES = 12;
const UDP_PAYLOAD_BYTES = 1232;
const FORMAT_ERROR = 1;
const SERVER_FAILURE = 2;
const NOT_IMPLEMENTED = 4;
const REFUSED = 5;
/** Failures that some servers send without repeating the question. */
const BARE_FAILURES = [FORMAT_ERROR, SERVER_FAILURE, NOT_IMPLEMENTED, REFUSED];

export interface QueryForm {
  readonly edns: boolean;
  /** Letters in random case, which an answer must repeat: a forger has to guess them too. */
  readonly mixedCase: boolean;
}

/** A query for one name with a random id. */
export function writeQuery(name: string, type: QuestionType, { edns, mixedCase }: QueryForm): Buffer {
  const opt: Answer = {
    type: 'OPT',
    name: '.',
    udpPayloadSize: UDP_PAYLOAD_BYTES,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
  return encode({
    type: 'query',
    id: randomInt(0x10000),
    flags: RECURSION_DESIRED,
    questions: [{ name: mixedCase ? mixCase(name) : name, type, class: 'IN' }],
    additionals: edns ? [opt] : [],
  });
}

/** The name with each letter in upper or lower case, by chance. */
function mixCase(name: string): string {
  const bits = randomBytes(name.length);
  return [...name.toLowerCase()]
    .map((letter, at) => ((bits[at] as number) & 1 ? letter.toUpperCase() : letter))
    .join('');
}

/** Whether `message` repeats the letters of the question as they were asked; one without a question is a failure of the server. */
export function repeatsCase(query: Buffer, message: Buffer): boolean {
  if (message.readUInt16BE(4) === 0) return true;
  const end = endOfQuestion(query);
  return query.subarray(HEADER_BYTES, end).equals(message.subarray(HEADER_BYTES, end));
}

/** Whether `message` is a response to `query`: same id, same question. Its body may still be malformed. */
export function answersQuery(query: Buffer, message: Buffer): boolean {
  if (message.length < HEADER_BYTES || message.readUInt16BE(0) !== query.readUInt16BE(0)) return false;
  const responseToStandardQuery = (message.readUInt16BE(2) & 0xf800) === 0x8000;
  if (!responseToStandardQuery) return false;
  const questions = message.readUInt16BE(4);
  if (questions === 0) return BARE_FAILURES.includes(headerCode(message));
  return questions === 1 && sameQuestion(query, message);
}

export function isTruncated(message: Buffer): boolean {
  return (message.readUInt16BE(2) & 0x0200) !== 0;
}

/** A server that does not know EDNS says so in one of two ways. */
export function refusesEdns(message: Buffer): boolean {
  return headerCode(message) === FORMAT_ERROR || headerCode(message) === NOT_IMPLEMENTED;
}

function headerCode(message: Buffer): number {
  return message.readUInt16BE(2) & 0x0f;
}

/** Compares the question sections byte by byte; letters may differ in case. */
function sameQuestion(query: Buffer, message: Buffer): boolean {
  const end = endOfQuestion(query);
  if (message.length < end) return false;
  for (let at = HEADER_BYTES; at < end; at += 1) {
    if (foldCase(query[at] as number) !== foldCase(message[at] as number)) return false;
  }
  return true;
}

function endOfQuestion(query: Buffer): number {
  let end = HEADER_BYTES;
  while (query[end] !== 0) end += (query[end] as number) + 1;
  return end + 5;
}

function foldCase(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}

export interface DnsReply {
  /** `failed`: a server replied, but with nothing usable. `silent`: no server replied at all. */
  readonly status: 'records' | 'no_records' | 'no_domain' | 'failed' | 'silent';
  /** Records of the asked type, at the end of any CNAME chain; empty unless `records`. */
  readonly records: readonly Answer[];
  /** Time that the answer may be used: the lowest TTL on the way, or the negative TTL of RFC 2308. 0: not at all. */
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
  const soa = authorities
    .filter((record) => record.type === 'SOA')
    .find((record) => isWithin(found.owner, record.name));
  const referral = soa === undefined && !flag_aa && authorities.some((record) => record.type === 'NS');
  if (code === NO_ERROR && referral) return FAILED;
  const negative = soa === undefined ? 0 : Math.min(ttlOf(soa), soa.data.minimum ?? 0);
  // The target of an alias that is missing does not make the alias itself a name that does not exist.
  const status = code === NAME_ERROR && !found.aliased ? 'no_domain' : 'no_records';
  return { status, records: [], ttlSeconds: Math.min(negative, found.ttlSeconds) };
}

/** Whether a zone is that of the name, or above it: no other zone can answer for the name. */
function isWithin(name: string, zone: string): boolean {
  const apex = zone.toLowerCase();
  return apex === '.' || apex === '' || name === apex || name.endsWith(`.${apex}`);
}

function followAliases(answers: readonly Answer[], name: string, type: QuestionType) {
  let owner = name.toLowerCase();
  let ttlSeconds = Number.POSITIVE_INFINITY;
  for (let aliases = 0; aliases <= MAX_ALIASES; aliases += 1) {
    const own = answers.filter((record) => record.name.toLowerCase() === owner);
    const records = own.filter((record) => record.type === type);
    ttlSeconds = Math.min(ttlSeconds, ...records.map(ttlOf));
    if (records.length > 0) return { records, ttlSeconds, aliased: aliases > 0, owner };
    const target = aliasTarget(own);
    if (target === undefined) return { records, ttlSeconds, aliased: aliases > 0, owner };
    ttlSeconds = Math.min(ttlSeconds, ...own.map(ttlOf));
    owner = target;
  }
  return { records: [], ttlSeconds: 0, aliased: true, owner };
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
