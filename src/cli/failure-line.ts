/** Decides the one line that a failed command prints: what went wrong, and what to do about it. */
import { Problem } from '../contract/problem.ts';

export function failureLine(error: unknown): string {
  return describe(error as Error)
    .replace(/^error: /, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function describe(error: Error): string {
  const { message } = error;
  if (/\bdatabase is locked$/.test(message))
    return `${message}; another program has locked it (a backup, sqlite3): end that program, then run this again`;
  if (!(error instanceof Problem)) return message;
  // The usual text of this problem is about signups.
  if (error.code === 'storage_full')
    return 'the disk is full, and nothing was changed: free space on the disk of the data folder or database, then run this again';
  const param = error.param === undefined ? '' : `${error.param}: `;
  return `${param}${message} ${error.resolution}`;
}
