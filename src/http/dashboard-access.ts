/** Decides what a user may see of an account, and as what. */
import type { Directory } from '../accounts/directory.ts';
import type { Role } from '../contract/dashboard-account.ts';
import { Problem } from '../contract/problem.ts';
import type { PeopleStore, StoredUser } from '../store/dashboard-store.ts';
import type { Account } from '../store/store.ts';

export interface Access {
  /**
   * Read for every call, so that a removed member loses access at once.
   * @throws Problem `not_found` where there is no account or the user is not a member; `forbidden` where the role is too low
   */
  enter(user: StoredUser, accountId: string, minRole: Role): Promise<{ account: Account; role: Role }>;
}

export interface AccessOptions {
  readonly store: Pick<PeopleStore, 'memberships'>;
  readonly directory: Pick<Directory, 'account'>;
}

export function createAccess({ store, directory }: AccessOptions): Access {
  async function roleIn(user: StoredUser, accountId: string): Promise<Role | undefined> {
    if (user.operator) return 'owner';
    return (await store.memberships({ userId: user.id, accountId }))[0]?.role;
  }

  return {
    async enter(user, accountId, minRole) {
      const role = await roleIn(user, accountId);
      const account = directory.account(accountId);
      if (role === undefined || account === undefined) throw new Problem('not_found');
      if (minRole === 'owner' && role !== 'owner') throw new Problem('forbidden');
      return { account, role };
    },
  };
}
