/** gatehouse migrate */
import { type Command, CommanderError, Option } from 'commander';
import { migrateInstallation } from '../app-migrate.ts';
import { hasScheme } from '../config/read-values.ts';
import { readConfig } from '../config.ts';
import { showMigrationProgress } from './migration-progress.ts';
import { command, printJson, printLine, wantsJson } from './output.ts';
import { requireEmbedded } from './require-installation.ts';

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
      const progress = showMigrationProgress(process.stderr);
      const started = performance.now();
      const migration = migrateInstallation(config, options.to, progress.show);
      const { added, tables, changedMeanwhile } = await migration.finally(progress.end);
      const seconds = Math.round((performance.now() - started) / 100) / 10;
      if (wantsJson(options)) {
        printJson({ assessments_added: added, seconds, changed_meanwhile: changedMeanwhile, tables });
        return;
      }
      const rows = tables.reduce((sum, { rows }) => sum + rows, 0);
      printLine(`${added} assessments were added; all ${rows} rows in PostgreSQL are the same as here.`);
      printLine(changedMeanwhile ? CHANGED : config.secret === null ? START : START_WITH_SECRET);
    });
}

const CHANGED = 'A command changed the installation meanwhile: run this again.';
const START =
  'Start the service with DATABASE_URL set to it. The secret that hashes addresses is in the database.';
const START_WITH_SECRET =
  'Start the service with DATABASE_URL set to it and the same GATEHOUSE_SECRET as now: the database does not contain the secret.';

const HELP = `
Copies everything: accounts, keys, policies, own lists, people, audit log, assessments, credits,
feedback. The data folder (GATEHOUSE_DATA_DIR) is only read, and stays as it is.

  1. stop the service
  2. gatehouse migrate --to URL
  3. DATABASE_URL=URL gatehouse start

After an interruption, run it again: it copies what is missing. At the end it reads everything back from
PostgreSQL, and counts and hashes it; where it differs from the data folder, the exit status is 1.

The secret that addresses are hashed with (secret.key) is moved into the database. If GATEHOUSE_SECRET is
set, the database keeps only a way to recognise it, and every process must be started with it.
The password need not be in the URL: you can set PGPASSWORD instead.

The database must be empty, or filled by earlier runs and not used since; otherwise nothing is changed.`;

/** The usual error of an argument repeats its text, which may contain a password here. */
function readUrl(text: string): string {
  if (!hasScheme(text, ['postgres:', 'postgresql:'])) {
    const message = '--to must be a URL like postgres://user:password@host/database';
    throw new CommanderError(2, 'gatehouse.url', message);
  }
  return text;
}
