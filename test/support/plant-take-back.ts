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

/** A job that runs, and that no service comes to: another process holds it for an hour. Services run already. */
export async function plantRunningTakeBack(
  store: Store,
  accountId: string,
): Promise<{ readonly connection: string; readonly job: string }> {
  for (;;) {
    const connection = aConnection(accountId, { name: 'shop', url: 'https://127.0.0.1:9' });
    await store.saveConnection(connection);
    const now = Date.now();
    const job = aTakeBackJob(accountId, { connectionId: connection.id, state: 'running', createdAt: now });
    await store.saveTakeBack(job, accountsToHold(2, now));
    // A service may have been faster.
    if ((await store.claimTakeBack(now, now + 3_600_000))?.id === job.id)
      return { connection: connection.id, job: job.id };
    await store.removeConnection(accountId, connection.id);
  }
}
