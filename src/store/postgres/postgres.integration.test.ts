import { newDatabase } from '../../../test/support/shared-servers.ts';
import { describeStore } from '../store.suite.ts';
import { openPostgresStore } from './postgres.ts';

describeStore('PostgreSQL', 1, async () => {
  const url = await newDatabase();
  return { open: () => openPostgresStore({ url }), remove: async () => {} };
});
