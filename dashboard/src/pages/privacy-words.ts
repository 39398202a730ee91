/** Says how much is kept of a person. */
import type { PersonCounts } from '../../../src/contract/dashboard-privacy.ts';
import { pluralize } from '../ui/format.ts';

/** `3 signups, 1 report and 2 list entries`, and addresses of their mailbox where an erasure removes some. */
export function countWords(counts: PersonCounts): string {
  const signups = pluralize(counts.assessments, 'signup');
  const reports = pluralize(counts.feedback, 'report');
  const entries = pluralize(counts.list_entries, 'list entry', 'list entries');
  const addresses = counts.mailbox_addresses;
  if (addresses === 0 || counts.mailbox_addresses_stay_until !== null)
    return `${signups}, ${reports} and ${entries}`;
  return `${signups}, ${reports}, ${entries} and ${pluralize(addresses, 'mailbox hash', 'mailbox hashes')}`;
}

/** Sentence on what stays although the person is erased; empty where nothing does. */
export function stayingWords({
  mailbox_addresses: count,
  mailbox_addresses_stay_until: until,
}: PersonCounts): string {
  if (until === null) return '';
  const hashes = pluralize(count, 'mailbox hash stays', 'mailbox hashes stay');
  return `${hashes} until ${until}, to see a banned person who comes back: your operator decided so.`;
}

export function isNothing({ assessments, list_entries, mailbox_addresses }: PersonCounts): boolean {
  return assessments + list_entries + mailbox_addresses === 0;
}
