/** Makes what evidence is gathered about from a signup attempt: its keys for velocity are hashed here. */
import type { Fingerprint } from '../address/fingerprint.ts';
import { networkOf } from '../address/ip.ts';
import { mailboxOf } from '../address/mailbox.ts';
import type { Subject } from '../evidence/gather.ts';
import type { SignupAttempt } from '../model/signup-attempt.ts';

/** @param olderHashes set as long as attempts are counted that were hashed with keys from before a rotation */
export function toSubject(
  { email, ip, broughtBy }: SignupAttempt,
  event: Pick<Subject, 'id' | 'account' | 'at'>,
  fingerprint: Fingerprint,
  olderHashes?: (text: string) => readonly string[],
): Subject {
  const { id, account, at } = event;
  const mailbox = mailboxOf(email);
  const addressHash = fingerprint(email.address);
  return {
    id,
    account,
    at,
    network: ip === null ? null : networkOf(ip),
    domain: email.domain,
    addressHash,
    mailbox: mailbox === email.address ? addressHash : fingerprint(mailbox),
    broughtBy: broughtBy ?? undefined,
    olderMailboxes: olderHashes?.(mailbox),
    email,
    ip,
    spelling: mailbox === email.address ? 'canonical' : spellingOf(email.local, mailbox),
  };
}

/** Few people write more into the name of their mailbox. */
const MAX_DIVIDERS = 2;
const DIVIDERS = /[._-]/g;

function spellingOf(local: string, mailbox: string): Subject['spelling'] {
  const canonical = mailbox.slice(0, mailbox.lastIndexOf('@'));
  if (local === canonical) return 'canonical';
  const own = local.replace(DIVIDERS, '');
  const isOwners = own === canonical.replace(DIVIDERS, '') && local.length - own.length <= MAX_DIVIDERS;
  return isOwners ? 'untagged' : 'tagged';
}
