/** How much disk a folder takes, as `du` counts it: whole blocks, and a file with several names once. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Bytes; none if there is no such folder. */
export function diskUsage(folder: string): number {
  if (!existsSync(folder)) return 0;
  return Number(/^\d+/.exec(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }))?.[0]) * 1024;
}
