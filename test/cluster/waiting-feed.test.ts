/** A feed that changes many verdicts, on two nodes with one PostgreSQL: one decides, and both follow. */
import { newMigratedDatabase } from '../support/shared-servers.ts';
import { describeWaitingFeed } from '../support/waiting-feed.suite.ts';

describeWaitingFeed('on two nodes with PostgreSQL', newMigratedDatabase);
