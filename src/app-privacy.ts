/** Finds what is kept of a person in an account, by keyed hashes, and erases it for good. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEmail } from './address/email.ts';
import type { AddressHashes } from './address/fingerprint.ts';
import { parseIp } from './address/ip.ts';
import { mailboxOf } from './address/mailbox.ts';
import { lockDataFolder } from './app-data-folder.ts';
import type { HashedPerson } from './app-erasures.ts';
import type { Config } from './config.ts';
import type { ListEntry } from './model/list-entry.ts';
import type { EmailAddress } from './model/signup-attempt.ts';
import type { AuditEntry } from './store/dashboard-store.ts';
import { openConnection } from './store/sqlite/connection.ts';
import type { Store, StoredAssessment } from './store/store.ts';

export interface PersonData {
  readonly assessments: readonly StoredAssessment[];
  readonly entries: readonly ListEntry[];
}

const IDS_AT_ONCE = 100;
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

/** @param ip canonical */
export function hashPerson(
  hashes: AddressHashes,
  person: { account: string; email: EmailAddress; ip?: string | undefined; session?: string | undefined },
  until: number,
): HashedPerson {
  const { account, email, ip, session } = person;
  const texts = [email.address, mailboxOf(email)];
  if (ip !== undefined) texts.push(ipText(ip));
  if (session !== undefined) texts.push(sessionText(session));
  return { account, hashes: texts.flatMap(hashes.all), until };
}

// Neither can be the text of an address.
const ipText = (ip: string) => `ip ${ip}`;
const sessionText = (session: string) => `session ${session}`;

/** Reads all assessments of the account. */
export async function findPerson(
  store: Store,
  hashes: AddressHashes,
  person: HashedPerson,
): Promise<PersonData> {
  const { account, until } = person;
  const wanted = new Set(person.hashes);
  const isOf = (text: string | null, toText: (text: string) => string) =>
    text !== null && hashes.all(toText(text)).some((hash) => wanted.has(hash));
  while ((await store.indexing()) !== null) await sleep(POLL_MS);
  const assessments: StoredAssessment[] = [];
  for (const mode of ['live', 'test'] as const) {
    const all = store.replayableAssessments(account, { mode, since: 0 }, Number.MAX_SAFE_INTEGER);
    for await (const page of all)
      for (const { stored } of page) {
        const { addressHash, mailboxHash, ip, sessionId } = stored;
        const isFound =
          wanted.has(addressHash) ||
          wanted.has(mailboxHash) ||
          isOf(ip, ipText) ||
          isOf(sessionId, sessionText);
        if (isFound && stored.at <= until) assessments.push(stored);
      }
  }
  const entries = (await store.listEntries(account)).filter(
    ({ kind, value, createdAt }) =>
      createdAt <= until && (kind === 'address' ? wanted.has(value) : kind === 'ip' && isOf(value, ipText)),
  );
  return { assessments, entries };
}

/** @param audit makes entries that do not name the person */
export async function erasePerson(
  store: Store,
  { assessments, entries }: PersonData,
  audit: (action: string, target: string, detail: string) => AuditEntry,
): Promise<void> {
  const ids = assessments.map(({ requestId }) => requestId);
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE)
    await store.eraseAssessments(ids.slice(from, from + IDS_AT_ONCE));
  for (const { id } of entries) await store.removeListEntry(id, audit('list.remove', 'a person’s entry', ''));
  const detail = `${ids.length} assessments, ${entries.length} list entries`;
  await store.audit(audit('privacy.erase', 'a person', detail));
}

/**
 * Runs `work` while no service uses the embedded database, then writes the database again, so that no freed page keeps a
 * text that was erased. @throws when a service uses it
 */
export async function whileStopped<T>(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  work: () => Promise<T>,
): Promise<T> {
  if (databaseUrl !== null) return work();
  const folder = await lockDataFolder(dataDir, Date.now, 'erasure');
  try {
    const result = await work();
    const connection = openConnection(join(dataDir, 'gatehouse.db'));
    connection.exec('VACUUM');
    connection.pragma('wal_checkpoint(TRUNCATE)');
    connection.close();
    return result;
  } finally {
    folder.release();
  }
}
