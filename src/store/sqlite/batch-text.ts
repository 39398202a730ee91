/** Decides how the assessments of a batch are written: their ids, what velocity needs of each at a start, and the rest, a line for each. */
import type { Verdict } from '../../contract/messages.ts';
import type { ReasonCode } from '../../contract/reasons.ts';
import { byNumber } from '../../model/by-number.ts';
import type { KeyMode } from '../../model/key-mode.ts';
import type { VelocityEvent } from '../../model/velocity-event.ts';
import type { AssessmentTexts, StoredAssessment } from '../store.ts';
import { decodeText, encodeText } from '../text.ts';
import type { NumberedAssessment } from './record-source.ts';

/** What the lines of many records have in common: written once, before them. */
export interface RecordGroup {
  readonly accountId: string;
  readonly keyId: string;
  readonly mode: KeyMode;
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
export const VERDICTS: readonly Verdict[] = ['allow', 'challenge', 'block'];
/** `j***@example.com` is written as `j`. */
const MASK = '***@';
/** Before what is written as it is, where less would be usual. */
export const WHOLE = '=';
/** Between the autonomous system and a session. */
const SESSION = `\t${WHOLE}`;
/** No text has it: not that of a record, which has no line breaks. */
const END = '\n';

export function writeGroups(groups: readonly RecordGroup[]): string {
  const texts = groups.map(({ accountId, keyId, mode }) => `${accountId} ${keyId} ${mode}`);
  return [VERSION, ...texts].join('\t');
}

/** What velocity counts. @param group its place among the groups */
export function writeAttempt(group: number, a: StoredAssessment): string {
  const mailbox = a.mailboxHash === a.addressHash ? '' : a.mailboxHash;
  return `${startOfAttempt(group, a.at)}${a.network ?? ''}\t${toField(a.emailDomain)}\t${a.addressHash}\t${mailbox}`;
}

/** The last one: the records of a batch have few different ones. */
let start = { group: Number.NaN, at: Number.NaN, text: '' };

function startOfAttempt(group: number, at: number): string {
  if (start.group !== group || start.at !== at) start = { group, at, text: `${group}\t${at.toString(36)}\t` };
  return start.text;
}

/**
 * All else. The texts are last: they may be long.
 * @param isOneLine its facts have no line breaks, so that none are looked for
 */
export function writeDetails(a: StoredAssessment, isOneLine = false): string {
  const { emailMasked, emailDomain, email, ip, sessionId } = a;
  const usual = emailMasked.endsWith(MASK + emailDomain) && !emailMasked.startsWith(WHOLE);
  const masked = usual ? emailMasked.slice(0, -MASK.length - emailDomain.length) : `${WHOLE}${emailMasked}`;
  const place = ip === null ? '' : ip === a.network ? WHOLE : ip;
  // Few pieces: each costs when it is added, and again when the lines are copied together.
  const decision = DECISIONS[a.verdict][a.shadow ? 'shadow' : 'live'](a.score);
  const address = email === null ? '\t\t' : `\t${toField(email)}\t`;
  const session = sessionId === null ? '\t\t' : `${SESSION}${encodeText(sessionId)}\t`;
  return `${decision}${divided(a.reasons)}\t${divided(a.weights)}\t${toField(masked)}${address}${place}\t${a.countryCode}\t${a.asn}${session}${TOOK(a.processedMs)}${writeTexts(a, isOneLine)}`;
}

/** Verdict and score. */
const DECISIONS = Object.fromEntries(
  VERDICTS.map((verdict, number) => [
    verdict,
    {
      live: byNumber((score) => `${number}\t${score}\t`),
      shadow: byNumber((score) => `${number}s\t${score}\t`),
    },
  ]),
) as Record<Verdict, Record<'live' | 'shadow', (score: number) => string>>;
const TOOK = byNumber((milliseconds) => `${milliseconds}\t`);

/** By spaces. Most have one value. */
function divided(values: readonly (string | number)[]): string {
  return values.length === 1 ? `${values[0]}` : values.join(' ');
}

/** The first character says which texts. JSON has no line breaks or tabs; what has some is written as JSON. */
function writeTexts(texts: AssessmentTexts, isOneLine: boolean): string {
  if ('facts' in texts)
    return isOneLine || !texts.facts.includes('\n') ? `f${texts.facts}` : `j${JSON.stringify([texts.facts])}`;
  const { body, evidence } = texts;
  const both = `${body}\t${evidence}`;
  return both.includes('\n') || body.includes('\t') ? `j${JSON.stringify([body, evidence])}` : `o${both}`;
}

function readTexts(text: string): AssessmentTexts {
  const rest = text.slice(1);
  if (text[0] === 'f') return { facts: rest };
  if (text[0] === 'o') {
    const end = rest.indexOf('\t');
    return { body: rest.slice(0, end), evidence: rest.slice(end + 1) };
  }
  const [first = '', second] = JSON.parse(rest) as [string, string?];
  return second === undefined ? { facts: first } : { body: first, evidence: second };
}

/** A row cut into lines, from which single records are read, again and again. */
export interface BatchLines {
  readonly seq: number;
  readonly ids: readonly string[];
  readonly groups: readonly RecordGroup[];
  readonly attempts: readonly string[];
  readonly details: readonly string[];
}

export function toLines({ seq, ids, attempts, details }: BatchRow): BatchLines {
  const [header = '', ...lines] = attempts.split('\n');
  return {
    seq,
    ids: ids.split(' '),
    groups: readGroups(header),
    attempts: lines,
    details: details.split('\n'),
  };
}

/** `undefined` where it has no such record, or no more. */
export function readLine(lines: BatchLines, requestId: string): NumberedAssessment | undefined {
  const place = lines.ids.indexOf(requestId);
  if (place < 0 || requestId === '') return undefined;
  const [attempt = '', details = ''] = [lines.attempts[place], lines.details[place]];
  return readRecord(lines.seq + place, requestId, lines.groups, walk(attempt), walk(details));
}

/** The records of a row that are not erased. @param wanted their places; all by default */
export function readBatch(
  row: BatchRow,
  wanted?: (place: number, id: string) => boolean,
): NumberedAssessment[] {
  const nextId = walk(row.ids);
  const attempt = walk(row.attempts);
  const details = walk(row.details);
  const groups = readGroups(attempt('\n'));
  const records: NumberedAssessment[] = [];
  for (let [place, id] = [0, nextId(' ')]; id !== END; place += 1, id = nextId(' ')) {
    if (id !== '' && wanted?.(place, id) !== false)
      records.push(readRecord(row.seq + place, id, groups, attempt, details));
    else {
      attempt('\n');
      details('\n');
    }
  }
  return records;
}

/**
 * What velocity counts of a row, in order of commit: live ones that were assessed after `since`. They may be millions:
 * so it walks along both texts, and makes no list of lines or fields.
 * @param wanted the account whose attempts are read; those of all by default
 */
export function readAttempts(
  { ids, attempts }: Pick<BatchTexts, 'ids' | 'attempts'>,
  since: number,
  wanted?: string,
): VelocityEvent[] {
  const id = walk(ids);
  const field = walk(attempts);
  const groups = readGroups(field('\n'));
  const events: VelocityEvent[] = [];
  if (wanted !== undefined && !groups.some(({ accountId }) => accountId === wanted)) return events;
  for (let requestId = id(' '); requestId !== END; requestId = id(' ')) {
    if (requestId === '') {
      field('\n');
      continue;
    }
    const { accountId, mode } = groups[Number(field('\t'))] as RecordGroup;
    const at = Number.parseInt(field('\t'), 36);
    if (mode !== 'live' || at <= since || (wanted !== undefined && accountId !== wanted)) {
      field('\n');
      continue;
    }
    const network = field('\t');
    const domain = ofField(field('\t'));
    const addressHash = field('\t');
    const mailbox = field('\n');
    events.push({
      id: requestId,
      account: accountId,
      at,
      network: network === '' ? null : network,
      domain,
      addressHash,
      mailbox: mailbox === '' ? addressHash : mailbox,
    });
  }
  return events;
}

type Walk = (divider: string) => string;

/** Gives what comes up to the next divider, and at last what is left; then `END`. */
function walk(text: string): Walk {
  let from = 0;
  return (divider) => {
    if (from > text.length) return END;
    const end = text.indexOf(divider, from);
    const part = text.slice(from, end < 0 ? text.length : end);
    from = end < 0 ? text.length + 1 : end + 1;
    return part;
  };
}

export function readGroups(header: string): RecordGroup[] {
  const [version, ...texts] = header.split('\t');
  if (version !== VERSION) throw new Error(`stored assessments have the unknown form ${version}`);
  return texts.map((text) => {
    const [accountId, keyId, mode] = text.split(' ') as [string, string, KeyMode];
    return { accountId, keyId, mode };
  });
}

/** @param attempt walks along the attempts, to the next line; `details` likewise */
function readRecord(
  seq: number,
  requestId: string,
  groups: readonly RecordGroup[],
  attempt: Walk,
  details: Walk,
): NumberedAssessment {
  const { accountId, keyId, mode } = groups[Number(attempt('\t'))] as RecordGroup;
  const at = Number.parseInt(attempt('\t'), 36);
  const network = attempt('\t');
  const emailDomain = ofField(attempt('\t'));
  const addressHash = attempt('\t');
  const mailbox = attempt('\n');
  const verdict = details('\t');
  const score = Number(details('\t'));
  const reasons = details('\t');
  const weights = details('\t');
  const masked = details('\t');
  const email = details('\t');
  const ip = details('\t');
  const countryCode = details('\t');
  const asn = Number(details('\t'));
  const session = details('\t');
  const processedMs = Number(details('\t'));
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
    reasons: reasons === '' ? [] : (reasons.split(' ') as ReasonCode[]),
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
    weights: weights === '' ? [] : weights.split(' ').map(Number),
    ...readTexts(details('\n')),
  };
}

function readMasked(masked: string, domain: string): string {
  return masked.startsWith(WHOLE) ? masked.slice(1) : masked + MASK + domain;
}

/** Controls would divide fields, and a lone surrogate would be lost. */
const UNSAFE = /[\p{Cc}\p{Cs}\\]/u;

function toField(text: string): string {
  return UNSAFE.test(text) ? encodeText(text) : text;
}

/** As `toField` was given it. */
export function ofField(field: string): string {
  return field.includes('\\') ? decodeText(field) : field;
}
