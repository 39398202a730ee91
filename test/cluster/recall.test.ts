/** Recall of nodes on one PostgreSQL. */
import { describeLiveRecall } from '../../src/signup/recall/live-recall.suite.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres.ts';
import { newMigratedDatabase } from '../support/shared-servers.ts';

describeLiveRecall('PostgreSQL', async () => {
  const url = await newMigratedDatabase();
  return { open: () => openPostgresStore({ url }), remove: async () => {} };
});
