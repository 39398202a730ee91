/** gatehouse intel import */
import type { Command } from 'commander';
import { printPublication, printReports, recordAct, withFeeds } from './intel-open-feeds.ts';
import { command } from './output.ts';

export function intelImport(): Command {
  return command('import', 'Import feeds that another machine exported; the same checks apply to them.')
    .argument('<dir>', 'the folder')
    .action((folder: string, options: { json?: true }) =>
      withFeeds(async ({ admin }) => {
        await recordAct('import', folder);
        const outcome = await admin.import(folder);
        printPublication(outcome.publication);
        printReports(outcome, options, 'The folder contains no feed.');
      }),
    );
}
