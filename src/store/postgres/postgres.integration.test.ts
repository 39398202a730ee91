import { newMigratedDatabase } from '../../../test/support/shared-servers.ts';
import { describeStore } from '../store.suite.ts';
import { openSharedSignups } from './committed-signups.ts';
import { openPostgresStore } from './postgres.ts';

describeStore('PostgreSQL', 1, async () => {
  const url = await newMigratedDatabase();
  return {
    open: () => openPostgresStore({ url }),
    follow: (options) => openSharedSignups({ ...options, url }),
    remove: async () => {},
  };
});
