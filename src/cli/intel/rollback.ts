/** gatehouse intel rollback */
import type { Command } from 'commander';
import { command, printOne } from '../output.ts';
import { findFeed, openFeeds, showStatus, tellPublication } from './open-feeds.ts';

export function intelRollback(): Command {
  return command('rollback', 'Return a feed to its previous good version, until its publisher has another.')
    .argument('<id>', 'the feed')
    .action(async (id: string, options: { json?: true }) => {
      const { feeds, keeper } = openFeeds();
      const status = await keeper.rollBack(findFeed(feeds, id));
      tellPublication(await keeper.publish());
      const { last_refusal, ...row } = showStatus(status, Date.now());
      printOne(row, options);
    });
}
