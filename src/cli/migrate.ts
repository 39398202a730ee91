/** gatehouse migrate: moves an installation into PostgreSQL, and shows how far it is. */
import { type Command, CommanderError, Option } from 'commander';
import { readConfig } from '../config/config.ts';
import { readDatabaseUrl } from '../config/database-url.ts';
import type { MigrationProgress } from '../operate/backup/migrate.ts';
import { requireEmbedded } from './installation.ts';
import { command } from './options.ts';
import { type OutputOptions, printJson, printLine, wantsJson } from './output.ts';
import { createProgressLine, type Screen } from './progress-line.ts';

interface MigrateOptions extends OutputOptions {
  readonly to: string;
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
      const { migrateInstallation } = await import('../operate/backup/migrate.ts');
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
feedback. It only reads the data folder (GATEHOUSE_DATA_DIR).

  1. stop the service
  2. gatehouse migrate --to URL
  3. DATABASE_URL=URL gatehouse start

After an interruption, run it again: it copies what is missing. At the end it reads everything back from
PostgreSQL, counts and hashes it. If anything differs from the data folder, the exit status is 1.

The secret that addresses are hashed with (secret.key) is moved into the database. If GATEHOUSE_SECRET is
set, the database keeps only a fingerprint of it, and every process must be started with it.
The password need not be in the URL: you can set PGPASSWORD instead.

The database must be empty, or filled by earlier runs and not used since; otherwise nothing is changed.`;

/** The usual error of an argument repeats its text, which may contain a password here. */
function readUrl(text: string): string {
  try {
    return readDatabaseUrl(text);
  } catch (error) {
    throw new CommanderError(2, 'gatehouse.url', `--to ${(error as Error).message}`);
  }
}

export function showMigrationProgress(screen: Screen, now: () => number = () => performance.now()) {
  const line = createProgressLine(screen, now);
  /** Start of the work on a table. */
  let begin = { work: '', at: 0, done: 0 };
  return {
    show(progress: MigrationProgress): void {
      const { stage, table, done } = progress;
      const at = now();
      if (begin.work !== `${stage} ${table}`) begin = { work: `${stage} ${table}`, at, done };
      line.show(() => describe(progress, at - begin.at, done - begin.done));
    },
    end: line.end,
  };
}

function describe(
  { stage, table, done, total }: MigrationProgress,
  milliseconds: number,
  rows: number,
): string {
  const share = total === 0 ? 100 : Math.floor((100 * done) / total);
  const rate = milliseconds > 0 ? (1_000 * rows) / milliseconds : 0;
  const left = rate > 0 ? `, ${duration((total - done) / rate)} left` : '';
  return `${table}: ${count(done)} of ${count(total)} rows ${stage} (${share}%), ${count(rate)}/s${left}`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}
