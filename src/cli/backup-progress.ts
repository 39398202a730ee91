/** Shows how far a backup or a restore is. */
import type { OnBackupProgress } from '../operate/backup/backup-file.ts';
import { megabytes } from '../platform/megabytes.ts';
import { createProgressLine, type Screen } from './progress-line.ts';

export function showBackupProgress(
  screen: Screen,
  now?: () => number,
): { show: OnBackupProgress; end: () => void } {
  const line = createProgressLine(screen, now);
  return {
    show: ({ work, done, total }) =>
      line.show(() =>
        work === 'checked' && done === 0
          ? `checking the copy of ${megabytes(total)}`
          : `${megabytes(done)} of ${megabytes(total)} ${work}`,
      ),
    end: line.end,
  };
}
