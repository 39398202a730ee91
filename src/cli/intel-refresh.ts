/** gatehouse intel refresh */
import type { Command } from 'commander';
import { findFeed, printPublication, printReports, recordAct, withFeeds } from './intel-open-feeds.ts';
import { command } from './output.ts';

interface Options {
  readonly anySize?: true;
  readonly json?: true;
}

export function intelRefresh(): Command {
  return command('refresh', 'Fetch feeds now: the named ones, or all that are on.')
    .argument('[id...]', 'feeds')
    .option('--any-size', 'accept versions that are much larger or smaller than the last good one')
    .action((ids: readonly string[], options: Options) =>
      withFeeds(async ({ config, feeds, admin }) => {
        const named = ids.map((id) => findFeed(feeds, id));
        if (!config.feeds) {
          throw new Error('GATEHOUSE_FEEDS is off; `gatehouse intel import` imports feeds without fetching');
        }
        const chosen = named.length > 0 ? named : feeds.filter(({ enabled }) => enabled);
        const anySize = options.anySize === true;
        await recordAct('refresh', chosen.map(({ id }) => id).join(', '), anySize ? 'any size' : '');
        const outcome = await admin.refresh(
          chosen.map(({ id }) => id),
          anySize,
        );
        printPublication(outcome.publication);
        printReports(outcome, options, 'No feed is on.');
      }),
    );
}
