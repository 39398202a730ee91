/** gatehouse intel status */
import type { Command } from 'commander';
import { command, printJson, printLine, printMany, wantsJson } from '../output.ts';
import { showStatus, withFeeds } from './open-feeds.ts';

export function intelStatus(): Command {
  return command('status', 'Show each feed: version, age, entries, and what last went wrong.').action(
    (options: { json?: true }) =>
      withFeeds(async ({ config, desk }) => {
        const now = Date.now();
        const shown = (await desk.status()).map((status) => showStatus(status, now));
        if (wantsJson(options)) return printJson(shown);
        const rows = shown.map(({ id, state, version, entries, age_seconds }) => ({
          id,
          state,
          version,
          entries,
          age: age_seconds === null ? null : `${(age_seconds / 3600).toFixed(1)} h`,
        }));
        printMany(rows, options, 'There are no feeds.');
        for (const { id, last_refusal, last_failure, held } of shown) {
          if (last_failure !== null) printLine(`\n${id} was not fetched: ${last_failure}`);
          if (last_refusal !== null)
            printLine(`\n${id} was refused at ${last_refusal.at}: ${last_refusal.why}`);
          if (held) printLine(`\n${id} was rolled back: it waits for another version`);
        }
        if (!config.feeds) printLine('\nGATEHOUSE_FEEDS is off: nothing is fetched.');
      }),
  );
}
