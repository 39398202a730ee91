/** gatehouse restore: fills an empty data folder from a backup, or only checks one. */
import type { Command } from 'commander';
import { type Config, readConfig } from '../config/config.ts';
import { applyErasures } from '../installation/apply-erasures.ts';
import { addErasures, readErasures } from '../installation/erasure-list.ts';
import type { BackupManifest } from '../operate/backup/backup-file.ts';
import { whileStopped } from '../operate/backup/while-stopped.ts';
import { showBackupProgress } from './backup-progress.ts';
import { auditOf, withStore } from './installation.ts';
import { command } from './options.ts';
import { type OutputOptions, printLine, printOne, wantsJson } from './output.ts';

interface RestoreCommandOptions extends OutputOptions {
  readonly check?: true;
  readonly erasures?: string;
}

export function restore(): Command {
  return command('restore', 'Fill an empty data folder (GATEHOUSE_DATA_DIR) from a backup.')
    .argument('<file>', 'a file that `gatehouse backup` wrote')
    .option('--check', 'only check the file; write nothing')
    .option(
      '--erasures <file>',
      'erase again the people who were erased since the backup: erasures.jsonl of the old data folder',
    )
    .addHelpText('after', HELP)
    .action(async (file: string, options: RestoreCommandOptions) => {
      if (file === '-')
        throw new Error(
          'a restore reads a file, because it is checked whole before anything is written: write the stream to a file first',
        );
      const { checkRestorable, restoreInstallation } = await import('../operate/backup/restore.ts');
      const config = readConfig();
      const progress = showBackupProgress(process.stderr);
      try {
        if (options.check === true) {
          printOne(toRow(checkRestorable(file, progress.show), null), options);
          return;
        }
        const people = options.erasures === undefined ? [] : readErasures(options.erasures);
        const manifest = restoreInstallation({ config, file, onProgress: progress.show });
        progress.end();
        addErasures(config, people);
        const erased = people.length === 0 ? {} : { erased_again: await eraseAgain(config) };
        printOne({ ...toRow(manifest, config.dataDir), ...erased }, options);
        if (!wantsJson(options)) for (const line of nextSteps(manifest, config.dataDir)) printLine(line);
      } finally {
        progress.end();
      }
    });
}

/** Erases people again in the restored database. The next start goes on with what is interrupted. */
function eraseAgain(config: Config): Promise<number> {
  return whileStopped(config, () =>
    withStore(async (store, hashes) => {
      const { dataDir } = config;
      const erasure = { dataDir, store, hashes, clock: Date.now, auditOf, mailboxes: config };
      return (await applyErasures(erasure)).assessments;
    }),
  );
}

function toRow({ at, version, schema, assessments, settings }: BackupManifest, folder: string | null) {
  return { folder, taken_at: at, version, schema, assessments, ...settings };
}

function nextSteps({ settings }: BackupManifest, folder: string): string[] {
  const file = settings.GATEHOUSE_FEEDS_FILE;
  return [
    'Start the service with `gatehouse start`: it compiles the feeds and indexes the signups again.',
    ...(file === undefined
      ? []
      : [
          `The feeds were changed by ${file}: its content is in ${folder}/feeds.json. Set GATEHOUSE_FEEDS_FILE.`,
        ]),
  ];
}

const HELP = `
The folder must be empty or not exist; nothing is ever overwritten. Before anything is written, every
digest of the file is checked. A backup of a newer Gatehouse is refused; one of an older Gatehouse is
restored, and the next start updates its database. If a restore is interrupted, no service starts on the
folder: run it again.

Assessments, credits and feedback from after the backup are lost. API keys, passwords and sessions are
those of the backup: revoke again what was revoked since. People who were erased since are in the data
again, unless --erasures names erasures.jsonl of the old data folder: then they are erased again at once.

Example:
  GATEHOUSE_DATA_DIR=/var/lib/gatehouse gatehouse restore /backups/gatehouse-2026-11-20.backup`;
