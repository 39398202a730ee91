/** Finds a user by email or id. */
import type { PeopleStore, StoredUser } from '../store/dashboard-store.ts';

/** @throws when there is none, or several claim the address */
export async function findPerson(store: Pick<PeopleStore, 'users'>, text: string): Promise<StoredUser> {
  const wanted = text.trim();
  const found = (await store.users()).filter(
    ({ id, email }) => id === wanted || email === wanted.toLowerCase(),
  );
  if (found.length > 1)
    throw new Error(
      `several users claim ${wanted}: ${found.map(({ id }) => id).join(', ')}; use the user’s id (\`gatehouse user list\`)`,
    );
  if (found[0] === undefined) throw new Error(`no user ${text}; \`gatehouse user list\` shows them`);
  return found[0];
}
