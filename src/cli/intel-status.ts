/** gatehouse intel status */
import type { Command } from 'commander';
import { showStatus, withFeeds } from './intel-open-feeds.ts';
import { command, printJson, printLine, printMany, wantsJson } from './output.ts';

export function intelStatus(): Command {
  return command('status', 'Show each feed: version, age, entries, and the last problem.').action(
    (options: { json?: true }) =>
      withFeeds(async ({ config, status }) => {
        const now = Date.now();
        const shown = (await status()).map((feed) => showStatus(feed, now));
        if (wantsJson(options)) return printJson(shown);
        const rows = shown.map(({ id, state, version, entries, age_seconds }) => ({
          id,
          state,
          version,
          entries,
          age: age_seconds === null ? null : `${(age_seconds / 3600).toFixed(1)} h`,
        }));
        printMany(rows, options, 'There are no feeds.');
        const remarks = shown.flatMap(({ id, last_refusal, last_failure, held }) => [
          ...(last_failure === null ? [] : [`${id} was not fetched: ${last_failure}`]),
          ...(last_refusal === null ? [] : [`${id} was refused at ${last_refusal.at}: ${last_refusal.why}`]),
          ...(held ? [`${id} was rolled back: it waits for a new version`] : []),
        ]);
        if (remarks.length > 0) printLine(`\n${remarks.join('\n')}`);
        if (!config.feeds) printLine('\nGATEHOUSE_FEEDS is off: nothing is fetched.');
      }),
  );
}
