/** Finds the data of a person in an account by keyed hashes, and erases it for good. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MakeAuditEntry } from './accounts/hook-admin.ts';
import { parseEmail } from './address/email.ts';
import type { AddressHashes } from './address/fingerprint.ts';
import { parseIp } from './address/ip.ts';
import { mailboxOf } from './address/mailbox.ts';
import { noteErasure } from './app-erasures.ts';
import { anonymize } from './assess/anonymize.ts';
import { createMakeId } from './contract/identifiers.ts';
import type { HashedPerson } from './model/hashed-person.ts';
import type { ListEntry } from './model/list-entry.ts';
import type { EmailAddress } from './model/signup-attempt.ts';
import type { AuditEntry } from './store/dashboard-store.ts';
import type { AnonymousAssessment } from './store/erasure-store.ts';
import type { ReplayableAssessment, ReplaySearch } from './store/history-store.ts';
import { timeOfId } from './store/request-time.ts';
import type { Store, StoredAssessment } from './store/store.ts';

/** Whom somebody asks about. */
export interface Person {
  readonly account: string;
  readonly email: EmailAddress;
  /** Canonical. */
  readonly ip?: string | undefined;
  readonly session?: string | undefined;
}

export interface PersonData {
  readonly assessments: readonly StoredAssessment[];
  /** How many of them somebody reported about. */
  readonly reports: number;
  readonly entries: readonly ListEntry[];
  /** The criteria that found the person: address, IP, session. */
  readonly names: readonly string[];
}

const POLL_MS = 100;

/** @throws in one sentence when it is none */
export function readPersonEmail(text: string): EmailAddress {
  const email = parseEmail(text);
  if (email === undefined) throw new Error('It must be an email address.');
  return email;
}

/** As it is stored. @throws in one sentence when it is none */
export function readPersonIp(text: string): string {
  const ip = parseIp(text);
  if (ip === undefined) throw new Error('It must be an IP address.');
  return ip.text;
}

function hashPerson(hashes: AddressHashes, person: Person, until: number): HashedPerson {
  const { account, email, ip, session } = person;
  const texts = [email.address, mailboxOf(email)];
  if (ip !== undefined) texts.push(ipText(ip));
  if (session !== undefined) texts.push(sessionText(session));
  return { account, hashes: [...new Set(texts.flatMap(hashes.all))], until };
}

// Neither can be the text of an address.
const ipText = (ip: string) => `ip ${ip}`;
const sessionText = (session: string) => `session ${session}`;

/** By the index. @param until only signups stored until then, milliseconds since the epoch */
export async function findPerson(
  store: Store,
  hashes: AddressHashes,
  person: Person,
  until: number,
): Promise<PersonData> {
  const { account, email, ip, session } = person;
  const hashed = hashPerson(hashes, person, until);
  const searches: Omit<ReplaySearch, 'mode' | 'since'>[] = hashes
    .all(mailboxOf(email))
    .map((mailbox) => ({ mailbox }));
  if (ip !== undefined) searches.push({ ip: { first: ip, last: ip } });
  if (session !== undefined) searches.push({ sessionId: session });
  const found = new Map<string, ReplayableAssessment>();
  for (const search of searches)
    for await (const each of readAll(store, account, search))
      if (each.stored.at <= until) found.set(each.stored.requestId, each);
  const entries = await findEntries(store, hashes, account, [hashed]);
  const names = [email.address, ip, session].filter((name) => name !== undefined);
  return { ...toData([...found.values()]), entries, names };
}

function toData(found: readonly ReplayableAssessment[]): Pick<PersonData, 'assessments' | 'reports'> {
  const reports = found.filter(({ row }) => row.feedback !== null).length;
  return { assessments: found.map(({ stored }) => stored), reports };
}

/** By hashes alone: reads all assessments of the account once. */
export async function findHashedPeople(
  store: Store,
  hashes: AddressHashes,
  account: string,
  people: readonly HashedPerson[],
): Promise<PersonData> {
  const isOf = createIsOf(hashes, people);
  const found: ReplayableAssessment[] = [];
  const names = new Set<string>();
  for await (const each of readAll(store, account, {})) {
    const { addressHash, mailboxHash, ip, sessionId, at } = each.stored;
    const byIp = isOf.text(ip, ipText, at);
    const bySession = isOf.text(sessionId, sessionText, at);
    if (byIp) names.add(ip as string);
    if (bySession) names.add(sessionId as string);
    if (byIp || bySession || isOf.hash(addressHash, at) || isOf.hash(mailboxHash, at)) found.push(each);
  }
  const entries = await findEntries(store, hashes, account, people);
  for (const { kind, value } of entries) if (kind === 'ip') names.add(value);
  return { ...toData(found), entries, names: [...names] };
}

async function findEntries(
  store: Store,
  hashes: AddressHashes,
  account: string,
  people: readonly HashedPerson[],
): Promise<ListEntry[]> {
  const isOf = createIsOf(hashes, people);
  return (await store.listEntries(account)).filter(({ kind, value, createdAt }) =>
    kind === 'address' ? isOf.hash(value, createdAt) : kind === 'ip' && isOf.text(value, ipText, createdAt),
  );
}

