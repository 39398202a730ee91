/** gatehouse migrate */
import { type Command, CommanderError, Option } from 'commander';
import { moveInstallation } from '../app-migrate.ts';
import { hasScheme } from '../config/read-values.ts';
import { readConfig } from '../config.ts';
import { command, printJson, printLine, wantsJson } from './output.ts';
import { requireEmbedded } from './require-installation.ts';
import { showMoving } from './show-moving.ts';

interface MigrateOptions {
  readonly to: string;
  readonly json?: true;
}

export function migrate(): Command {
  return command('migrate', 'Move this installation from its data folder into PostgreSQL.')
    .addOption(
      new Option('--to <url>', 'an empty database: postgres://user:password@host/database')
        .argParser(readUrl)
        .makeOptionMandatory(),
    )
    .addHelpText('after', HELP)
    .action(async (options: MigrateOptions) => {
      const config = readConfig();
      requireEmbedded(config);
      const moving = showMoving(process.stderr);
      const started = performance.now();
      const moved = await moveInstallation(config, options.to, moving.tell).finally(moving.end);
      const seconds = Math.round((performance.now() - started) / 100) / 10;
      if (wantsJson(options)) {
        const { added, tables, changedMeanwhile } = moved;
        printJson({ assessments_added: added, seconds, changed_meanwhile: changedMeanwhile, tables });
        return;
      }
      const rows = moved.tables.reduce((sum, { rows }) => sum + rows, 0);
      printLine(
        `${moved.added} assessments were added; all ${rows} rows in PostgreSQL are as they are here.`,
      );
      printLine(moved.changedMeanwhile ? ONCE_MORE : config.secret === null ? START : START_WITH_SECRET);
    });
}

const ONCE_MORE = 'The installation was used meanwhile: stop its service and run this once more.';
const START =
  'Stop the service if it still runs, and start with DATABASE_URL set to it; the secret that hashes addresses went along.';
const START_WITH_SECRET =
  'Stop the service if it still runs, and start with DATABASE_URL set to it and GATEHOUSE_SECRET as it is now: it does not stand in the database.';

const HELP = `
Everything goes along: accounts, keys, policies, own lists, people, audit log, assessments, credits,
feedback. The data folder (GATEHOUSE_DATA_DIR) is only read, and stays as it is.

  1. gatehouse migrate --to URL    while the service runs: most of it is copied, nobody waits
  2. stop the service
  3. gatehouse migrate --to URL    once more: copies what has changed since, and compares everything
  4. DATABASE_URL=URL gatehouse start

Without step 1 it is one run after the stop. A run that was interrupted, however it was, goes on where it
was when it is started again. At the end all that stands in PostgreSQL is read back, counted and hashed;
where it differs from the data folder, the exit status is 1.

The secret that addresses are hashed with (secret.key) is moved into the database. If GATEHOUSE_SECRET is
set, the database only learns to tell it from others, and every process that uses it must be given it too.
A password need not stand on the command line: PGPASSWORD may hold it.

The database must be empty, or filled by earlier runs and not used since; else nothing is changed.`;

/** What was given may hold a password: it is not repeated, as it would be in the usual error of an argument. */
function readUrl(text: string): string {
  if (!hasScheme(text, ['postgres:', 'postgresql:'])) {
    const message = '--to must be a URL like postgres://user:password@host/database';
    throw new CommanderError(2, 'gatehouse.url', message);
  }
  return text;
}
