/** Events of nodes on one PostgreSQL. */
import { describeDeliveries } from '../../src/events/deliver.suite.ts';
import { openSharedSignups } from '../../src/store/postgres/committed-signups.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres.ts';
import { newMigratedDatabase } from '../support/shared-servers.ts';

describeDeliveries('PostgreSQL', async () => {
  const url = await newMigratedDatabase();
  return {
    open: () => openPostgresStore({ url }),
    follow: async (since, make) => openSharedSignups({ url, since, make, follower: 'events' }),
    remove: async () => {},
  };
});
