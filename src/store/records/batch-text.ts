/** Decides how the assessments of a batch are written: their ids, what velocity needs of each at a start, and the rest, a line for each. */
import type { Verdict } from '../../contract/messages.ts';
import type { ReasonCode } from '../../contract/reasons.ts';
import type { KeyMode } from '../../model/key-mode.ts';
import type { VelocityEvent } from '../../model/velocity-event.ts';
import type { NumberedAssessment, StoredAssessment } from '../stored-assessment.ts';
import { decodeText, encodeText } from '../text.ts';
import { BatchFields } from './batch-fields.ts';

/** Values that the lines of many records have in common: written once, before them. */
export interface RecordGroup {
  readonly accountId: string;
  readonly keyId: string;
  readonly mode: KeyMode;
  /** Somebody brought the person: velocity leaves it out. */
  readonly isBrought: boolean;
  /** Live ones that were answered with `block`, which velocity tells apart. */
  readonly isBlocked: boolean;
  /** Live ones whose address has a name, which velocity tells apart. */
  readonly isNamed: boolean;
}

/** The texts of a row. A record that was erased has an empty id, and empty lines. */
export interface BatchTexts {
  /** Divided by spaces. */
  readonly ids: string;
  /** A line with the version and the groups, then a line for each record. */
  readonly attempts: string;
  readonly details: string;
}

export interface BatchRow extends BatchTexts {
  /** Number of the first record. */
  readonly seq: number;
}

/** Rows are stored for years: what is written otherwise gets another version. */
const VERSION = '1';
const VERDICTS: readonly Verdict[] = ['allow', 'challenge', 'block'];
/** `j***@example.com` is written as `j`. */
const MASK = '***@';
/** Mark before what is written as it is, where less would be usual. */
const WHOLE = '=';
/** Words behind the mode of a group. */
const BROUGHT = ' brought';
const NAMED = ' named';
const BLOCKED = ' blocked';
/** Separator between the autonomous system and a session. */
const SESSION = `\t${WHOLE}`;

export function writeGroups(groups: readonly RecordGroup[]): string {
  const texts = groups.map(
    ({ accountId, keyId, mode, isBrought, isBlocked, isNamed }) =>
      `${accountId} ${keyId} ${mode}${isBrought ? BROUGHT : ''}${isNamed ? NAMED : ''}${isBlocked ? BLOCKED : ''}`,
  );
  return [VERSION, ...texts].join('\t');
}

/** The part of a record that velocity counts. @param group its place among the groups */
export function writeAttempt(group: number, a: StoredAssessment): string {
  const mailbox = a.mailboxHash === a.addressHash ? '' : a.mailboxHash;
  return `${group}\t${a.at.toString(36)}\t${a.network ?? ''}\t${toField(a.emailDomain)}\t${a.addressHash}\t${mailbox}`;
}

/**
 * Line with all else. The facts are last: they may be long.
 * @param isOneLine its facts have no line breaks, so that none are looked for
 */
export function writeDetails(a: StoredAssessment, isOneLine = false): string {
  const { emailMasked, emailDomain, email, ip, sessionId } = a;
  const usual = emailMasked.endsWith(MASK + emailDomain) && !emailMasked.startsWith(WHOLE);
  const masked = usual ? emailMasked.slice(0, -MASK.length - emailDomain.length) : `${WHOLE}${emailMasked}`;
  const place = ip === null ? '' : ip === a.network ? WHOLE : ip;
  // Few pieces: each costs when it is added, and again when the lines are copied together.
  const decision = `${VERDICTS.indexOf(a.verdict)}${a.shadow ? 's' : ''}\t${a.score}\t`;
  const address = email === null ? '\t\t' : `\t${toField(email)}\t`;
  const session = sessionId === null ? '\t\t' : `${SESSION}${encodeText(sessionId)}\t`;
  return `${decision}${divided(a.reasons)}\t${divided(a.weights)}\t${toField(masked)}${address}${place}\t${a.countryCode}\t${a.asn}${session}${a.processedMs}\t${writeFacts(a.facts, isOneLine)}`;
}

/** Values divided by spaces. Most lists have one. */
function divided(values: readonly (string | number)[]): string {
  return values.length === 1 ? `${values[0]}` : values.join(' ');
}

/** The first character says how: `f` as they are, `j` as JSON where they have a line break. */
function writeFacts(facts: string, isOneLine: boolean): string {
  return isOneLine || !facts.includes('\n') ? `f${facts}` : `j${JSON.stringify(facts)}`;
}

function readFacts(text: string): string {
  const rest = text.slice(1);
  return text[0] === 'f' ? rest : (JSON.parse(rest) as string);
}

/** Both texts are at the start of a record's lines, and at their ends afterwards. */
type ReadRecord<R> = (
  seq: number,
  requestId: string,
  groups: readonly RecordGroup[],
  attempt: BatchFields,
  details: BatchFields,
) => R;

/** @param isWanted by their places; default: all */
function readRecords<R>(
  { seq, ids, attempts, details }: BatchRow,
  read: ReadRecord<R>,
  isWanted?: (place: number, id: string) => boolean,
): R[] {
  const [attempt, detail] = [new BatchFields(attempts), new BatchFields(details)];
  const groups = readGroups(attempt.line());
  const records: R[] = [];
  for (const [place, requestId] of ids.split(' ').entries()) {
    if (requestId !== '' && isWanted?.(place, requestId) !== false)
      records.push(read(seq + place, requestId, groups, attempt, detail));
    else {
      attempt.skipLine();
      detail.skipLine();
    }
  }
  return records;
}

