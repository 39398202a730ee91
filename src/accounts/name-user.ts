/** Names a user for people, and marks an address that is not verified. */
import type { StoredUser } from '../store/dashboard-store.ts';

type Named = Pick<StoredUser, 'email' | 'verified' | 'invitedBy' | 'homeAccount'>;

/** For people of any account. */
export function nameUser({ email, verified }: Pick<Named, 'email' | 'verified'>): string {
  return verified ? email : `${email} (not verified)`;
}

/**
 * For the audit log of an account, or of the installation where that is `null`: with the inviter, whom other accounts
 * must not see.
 */
export function nameActor(user: Named, accountId: string | null): string {
  const { email, verified, invitedBy, homeAccount } = user;
  if (verified || invitedBy === null || (accountId !== null && accountId !== homeAccount))
    return nameUser(user);
  return `${email} (not verified, invited by ${invitedBy})`;
}
