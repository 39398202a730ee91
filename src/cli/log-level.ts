/** gatehouse log-level: changes the level of a running service's log until its next start, without a restart. */
import { Argument, type Command } from 'commander';
import { readConfig } from '../config/config.ts';
import { LOG_LEVELS } from '../config/settings.ts';
import { readServiceUrl } from '../installation/data-folder.ts';
import { forgetLogLevel, writeLogLevel } from '../installation/log-level-file.ts';
import { command } from './options.ts';
import { type OutputOptions, printOne } from './output.ts';

const SETTINGS = 'settings';

export function logLevel(): Command {
  const level = new Argument('<level>', '`settings`: that of GATEHOUSE_LOG_LEVEL').choices([
    ...LOG_LEVELS,
    SETTINGS,
  ]);
  return command('log-level', 'Change the level of the running service’s log until its next start.')
    .addArgument(level)
    .addHelpText('after', HELP)
    .action((wanted: string, options: OutputOptions) => {
      const config = readConfig();
      if (readServiceUrl(config.dataDir) === undefined)
        throw new Error(`no service runs on ${config.dataDir}: set GATEHOUSE_LOG_LEVEL for its next start`);
      if (wanted === SETTINGS) forgetLogLevel(config.dataDir);
      else writeLogLevel(config.dataDir, wanted);
      printOne(
        {
          level: wanted === SETTINGS ? config.logLevel : wanted,
          until: wanted === SETTINGS ? null : 'the next start',
        },
        options,
      );
    });
}

const HELP = `
The service follows within a second; SIGHUP makes it read the level at once. Of several nodes, each has a data
folder of its own: run this beside the node that you look at.

Example:
  gatehouse log-level debug
  gatehouse log-level settings`;
