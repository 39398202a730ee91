/** Changes the directory only while it says what the change was decided on; otherwise the change is decided again. */
import type { AccountStore, DirectoryChangeStore } from '../store/store.ts';
import type { Directory } from './directory.ts';
import { retryStale } from './retry-stale.ts';

export interface ChangeDirectoryOptions {
  readonly store: Pick<AccountStore, 'ifDirectoryIs'>;
  readonly directory: Pick<Directory, 'refresh'>;
}

/**
 * @param decide reads the directory, which is up to date, and makes at most one change with the store that it gets. Called
 * again if anything in the directory changed meanwhile
 * @returns what `decide` does, once the directory knows of the change
 * @throws what `decide` throws; Problem `unavailable` if others change the directory all the time
 */
export async function changeDirectory<T>(
  { store, directory }: ChangeDirectoryOptions,
  decide: (store: DirectoryChangeStore) => Promise<T>,
): Promise<T> {
  const result = await retryStale(async () => decide(store.ifDirectoryIs(await directory.refresh())));
  await directory.refresh();
  return result;
}
