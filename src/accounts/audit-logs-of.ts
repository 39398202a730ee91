/** Decides whose audit log tells what was done about somebody's own sign-in: of each account they belong to, else the installation's. */
import type { PeopleStore, StoredUser } from '../store/dashboard-store.ts';

export async function auditLogsOf(
  store: Pick<PeopleStore, 'memberships'>,
  user: StoredUser,
): Promise<readonly (string | null)[]> {
  const memberships = user.operator ? [] : await store.memberships({ userId: user.id });
  return memberships.length === 0 ? [null] : memberships.map(({ accountId }) => accountId);
}
