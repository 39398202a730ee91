/** Decides which process, or thread, has exclusive use of a file; a lock ends with the process that took it, even after a crash. */
import { chownSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { openSqlite } from './sqlite-driver.ts';

export interface FileLock {
  /** Whether it is ours now; `false` while somebody else has it. @throws if files cannot be locked there */
  tryTake(): boolean;
  /** Releases the lock and closes the file. */
  close(): void;
}

/**
 * A kernel lock on a file that stays empty. Node.js has no call for such locks, but SQLite takes them: a write
 * transaction that is never committed. A process id in a file would not tell a dead process from a living one: in
 * containers every service is process 1, and ids are reused. The lock works between containers that share a volume,
 * and on network file systems that support locks, which a SQLite database there needs anyway. It also ends with the
 * thread that took it.
 * @param file its folder must exist. Nothing else may open or remove the file: closing it would end the lock
 */
export function openFileLock(file: string): FileLock {
  if (!existsSync(file)) makeFile(file);
  const connection = openSqlite(file);
  connection.pragma('busy_timeout = 0');
  return {
    tryTake() {
      try {
        connection.exec('BEGIN IMMEDIATE');
        return true;
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        if (code.startsWith('SQLITE_BUSY')) return false;
        if (code.startsWith('SQLITE_FULL'))
          throw new Error(`cannot lock ${file}: the disk is full: free space on it`);
        throw new Error(
          `cannot lock ${file}: ${(error as Error).message}; its folder must be writable, on a file system that supports locks`,
        );
      }
    },
    close() {
      connection.rollback();
      connection.close();
    },
  };
}

/** The file belongs to the folder's owner, so that a command that root runs does not block the service's user. */
function makeFile(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  chownSync(file, uid, gid);
}