/** The records of a row that are not erased. @param isWanted by their places; default: all */
export function readBatch(
  row: BatchRow,
  isWanted?: (place: number, id: string) => boolean,
): NumberedAssessment[] {
  return readRecords(row, readRecord, isWanted);
}

/**
 * Reads what velocity counts of a row, in order of commit: live ones that were assessed after `since`.
 * @param wanted the account whose attempts are read; those of all by default
 */
export function readAttempts(
  { ids, attempts }: Pick<BatchTexts, 'ids' | 'attempts'>,
  since: number,
  wanted?: string,
): VelocityEvent[] {
  const events: VelocityEvent[] = [];
  if (wanted !== undefined && !new BatchFields(attempts).line().includes(`\t${wanted} `)) return events;
  readRecords({ seq: 0, ids, attempts, details: '' }, (_, id, groups, attempt) => {
    const group = groups[attempt.number()] as RecordGroup;
    const { accountId: account, mode, isBrought, isBlocked, isNamed } = group;
    const at = attempt.time();
    if (mode !== 'live' || isBrought || at <= since || (wanted !== undefined && account !== wanted))
      return attempt.skipLine();
    const network = attempt.field();
    const domain = ofField(attempt.field());
    const addressHash = attempt.field();
    const mailbox = attempt.line();
    events.push({
      id,
      account,
      at,
      network: network === '' ? null : network,
      domain,
      addressHash,
      mailbox: mailbox === '' ? addressHash : mailbox,
      blocked: isBlocked,
      named: isNamed,
    });
  });
  return events;
}

export function readGroups(header: string): RecordGroup[] {
  const [version, ...texts] = header.split('\t');
  if (version !== VERSION) throw new Error(`stored assessments have the unknown form ${version}`);
  return texts.map((text) => {
    const [accountId, keyId, mode] = text.split(' ') as [string, string, KeyMode];
    return {
      accountId,
      keyId,
      mode,
      isBrought: text.includes(BROUGHT),
      isBlocked: text.endsWith(BLOCKED),
      isNamed: text.includes(NAMED),
    };
  });
}

export const readRecord: ReadRecord<NumberedAssessment> = (seq, requestId, groups, attempt, details) => {
  const { accountId, keyId, mode } = groups[attempt.number()] as RecordGroup;
  const at = attempt.time();
  const network = attempt.field();
  const emailDomain = ofField(attempt.field());
  const addressHash = attempt.field();
  const mailbox = attempt.line();
  const verdict = details.field();
  const score = details.number();
  const { reasons, weights } = reasonsOf(details.twoFields());
  const masked = details.field();
  const email = details.field();
  const ip = details.field();
  const countryCode = details.field();
  const asn = details.number();
  const session = details.field();
  const processedMs = details.number();
  return {
    seq,
    requestId,
    accountId,
    keyId,
    mode,
    shadow: verdict.length > 1,
    at,
    verdict: VERDICTS[Number(verdict[0])] as Verdict,
    score,
    reasons,
    emailDomain,
    addressHash,
    mailboxHash: mailbox === '' ? addressHash : mailbox,
    emailMasked: readMasked(ofField(masked), emailDomain),
    email: email === '' ? null : ofField(email),
    ip: ip === WHOLE ? network : ip === '' ? null : ip,
    network: network === '' ? null : network,
    countryCode,
    asn,
    sessionId: session === '' ? null : ofField(session.slice(1)),
    processedMs,
    weights,
    facts: readFacts(details.line()),
  };
};

interface Reasons {
  readonly reasons: readonly ReasonCode[];
  readonly weights: readonly number[];
}

/** Reasons by their texts: few differ, and many records share the lists. */
const knownReasons = new Map<string, Reasons>();
const MAX_KNOWN_REASONS = 1_024;

/** @param fields with a tab between them */
function reasonsOf(fields: string): Reasons {
  const known = knownReasons.get(fields);
  if (known !== undefined) return known;
  // A copy: a part of a text keeps all of it in memory, here that of the whole batch.
  const own = Buffer.from(fields).toString();
  const [reasons = '', weights = ''] = own.split('\t');
  const both: Reasons = {
    reasons: reasons === '' ? [] : (reasons.split(' ') as ReasonCode[]),
    weights: weights === '' ? [] : weights.split(' ').map(Number),
  };
  if (knownReasons.size >= MAX_KNOWN_REASONS) knownReasons.clear();
  knownReasons.set(own, both);
  return both;
}

function readMasked(masked: string, domain: string): string {
  return masked.startsWith(WHOLE) ? masked.slice(1) : masked + MASK + domain;
}

/** Controls would divide fields, and a lone surrogate would be lost. */
const UNSAFE = /[\p{Cc}\p{Cs}\\]/u;

function toField(text: string): string {
  return UNSAFE.test(text) ? encodeText(text) : text;
}

/** The text that `toField` was given. */
export function ofField(field: string): string {
  return field.includes('\\') ? decodeText(field) : field;
}
