/** Decides what becomes of the addresses of a person's mailbox that are kept for months: an erasure removes them, or they stay until their days are over. */
import type { PersonCounts } from '../contract/dashboard-privacy.ts';
import type { HashedPerson } from '../model/hashed-person.ts';
import { dayOf, type MailboxAddress } from '../model/mailbox-address.ts';
import type { MailboxStore } from '../store/mailbox-store.ts';
import type { StoredAssessment } from '../store/stored-assessment.ts';

/** The settings about them. */
export interface MailboxKeeping {
  /** Whether they stay when the person is erased. */
  readonly keepsErasedMailboxes: boolean;
  /** Days that they are kept after their last use. */
  readonly retentionMailboxDays: number;
}

const DAY_MS = 86_400_000;

const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Addresses of the people's mailboxes, and of those of their signups: who is found by an IP may have another one. */
export function findMailboxAddresses(
  store: Pick<MailboxStore, 'mailboxAddresses'>,
  account: string,
  hashes: Iterable<string>,
  assessments: readonly Pick<StoredAssessment, 'mailboxHash'>[],
): Promise<readonly MailboxAddress[]> {
  return store.mailboxAddresses(account, allHashes(hashes, assessments));
}

export async function eraseMailboxAddresses(
  store: Pick<MailboxStore, 'removeMailboxAddresses'>,
  account: string,
  people: readonly HashedPerson[],
  assessments: readonly Pick<StoredAssessment, 'mailboxHash'>[],
): Promise<void> {
  for (const { hashes, until } of people)
    await store.removeMailboxAddresses(account, allHashes(hashes, assessments), dayOf(until));
}

function allHashes(
  hashes: Iterable<string>,
  assessments: readonly Pick<StoredAssessment, 'mailboxHash'>[],
): string[] {
  return [...new Set([...hashes, ...assessments.map(({ mailboxHash }) => mailboxHash)])];
}

/** Number of them, and the day on which the last one goes where an erasure lets them stay. */
export function countMailboxAddresses(
  addresses: readonly MailboxAddress[],
  { keepsErasedMailboxes, retentionMailboxDays: days }: MailboxKeeping,
): Pick<PersonCounts, 'mailbox_addresses' | 'mailbox_addresses_stay_until'> {
  const staysUntil =
    !keepsErasedMailboxes || addresses.length === 0
      ? null
      : dateOf(Math.max(...addresses.map(({ lastDay }) => lastDay)) + days);
  return { mailbox_addresses: addresses.length, mailbox_addresses_stay_until: staysUntil };
}

/** Words of the audit log: `2 mailbox addresses`, `2 mailbox addresses that stay until 2027-02-27`. */
export function describeMailboxAddresses(
  addresses: readonly MailboxAddress[],
  keeping: MailboxKeeping,
): string[] {
  if (addresses.length === 0) return [];
  const { mailbox_addresses_stay_until: until } = countMailboxAddresses(addresses, keeping);
  return [`${addresses.length} mailbox addresses${until === null ? '' : ` that stay until ${until}`}`];
}

/** Part of the export for the person who asks for their data. */
export function exportMailboxAddress({ lastDay, isBlocked, isGood }: MailboxAddress) {
  return { last_used: dateOf(lastDay), only_blocked: isBlocked, reported_good: isGood };
}
