/** Finds the data of a person in an account by keyed hashes, and erases it for good. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEmail } from '../address/email.ts';
import type { AddressHashes } from '../address/fingerprint.ts';
import { parseIp } from '../address/ip.ts';
import { mailboxOf } from '../address/mailbox.ts';
import { createMakeId } from '../contract/identifiers.ts';
import type { HashedPerson } from '../model/hashed-person.ts';
import { isHashedKind, type ListEntry, splitOffice } from '../model/list-entry.ts';
import { dayOf, type MailboxAddress } from '../model/mailbox-address.ts';
import type { EmailAddress } from '../model/signup-attempt.ts';
import { anonymize } from '../signup/anonymize.ts';
import type { MakeAuditEntry } from '../store/audit-store.ts';
import type { AnonymousAssessment } from '../store/erasure-store.ts';
import type { ReplayableAssessment, ReplaySearch } from '../store/history-store.ts';
import { timeOfId } from '../store/request-time.ts';
import type { Store } from '../store/store.ts';
import type { StoredAssessment } from '../store/stored-assessment.ts';
import { noteErasure } from './erasure-list.ts';
import { forgetAlertValues } from './privacy-alerts.ts';
import { createRedaction, type PersonTraces } from './privacy-audit.ts';
import { createIsOwnScope, forgetCampaignScopes } from './privacy-campaigns.ts';
import { findOwnDomains, forgetDomainsEverywhere } from './privacy-domains.ts';
import {
  countMailboxAddresses,
  describeMailboxAddresses,
  eraseMailboxAddresses,
  findMailboxAddresses,
  type MailboxKeeping,
} from './privacy-mailboxes.ts';
import { forgetUndoSteps } from './privacy-undo.ts';

/** The person whose data is wanted. */
export interface Person {
  readonly account: string;
  readonly email: EmailAddress;
  /** Canonical. */
  readonly ip?: string | undefined;
  readonly session?: string | undefined;
}

export interface PersonData {
  readonly assessments: readonly StoredAssessment[];
  /** Number of them that somebody reported about. */
  readonly reports: number;
  readonly entries: readonly ListEntry[];
  /** Addresses of their mailboxes that are kept for months. */
  readonly mailboxAddresses: readonly MailboxAddress[];
  /** A session by which the person was found. */
  readonly session?: string | undefined;
}

const POLL_MS = 100;
/** Time before every erasure. */
const ANY_TIME = 0;

/** @throws in one sentence when it is none */
export function readPersonEmail(text: string): EmailAddress {
  const email = parseEmail(text);
  if (email === undefined) throw new Error('It must be an email address.');
  return email;
}

/** Reads an IP as it is stored. @throws in one sentence when it is none */
export function readPersonIp(text: string): string {
  const ip = parseIp(text);
  if (ip === undefined) throw new Error('It must be an IP address.');
  return ip.text;
}

/** @param domains owners' domains that nobody else used */
function hashPerson(
  hashes: AddressHashes,
  person: Person,
  until: number,
  domains: Iterable<string> = [],
): HashedPerson {
  const { account, email, ip, session } = person;
  const texts = [email.address, mailboxOf(email)];
  if (ip !== undefined) texts.push(ipText(ip));
  if (session !== undefined) texts.push(sessionText(session));
  for (const domain of domains) texts.push(domainText(domain));
  return { account, hashes: [...new Set(texts.flatMap(hashes.hashUnderAllKeys))], until };
}

// No one of these texts can be that of an address.
const ipText = (ip: string) => `ip ${ip}`;
const sessionText = (session: string) => `session ${session}`;
const domainText = (owner: string) => `domain ${owner}`;

/** Finds a person's signups by the index. @param until only signups stored until then, milliseconds since the epoch */
export async function findPerson(
  store: Store,
  hashes: AddressHashes,
  person: Person,
  until: number,
): Promise<PersonData> {
  const { account, email, ip, session } = person;
  const hashed = hashPerson(hashes, person, until);
  // The address too: a mailbox may have been counted by other rules when a signup was stored.
  const mailboxes = mailboxHashesOf(hashes, email);
  const searches: Omit<ReplaySearch, 'mode' | 'since'>[] = [...mailboxes].map((mailbox) => ({ mailbox }));
  if (ip !== undefined) searches.push({ ip: { first: ip, last: ip } });
  if (session !== undefined) searches.push({ sessionId: session });
  const found = new Map<string, ReplayableAssessment>();
  for (const search of searches)
    for await (const each of readAll(store, account, search))
      if (each.stored.at <= until) found.set(each.stored.requestId, each);
  const data = toData([...found.values()]);
  const entries = await findEntries(store, hashes, account, { people: [hashed], ...data });
  const mailboxAddresses = await findMailboxAddresses(store, account, mailboxes, data.assessments);
  return { ...data, entries, mailboxAddresses, session };
}

/** Hashes of the mailbox and of the address, under all keys. */
export function mailboxHashesOf(hashes: AddressHashes, email: EmailAddress): ReadonlySet<string> {
  return new Set([mailboxOf(email), email.address].flatMap(hashes.hashUnderAllKeys));
}

