/** Decides what `gatehouse doctor` says about scheduled backups: whether the newest good one is as new as it should be. */
import type { Config } from '../../config/config.ts';
import type { DoctorCheck } from '../../model/doctor-check.ts';
import { megabytes } from '../../platform/megabytes.ts';
import { toTimestamp } from '../../platform/timestamp.ts';
import { goodBackups } from '../backup/backup-folder.ts';
import { missingFrom } from '../backup/scheduled-backups.ts';
import { type DoctorVerdict, toCheck } from './to-check.ts';

const NAME = 'backups';

/** No line where none are scheduled. */
export async function examineBackups({
  backupDir: folder,
  backupHours: hours,
}: Pick<Config, 'backupDir' | 'backupHours'>): Promise<DoctorCheck[]> {
  return folder === null ? [] : [toCheck(NAME, await judge(folder, hours, Date.now()))];
}

async function judge(folder: string, hours: number, now: number): Promise<DoctorVerdict> {
  try {
    const good = await goodBackups(folder, now);
    const [newest] = good;
    if (newest === undefined)
      return [
        'warning',
        `no good backup in ${folder} yet`,
        'start the service: it makes one, and its log says why it cannot',
      ];
    const found = `${good.length} in ${folder}, the newest of ${toTimestamp(newest.at)} (${megabytes(newest.bytes)})`;
    if (now < missingFrom(newest.at, now, 0, hours)) return ['ok', found];
    return [
      'failed',
      `${found}: older than it should be`,
      'read the log of the service: it says why backups fail',
    ];
  } catch (error) {
    const advice = 'GATEHOUSE_BACKUP_DIR must be a folder that the user of the service can read and write';
    return ['failed', (error as Error).message, advice];
  }
}
