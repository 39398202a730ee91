/** Decides who of an account may be sent mail: people who belong to it, and whose address an operator confirmed. */
import type { PeopleStore } from '../store/dashboard-store.ts';

export type Recipient = 'known' | 'unconfirmed' | 'stranger';

/** @param address in lower case */
export async function recipientOf(
  store: Pick<PeopleStore, 'usersOf' | 'memberships'>,
  accountId: string,
  address: string,
): Promise<Recipient> {
  let found: Recipient = 'stranger';
  for (const { id: userId, operator, verified } of await store.usersOf(address)) {
    const belongs = operator || (await store.memberships({ userId, accountId })).length > 0;
    if (belongs && verified) return 'known';
    if (belongs) found = 'unconfirmed';
  }
  return found;
}
