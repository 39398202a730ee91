/** gatehouse intel export */
import type { Command } from 'commander';
import { command, printMany } from '../output.ts';
import { openFeeds } from './open-feeds.ts';

export function intelExport(): Command {
  return command('export', 'Write the feeds in force to a folder, for a machine that reaches no publisher.')
    .argument('<dir>', 'the folder; made where it does not exist')
    .action(async (folder: string, options: { json?: true }) => {
      const { keeper } = openFeeds();
      const carried = await keeper.export(folder);
      printMany(
        carried.map((one) => ({ ...one })),
        options,
        'No feed has been fetched yet: `gatehouse intel refresh` does.',
      );
    });
}
