/** GET /dashboard/api/session: the signed-in user and their accounts. */
import type { Directory } from '../accounts/directory.ts';
import type { Session } from '../contract/dashboard-account.ts';
import type { DistrustedSource } from '../contract/distrusted-source.ts';
import type { PeopleStore, StoredUser } from '../store/dashboard-store.ts';
import type { DashboardRoutes } from './dashboard-route.ts';

export interface SessionOptions {
  readonly store: Pick<PeopleStore, 'memberships'>;
  readonly directory: Pick<Directory, 'account' | 'accounts'>;
  readonly distrusted: () => readonly DistrustedSource[];
}

export function sessionRoute(routes: DashboardRoutes, options: SessionOptions): void {
  routes.forUser({
    method: 'GET',
    path: '/session',
    handle: ({ user }) => describeSession(user, options),
  });
}

export async function describeSession(user: StoredUser, options: SessionOptions): Promise<Session> {
  return {
    user: {
      id: user.id,
      email: user.email,
      name: user.name,
      operator: user.operator,
      two_factor: user.twoFactor,
    },
    accounts: await accountsOf(user, options),
    distrusted: options.distrusted(),
  };
}

async function accountsOf(
  user: StoredUser,
  { store, directory }: SessionOptions,
): Promise<Session['accounts']> {
  if (user.operator) {
    return directory.accounts().map(({ id, name, plan }) => ({ id, name, plan, role: 'owner' as const }));
  }
  const memberships = await store.memberships({ userId: user.id });
  return memberships.flatMap(({ accountId, role }) => {
    const account = directory.account(accountId);
    return account === undefined ? [] : [{ id: account.id, name: account.name, plan: account.plan, role }];
  });
}
