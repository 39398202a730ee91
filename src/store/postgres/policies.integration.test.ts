import { afterEach, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/support/an-account.ts';
import { newMigratedDatabase } from '../../../test/support/shared-servers.ts';
import { createPolicyStore } from '../policies.ts';
import type { Store } from '../store.ts';
import { openDatabase, type PooledDatabase } from './database.ts';
import { openPostgresStore } from './postgres.ts';
import { createSqlDatabase } from './sql-database.ts';

const ACCOUNT = anAccount({ id: 'acc_1', name: 'Fernlight' });
const POLICY = { accountId: ACCOUNT.id, weights: { tor: 12.5 }, createdAt: 0, author: 'jo', note: '' };

describe('a policy', () => {
  const open: (Pick<Store, 'close'> | PooledDatabase)[] = [];
  afterEach(async () => {
    for (const connections of open.splice(0)) await connections.close();
  });

  it('is saved once if the answer to its commit is lost', async () => {
    const url = await newMigratedDatabase();
    const store = await openPostgresStore({ url });
    const database = openDatabase({ url, connections: 1 });
    open.push(store, database);
    await store.saveAccount(ACCOUNT);
    let commits = 0;
    const { savePolicy } = createPolicyStore(
      createSqlDatabase({
        ...database,
        async transaction(work) {
          const result = await database.transaction(work);
          commits += 1;
          if (commits === 1) throw new Error('Query read timeout');
          return result;
        },
      }),
    );
    const entry = { at: 0, by: 'jo', accountId: ACCOUNT.id, action: 'policy.save', detail: '' };
    const saving = savePolicy(POLICY, (target) => ({ ...entry, target }));
    await expect(saving).rejects.toThrow('Query read timeout');
    expect(await store.policies(ACCOUNT.id)).toEqual([{ ...POLICY, version: 'custom-1' }]);
    expect((await store.auditEntries(ACCOUNT.id, null, 10)).entries).toHaveLength(1);
  });
});