function toData(found: readonly ReplayableAssessment[]): Pick<PersonData, 'assessments' | 'reports'> {
  const reports = found.filter(({ row }) => row.feedback !== null).length;
  return { assessments: found.map(({ stored }) => stored), reports };
}

/** Finds people by hashes alone: reads all assessments of the account once. */
export async function findHashedPeople(
  store: Store,
  hashes: AddressHashes,
  account: string,
  people: readonly HashedPerson[],
): Promise<PersonData> {
  const isOf = createIsOf(hashes, people);
  const found: ReplayableAssessment[] = [];
  for await (const each of readAll(store, account, {})) {
    const { addressHash, mailboxHash, ip, sessionId, at } = each.stored;
    const isFound = isOf.text(ip, ipText, at) || isOf.text(sessionId, sessionText, at);
    if (isFound || isOf.hash(addressHash, at) || isOf.hash(mailboxHash, at)) found.push(each);
  }
  const data = toData(found);
  const entries = await findEntries(store, hashes, account, { people, ...data });
  const hashed = people.flatMap((person) => person.hashes);
  const lastDay = dayOf(Math.max(...people.map(({ until }) => until)));
  const addresses = await findMailboxAddresses(store, account, hashed, data.assessments);
  const mailboxAddresses = addresses.filter((address) => address.lastDay <= lastDay);
  return { ...data, entries, mailboxAddresses };
}

/** Entries for the address in any spelling that is shown, or from which the person signed up; and for the IP. */
async function findEntries(
  store: Store,
  hashes: AddressHashes,
  account: string,
  { people, assessments }: Pick<Erasure, 'people'> & Pick<PersonData, 'assessments'>,
): Promise<ListEntry[]> {
  return (await store.listEntries(account)).filter(createIsOwnEntry(hashes, people, assessments));
}

function createIsOwnEntry(
  hashes: AddressHashes,
  people: readonly HashedPerson[],
  assessments: PersonData['assessments'],
): (entry: ListEntry) => boolean {
  const isOf = createIsOf(hashes, people);
  const spellings = spellingsOf(isOf, assessments);
  const isShown = (shown: string, at: number) => {
    const email = parseEmail(shown);
    return email !== undefined && isOf.text(mailboxOf(email), (text) => text, at);
  };
  return ({ kind, value, shown, createdAt }) =>
    isHashedKind(kind)
      ? isOf.hash(value, createdAt) || spellings.has(value) || isShown(shown, createdAt)
      : (kind === 'ip' || kind === 'domain_network') &&
        isOf.text(splitOffice(value).network, ipText, createdAt);
}

/** Hashes of the addresses of a person's mailbox. A signup that was found by an IP or a session may have another mailbox. */
function spellingsOf(isOf: IsOf, assessments: PersonData['assessments']): ReadonlySet<string> {
  const ofMailbox = assessments.filter(
    ({ addressHash, mailboxHash, at }) => isOf.hash(mailboxHash, at) || isOf.hash(addressHash, at),
  );
  return new Set(ofMailbox.map(({ addressHash }) => addressHash));
}

type IsOf = ReturnType<typeof createIsOf>;

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
      text !== null && hashes.hashUnderAllKeys(toText(text)).some((found) => hash(found, at)),
  };
}

/** Assessments that were acknowledged before, all of them. */
async function* readAll(store: Store, account: string, search: Omit<ReplaySearch, 'mode' | 'since'>) {
  while ((await store.indexing()) !== null) await sleep(POLL_MS);
  for (const mode of ['live', 'test'] as const) {
    const criteria = { ...search, mode, since: 0 };
    for await (const page of store.replayableAssessments(account, criteria, Number.MAX_SAFE_INTEGER))
      yield* page;
  }
}

/** Counts of what was found or erased. */
export const countsOf = (
  { assessments, reports, entries, mailboxAddresses }: PersonData,
  mailboxes: MailboxKeeping,
) => ({
  assessments: assessments.length,
  feedback: reports,
  list_entries: entries.length,
  ...countMailboxAddresses(mailboxAddresses, mailboxes),
});

/**
 * Also takes the person out of earlier entries of the audit log, and their own domain out of what is remembered of mail hosts.
 * Both come first: if it is interrupted, the next start finds the person by the data that is still stored.
 */
export async function erasePerson(store: Store, hashes: AddressHashes, erasure: Erasure): Promise<void> {
  const { data, account, audit, people, mailboxes } = erasure;
  const { assessments, entries, mailboxAddresses } = data;
  const { domains } = await forgetOwnDomains(store, hashes, erasure);
  const isOwn = (owner: string) => domains.has(owner);
  await forgetCampaignScopes(store, account, assessments, isOwn);
  await forgetAlertValues(store, account, assessments, isOwn);
  await forgetUndoSteps(store, account, {
    requestIds: requestIdsOf(data),
    isOwnEntry: createIsOwnEntry(hashes, people, assessments),
    isOwnScope: createIsOwnScope(assessments, isOwn),
  });
  const redacted = await store.redactAudit(account, createRedaction(tracesOf(hashes, erasure, domains)));
  if (!mailboxes.keepsErasedMailboxes) await eraseMailboxAddresses(store, account, people, assessments);
  await store.anonymizeAssessments(assessments.map((stored) => anonymous(stored, hashes)));
  for (const { id } of entries) await store.eraseListEntry(id, audit('list.remove', 'a person’s entry', ''));
  const counts = [
    `${assessments.length} assessments`,
    `${entries.length} list entries`,
    ...describeMailboxAddresses(mailboxAddresses, mailboxes),
    ...(redacted === 0 ? [] : [`${redacted} entries of this log`]),
  ];
  await store.audit(audit('privacy.erase', 'a person', counts.join(', ')));
}

