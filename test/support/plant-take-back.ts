/** A connection to a provider, and a job that held accounts there. */
import type { Store } from '../../src/store/store.ts';
import { aConnection, accountsToHold, aTakeBackJob } from './a-take-back.ts';

export async function plantTakeBack(
  store: Store,
  accountId: string,
  name = 'shop',
): Promise<{ readonly connection: string; readonly job: string }> {
  const connection = aConnection(accountId, { name, url: 'https://127.0.0.1:9' });
  await store.saveConnection(connection);
  const createdAt = Date.now();
  const job = aTakeBackJob(accountId, { connectionId: connection.id, name, state: 'done', createdAt });
  const accounts = accountsToHold(2, createdAt);
  await store.saveTakeBack(
    job,
    accounts.map((account) => ({ ...account, userId: `${name} ${account.userId}`, state: 'held' })),
  );
  return { connection: connection.id, job: job.id };
}
