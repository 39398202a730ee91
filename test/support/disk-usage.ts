/** Disk usage of a folder, as `du` counts it: whole blocks, and a file with several names once. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Bytes; 0 if the folder does not exist. */
export function diskUsage(folder: string): number {
  if (!existsSync(folder)) return 0;
  return Number(/^\d+/.exec(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }))?.[0]) * 1024;
}
