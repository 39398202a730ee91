/** gatehouse intel rollback */
import type { Command } from 'commander';
import type { FeedStatus } from '../model/feed-status.ts';
import { findFeed, printPublication, recordAct, showStatus, withFeeds } from './intel-open-feeds.ts';
import { command, printOne } from './output.ts';

export function intelRollback(): Command {
  return command('rollback', 'Return a feed to its previous good version, until its publisher has a new one.')
    .argument('<id>', 'the feed')
    .action((id: string, options: { json?: true }) =>
      withFeeds(async ({ feeds, admin, status }) => {
        const feed = findFeed(feeds, id);
        await recordAct('rollback', feed.id);
        const { publication } = await admin.rollBack(feed.id);
        printPublication(publication);
        const now = (await status()).find(({ id }) => id === feed.id) as FeedStatus;
        const { last_refusal, ...row } = showStatus(now, Date.now());
        printOne(row, options);
      }),
    );
}
