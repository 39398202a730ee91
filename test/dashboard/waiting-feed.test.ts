/** A feed that changes many verdicts, on a service with SQLite. */
import { describeWaitingFeed } from '../support/waiting-feed.suite.ts';

describeWaitingFeed('with SQLite');
