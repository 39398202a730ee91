/** Finds a key of an account, and tells nobody whether another account has it. */
import type { Directory } from '../accounts/directory.ts';
import { Problem } from '../contract/problem.ts';
import type { Key } from '../store/store.ts';

/** @throws Problem `not_found` */
export function findKey(
  directory: Pick<Directory, 'keysOf'>,
  accountId: string,
  keyId: string | undefined,
): Key {
  const key = directory.keysOf(accountId).find(({ id }) => id === keyId);
  if (key !== undefined) return key;
  throw new Problem('not_found', undefined, {
    message: 'This account has no key with this id.',
    resolution: 'Look at the keys of the account.',
  });
}
