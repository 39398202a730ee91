/** Erases again, in a database that was restored, who was erased since; and ends what an earlier process did not come to the end of. */
import type { Logger } from 'pino';
import type { AddressHashes } from '../address/fingerprint.ts';
import type { HashedPerson } from '../model/hashed-person.ts';
import type { MakeAuditEntry } from '../store/audit-store.ts';
import type { NotedErasure } from '../store/erasure-store.ts';
import type { Store } from '../store/store.ts';
import { noteErasure, readOwnErasures } from './erasure-list.ts';
import { erasePerson, findHashedPeople, forgetOwnDomains, type PersonData } from './privacy.ts';
import type { MailboxKeeping } from './privacy-mailboxes.ts';

export interface ApplyErasuresOptions {
  readonly dataDir: string;
  readonly store: Store;
  readonly hashes: AddressHashes;
  readonly clock: () => number;
  readonly auditOf: (account: string) => MakeAuditEntry;
  readonly mailboxes: MailboxKeeping;
  /** Called before anything is erased, where something is. */
  readonly onBegin?: (people: number) => void;
  /** Called when all is erased, but free places may keep texts: the next start goes on. By default that is thrown. */
  readonly onUnwritten?: (error: Error) => void;
}

export interface AppliedErasures {
  readonly people: number;
  readonly assessments: number;
  readonly list_entries: number;
}

/**
 * Applies erasures that are in the list of the data folder but not in the database, and erasures that were begun but not ended.
 * Afterwards both have all. Reads all assessments of the accounts.
 * @throws in one line when the list in the data folder is none
 */
export async function applyErasures(options: ApplyErasuresOptions): Promise<AppliedErasures> {
  const { store, hashes, clock, auditOf, mailboxes, onBegin = () => {} } = options;
  const before = await store.erasures();
  await exchange(options, before);
  const pending = (await store.erasures()).filter(({ appliedAt }) => appliedAt === null);
  let [assessments, entries, others] = [0, 0, 0];
  // An interrupted erasure may have erased rows, but not their index.
  const isInterrupted = before.some(({ appliedAt }) => appliedAt === null);
  if (pending.length > 0) {
    onBegin(pending.length);
    if (isInterrupted) await store.rebuildIndex();
    for (const { account, by, people } of groupsOf(pending)) {
      const data = await findHashedPeople(store, hashes, account, people);
      // One that was interrupted gets its entry in the audit log, also if nothing else was left to do.
      if (isNothing(data, mailboxes) && !isInterrupted) {
        others += (await forgetOwnDomains(store, hashes, { account, data, people })).texts;
        continue;
      }
      const audit = auditBy(by, auditOf(account));
      await erasePerson(store, hashes, { account, data, people, audit, mailboxes });
      assessments += data.assessments.length;
      entries += data.entries.length;
      others += data.mailboxAddresses.length;
    }
    const isUnchanged = assessments + entries + others === 0 && !isInterrupted;
    if (isUnchanged || (await rewritten(options)))
      for (const { person } of pending) await store.endErasure(person, clock());
  }
  return { people: pending.length, assessments, list_entries: entries };
}

export interface ErasuresAtStartOptions {
  readonly config: MailboxKeeping & { readonly dataDir: string };
  readonly store: Store;
  readonly addressHashes: AddressHashes;
  readonly clocks: { readonly wall: () => number };
  readonly log: Pick<Logger, 'error' | 'warn'>;
}

/** Does so at the start of the service, which goes on if freed places could not be overwritten. */
export function applyErasuresAtStart(options: ErasuresAtStartOptions): Promise<AppliedErasures> {
  const { config, store, addressHashes: hashes, clocks, log } = options;
  return applyErasures({
    dataDir: config.dataDir,
    store,
    hashes,
    clock: clocks.wall,
    mailboxes: config,
    auditOf: (accountId) => (action, target, detail) => ({
      at: clocks.wall(),
      by: 'start of the service',
      accountId,
      action,
      target,
      detail,
    }),
    onUnwritten: (error) => log.error({ err: error }, 'what was erased could not be overwritten'),
    onBegin: (people) => log.warn({ people }, 'erasing again who was erased after this data was stored'),
  });
}

function isNothing(
  { assessments, entries, mailboxAddresses }: PersonData,
  { keepsErasedMailboxes }: MailboxKeeping,
): boolean {
  const isKept = keepsErasedMailboxes || mailboxAddresses.length === 0;
  return assessments.length + entries.length === 0 && isKept;
}

async function rewritten({ store, onUnwritten }: ApplyErasuresOptions): Promise<boolean> {
  try {
    await store.rewriteAll();
    return true;
  } catch (error) {
    if (onUnwritten === undefined) throw error;
    onUnwritten(error as Error);
    return false;
  }
}

/** Synchronises the erasures of the database and of the list in the data folder. */
async function exchange(
  { dataDir, store }: ApplyErasuresOptions,
  noted: readonly NotedErasure[],
): Promise<void> {
  const listed = readOwnErasures({ dataDir });
  const [inFile, inStore] = [new Set(listed.map(nameOf)), new Set(noted.map(({ person }) => nameOf(person)))];
  for (const person of listed) if (!inStore.has(nameOf(person))) await store.noteErasure(person, null);
  for (const { person } of noted) if (!inFile.has(nameOf(person))) noteErasure({ dataDir }, person);
}

const nameOf = ({ account, until, hashes }: HashedPerson) => `${account} ${until} ${hashes.join(' ')}`;

/** Entries that name who asked for the erasure, also where another process ends it. */
function auditBy(by: string | null, audit: MakeAuditEntry): MakeAuditEntry {
  if (by === null) return audit;
  return (action, target, detail) => ({ ...audit(action, target, detail), by });
}

interface ErasureGroup {
  readonly account: string;
  readonly by: string | null;
  readonly people: HashedPerson[];
}

/** Groups the erasures that one user asked for in one account: the audit log has them as one entry. */
function groupsOf(pending: readonly NotedErasure[]): ErasureGroup[] {
  const groups = new Map<string, ErasureGroup>();
  for (const { person, by } of pending) {
    const { account } = person;
    const name = JSON.stringify([account, by]);
    const group = groups.get(name) ?? { account, by, people: [] };
    group.people.push(person);
    groups.set(name, group);
  }
  return [...groups.values()];
}
