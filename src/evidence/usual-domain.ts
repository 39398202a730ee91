/** Decides what it says for a domain that ordinary people of it have come to the account for weeks. */
import type { EmailEvidence } from '../model/evidence.ts';
import type { UsualDomain } from '../model/usual-domain.ts';

const DAY_MS = 86_400_000;
/** Whole days of an age, and a registry's time zone. */
const TOLERANCE_DAYS = 2;

/** Whether people of one organisation share the domain, and nothing is said against it. */
export function mayBeUsual(email: EmailEvidence): boolean {
  if (email.consumer || email.relay || email.strangers || email.sharedSuffix !== '') return false;
  if (email.disposable || email.disposableHost.name !== '' || email.spam) return false;
  return email.providerMeant === '';
}

/** Adds who came before. @param at milliseconds since the epoch */
export function withUsual(email: EmailEvidence, usual: UsualDomain | undefined, at: number): EmailEvidence {
  if (usual === undefined || !mayBeUsual(email)) return email;
  const { days } = email.age;
  // It was registered anew since then, perhaps by other people.
  if (days >= 0 && (days + TOLERANCE_DAYS) * DAY_MS < at - usual.since) return email;
  return {
    ...email,
    standing: email.standing === '' ? 'usual' : email.standing,
    usualPeople: usual.people,
    usualSince: usual.since,
  };
}
