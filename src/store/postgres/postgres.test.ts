import { inject } from 'vitest';
import { createDatabase } from '../../../test/support/postgres-server.ts';
import { describeStore } from '../store.suite.ts';
import type { Store } from '../store.ts';
import { openPostgresStore } from './postgres.ts';

describeStore(
  'PostgreSQL',
  async () => {
    const url = await createDatabase(inject('postgresUrl'));
    // The log is not there yet.
    return {
      open: async () => (await openPostgresStore({ url })) as unknown as Store,
      remove: async () => {},
    };
  },
  { log: false },
);
