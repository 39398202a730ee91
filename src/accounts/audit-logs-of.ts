/** Decides which audit logs record changes of a user's sign-in: those of the user's accounts, else the installation's (`null`). */
import type { PeopleStore, StoredUser } from '../store/dashboard-store.ts';

export async function auditLogsOf(
  store: Pick<PeopleStore, 'memberships'>,
  user: StoredUser,
): Promise<readonly (string | null)[]> {
  const memberships = user.operator ? [] : await store.memberships({ userId: user.id });
  return memberships.length === 0 ? [null] : memberships.map(({ accountId }) => accountId);
}
