/** The settings of backups that the service makes by itself. */
import { isAbsolute } from 'node:path';
import { readInteger } from './read-values.ts';
import { setting } from './setting.ts';

export const BACKUP_SETTINGS = {
  backupDir: setting(
    'GATEHOUSE_BACKUP_DIR',
    'off',
    'Folder into which the service writes [a backup](backup.md#scheduled-backups) every `GATEHOUSE_BACKUP_HOURS`, for this installation alone: an absolute path, best on another disk. Not with `DATABASE_URL`. `off` makes none.',
    (text = 'off') => {
      if (text === 'off') return null;
      if (!isAbsolute(text)) throw new Error('must be an absolute path of a folder, or `off`');
      return text;
    },
  ),
  backupHours: setting(
    'GATEHOUSE_BACKUP_HOURS',
    '24',
    'Hours from one of these backups to the next, 1 to 720.',
    (text = '24') => readInteger(text, 1, 720),
  ),
  backupKeep: setting(
    'GATEHOUSE_BACKUP_KEEP',
    '7',
    'How many of these backups to keep, 1 to 1000: after each good one, older ones are removed.',
    (text = '7') => readInteger(text, 1, 1_000),
  ),
} as const;
