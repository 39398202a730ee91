/** gatehouse intel export */
import type { Command } from 'commander';
import { withFeeds } from './intel-open-feeds.ts';
import { command, printMany } from './output.ts';

export function intelExport(): Command {
  return command('export', 'Write the feeds in force to a folder, for a machine that reaches no publisher.')
    .argument('<dir>', 'the folder; made where it does not exist')
    .action((folder: string, options: { json?: true }) =>
      withFeeds(async ({ admin }) => {
        const carried = await admin.export(folder);
        printMany(
          carried.map((entry) => ({ ...entry })),
          options,
          'No feed has been fetched yet: `gatehouse intel refresh` does.',
        );
      }),
    );
}
