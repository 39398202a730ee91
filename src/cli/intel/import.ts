/** gatehouse intel import */
import type { Command } from 'commander';
import { command } from '../output.ts';
import { openFeeds, printReports, tellPublication, tellReport } from './open-feeds.ts';

export function intelImport(): Command {
  return command('import', 'Take in feeds that another machine exported; the same checks apply to them.')
    .argument('<dir>', 'the folder')
    .action(async (folder: string, options: { json?: true }) => {
      const { keeper } = openFeeds();
      const reports = await keeper.import(folder, tellReport);
      const publication = await keeper.publish();
      tellPublication(publication);
      printReports(reports, publication, options);
    });
}