/** @returns the domains that nobody else in the account used, and how many texts named them */
export async function forgetOwnDomains(
  store: Store,
  hashes: AddressHashes,
  { account, people, data, forgetMemory }: Omit<Erasure, 'audit' | 'mailboxes'>,
): Promise<{ readonly domains: ReadonlySet<string>; readonly texts: number }> {
  const isOf = createIsOf(hashes, people);
  const domains = await findOwnDomains(store, account, domainsOf(data), requestIdsOf(data));
  const isErased = (owner: string) => domains.has(owner) || isOf.text(owner, domainText, ANY_TIME);
  return { domains, texts: await forgetDomainsEverywhere(store, account, isErased, forgetMemory) };
}

const domainsOf = ({ assessments }: PersonData) => assessments.map(({ emailDomain }) => emailDomain);
const requestIdsOf = ({ assessments }: PersonData) => new Set(assessments.map(({ requestId }) => requestId));

function tracesOf(
  hashes: AddressHashes,
  { data, people }: Pick<Erasure, 'data' | 'people'>,
  domains: ReadonlySet<string>,
): PersonTraces {
  const isOf = createIsOf(hashes, people);
  const spellings = spellingsOf(isOf, data.assessments);
  const textsOf = (texts: readonly (string | null | undefined)[]) =>
    new Set(texts.filter((text) => typeof text === 'string' && text !== '') as string[]);
  return {
    isHash: (hash) => isOf.hash(hash, ANY_TIME) || spellings.has(hash),
    isAddress: (address) => isOf.text(address, (text) => text, ANY_TIME),
    isIp: (ip) => isOf.text(ip, ipText, ANY_TIME),
    requestIds: requestIdsOf(data),
    sessions: textsOf([data.session, ...data.assessments.map(({ sessionId }) => sessionId)]),
    ips: textsOf(data.assessments.map(({ ip }) => ip)),
    domains,
  };
}

/** Data that is stored of a person, and the hashes that an erasure of them is noted as. */
export async function identifyPerson(
  store: Store,
  hashes: AddressHashes,
  person: Person,
  until: number,
): Promise<{ readonly data: PersonData; readonly noted: HashedPerson }> {
  const { account, email } = person;
  const data = await findPerson(store, hashes, person, until);
  const domains = [...domainsOf(data), email.domain];
  const own = await findOwnDomains(store, account, domains, requestIdsOf(data));
  return { data, noted: hashPerson(hashes, person, until, own) };
}

/**
 * Erases a person. Notes that first, in the data folder and in the store, so that an interrupted erasure can be applied again.
 * @returns what was erased, and whose erasure to end when nothing of it is left in free places
 */
export async function noteAndErase(
  store: Store,
  hashes: AddressHashes,
  person: Person,
  { dataDir, until, audit, mailboxes, forgetMemory, onNote = () => {} }: ErasureOptions,
): Promise<{ readonly data: PersonData; readonly noted: HashedPerson }> {
  const { data, noted } = await identifyPerson(store, hashes, person, until);
  onNote(noted);
  noteErasure({ dataDir }, noted);
  const { by } = audit('privacy.erase', 'a person', '');
  await store.noteErasure(noted, by);
  const { account } = person;
  await erasePerson(store, hashes, { account, data, people: [noted], audit, mailboxes, forgetMemory });
  return { data, noted };
}

interface ErasureOptions {
  readonly dataDir: string;
  /** Only signups stored until then, milliseconds since the epoch. */
  readonly until: number;
  readonly audit: MakeAuditEntry;
  readonly mailboxes: MailboxKeeping;
  /** Makes this process read again what is stored about mail hosts. Default: it remembers none. */
  readonly forgetMemory?: (() => Promise<void>) | undefined;
  /** Called before it is noted. */
  readonly onNote?: (person: HashedPerson) => void;
}

export interface Erasure extends Pick<ErasureOptions, 'forgetMemory' | 'mailboxes'> {
  readonly account: string;
  readonly data: PersonData;
  readonly people: readonly HashedPerson[];
  /** Its entries do not name the person. */
  readonly audit: MakeAuditEntry;
}

function anonymous(stored: StoredAssessment, hashes: AddressHashes): AnonymousAssessment {
  const { requestId: erasedId, at } = stored;
  const requestId = createMakeId()('req', timeOfId(erasedId) ?? at);
  return { erasedId, replacement: anonymize(stored, { requestId, addressHash: hashes(randomUUID()) }) };
}