/** Whether something that was stored at an instant is of one of them. */
function createIsOf(hashes: AddressHashes, people: readonly HashedPerson[]) {
  const untilOf = new Map<string, number>();
  for (const person of people)
    for (const hash of person.hashes)
      untilOf.set(hash, Math.max(person.until, untilOf.get(hash) ?? Number.NEGATIVE_INFINITY));
  const hash = (found: string, at: number) => at <= (untilOf.get(found) ?? Number.NEGATIVE_INFINITY);
  return {
    hash,
    text: (text: string | null, toText: (text: string) => string, at: number) =>
      text !== null && hashes.all(toText(text)).some((found) => hash(found, at)),
  };
}

/** All that were acknowledged before. */
async function* readAll(store: Store, account: string, search: Omit<ReplaySearch, 'mode' | 'since'>) {
  while ((await store.indexing()) !== null) await sleep(POLL_MS);
  for (const mode of ['live', 'test'] as const) {
    const criteria = { ...search, mode, since: 0 };
    for await (const page of store.replayableAssessments(account, criteria, Number.MAX_SAFE_INTEGER))
      yield* page;
  }
}

/** How many were found or erased. */
export const countsOf = ({ assessments, reports, entries }: PersonData) => ({
  assessments: assessments.length,
  feedback: reports,
  list_entries: entries.length,
});

/**
 * Also takes the person out of earlier entries of the audit log. That comes first: if it is interrupted, the next start
 * finds the person by the data that is still stored.
 */
export async function erasePerson(
  store: Store,
  hashes: AddressHashes,
  { data, account, audit }: Erasure,
): Promise<void> {
  const { assessments, entries } = data;
  await store.redactAudit(account, createRedaction(data));
  await store.anonymizeAssessments(assessments.map((stored) => anonymous(stored, hashes)));
  for (const { id } of entries) await store.removeListEntry(id, audit('list.remove', 'a person’s entry', ''));
  const detail = `${assessments.length} assessments, ${entries.length} list entries`;
  await store.audit(audit('privacy.erase', 'a person', detail));
}

/**
 * Erases a person. Notes that first, in the data folder and in the store, so that an interrupted erasure can be applied again.
 * @returns what was erased, and whose erasure to end when nothing of it is left in free places
 */
export async function noteAndErase(
  store: Store,
  hashes: AddressHashes,
  person: Person,
  { dataDir, until, audit }: ErasureOptions,
): Promise<{ readonly data: PersonData; readonly noted: HashedPerson }> {
  const noted = hashPerson(hashes, person, until);
  noteErasure({ dataDir }, noted);
  await store.noteErasure(noted);
  const data = await findPerson(store, hashes, person, until);
  await erasePerson(store, hashes, { account: person.account, data, audit });
  return { data, noted };
}

interface ErasureOptions {
  readonly dataDir: string;
  /** Only signups stored until then, milliseconds since the epoch. */
  readonly until: number;
  readonly audit: MakeAuditEntry;
}

export interface Erasure {
  readonly account: string;
  readonly data: PersonData;
  /** Its entries do not name the person. */
  readonly audit: MakeAuditEntry;
}

function anonymous(stored: StoredAssessment, hashes: AddressHashes): AnonymousAssessment {
  const { requestId: erasedId, at } = stored;
  const requestId = createMakeId()('req', timeOfId(erasedId) ?? at);
  return { erasedId, replacement: anonymize(stored, { requestId, addressHash: hashes(randomUUID()) }) };
}

/** As long as the text that it replaces: the row stays in its place in the file, and leaves no copy. */
const asterisks = (text: string) => '*'.repeat(Buffer.byteLength(text));
/** In a masked address, which others share. */
const MASK = '***@';

/** Takes out what names the person: ids and texts anywhere, a masked address where it is the whole target, as of list entries. */
function createRedaction({ assessments, entries, names }: PersonData) {
  const texts = new Set<string | null>(names);
  const masked = new Set<string>();
  for (const { requestId, email, emailMasked, sessionId } of assessments) {
    for (const text of [requestId, email, sessionId]) texts.add(text);
    masked.add(emailMasked);
  }
  for (const { id, shown } of entries) {
    texts.add(id);
    masked.add(shown);
    if (!shown.includes(MASK)) texts.add(shown);
  }
  const wanted = [...texts].filter((text) => text !== null && text !== '') as string[];
  const pattern =
    wanted.length === 0
      ? undefined
      : new RegExp(`(?<![\\w.@+-])(?:${wanted.map(escapePattern).join('|')})(?![\\w@+-]|\\.\\w)`, 'gi');
  const redact = (text: string) => (pattern === undefined ? text : text.replaceAll(pattern, asterisks));
  return ({ target, detail }: AuditEntry) => ({
    target: masked.has(target) ? asterisks(target) : redact(target),
    detail: redact(detail),
  });
}

const escapePattern = (text: string) => text.replaceAll(/[^\w ]/g, '\\$&');
