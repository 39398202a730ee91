/** gatehouse intel export */
import type { Command } from 'commander';
import { withFeeds } from './intel-open-feeds.ts';
import { command, printMany } from './output.ts';

export function intelExport(): Command {
  return command(
    'export',
    'Write the active feeds to a folder, for a machine that cannot reach the publishers.',
  )
    .argument('<dir>', 'the folder; created if it does not exist')
    .action((folder: string, options: { json?: true }) =>
      withFeeds(async ({ admin }) => {
        const bundle = await admin.export(folder);
        printMany(
          bundle.map((entry) => ({ ...entry })),
          options,
          'No feed has been fetched yet: run `gatehouse intel refresh`.',
        );
      }),
    );
}
