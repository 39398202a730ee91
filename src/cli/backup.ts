/** gatehouse backup: writes everything of this installation into one file, also while the service runs. */
import { type Command, Option } from 'commander';
import { readConfig } from '../config/config.ts';
import { showBackupProgress } from './backup-progress.ts';
import { requireInstallation } from './installation.ts';
import { command, wholeNumber } from './options.ts';
import { type OutputOptions, printOne, printProgress } from './output.ts';

interface BackupCommandOptions extends OutputOptions {
  readonly leaveFree?: number;
}

const MEGABYTE = 1_000_000;
const MAX_LEFT_FREE = 1_000_000;

export function backup(): Command {
  const leaveFree = new Option('--leave-free <MB>', 'write nothing if less would stay free on its disk');
  return command('backup', 'Back up the whole installation into one file, also while the service runs.', [
    leaveFree.argParser(wholeNumber(0, MAX_LEFT_FREE)),
  ])
    .argument('<file>', 'a new file; nothing is overwritten; - for the standard output')
    .addHelpText('after', HELP)
    .action(async (file: string, options: BackupCommandOptions) => {
      const isStream = file === '-';
      if (isStream && process.stdout.isTTY === true)
        throw new Error('a backup is binary: redirect the standard output, `gatehouse backup - > FILE`');
      const [{ backUpInstallation }, { streamBackup }, { refuseNewer }] = await Promise.all([
        import('../operate/backup/backup.ts'),
        import('../operate/backup/backup-stream.ts'),
        import('../operate/newer-data.ts'),
      ]);
      const config = readConfig();
      requireInstallation(config);
      if (config.databaseUrl === null) await refuseNewer(config);
      const progress = showBackupProgress(process.stderr);
      const leftFreeBytes = (options.leaveFree ?? 0) * MEGABYTE;
      const work = { config, clock: Date.now, onProgress: progress.show, leftFreeBytes };
      const backedUp = isStream ? streamBackup(work, process.stdout) : backUpInstallation({ ...work, file });
      const { bytes, manifest } = await backedUp.finally(progress.end);
      const { at, version, schema, assessments } = manifest;
      const row = { file, bytes, at, version, schema, assessments };
      // The standard output has the backup.
      if (isStream) printOne(row, options, printProgress);
      else printOne(row, options);
    });
}

const HELP = `
The file contains the database as of one moment, the secret that hashes addresses, the versions of feeds
and the file of GATEHOUSE_FEEDS_FILE. Who has the file can sign in as any user: only its owner can read
it (mode 0600); protect it like the secret. It does not contain the search index of the dashboard: a
service that starts on a restored folder builds the index again.

It is written as FILE.partial, checked (every page of the database, every digest), and renamed at the
end. It needs as much space as the database. To check a backup at any time:
  gatehouse restore --check FILE

With - it is written in the data folder, checked, and sent to the standard output; the result is on the
standard error. If the reader ends early, the exit status is 1. A restore reads a file.

With DATABASE_URL everything is in PostgreSQL: use pg_dump, as docs/backup.md says.

Example:
  gatehouse backup /backups/gatehouse-$(date +%F).backup
  docker compose exec -T gatehouse gatehouse backup - > gatehouse.backup`;
