/** Review of feeds by nodes on one PostgreSQL. */
import { describeFeedReview } from '../../src/signup/recall/feed-review.suite.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres.ts';
import { newMigratedDatabase } from '../support/shared-servers.ts';

describeFeedReview('PostgreSQL', async () => {
  const url = await newMigratedDatabase();
  return { open: () => openPostgresStore({ url }), remove: async () => {} };
});
