/** Decides which process, or which part of one, has a file to itself; a lock ends with the process that took it, even after a crash. */
import { chownSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';

export interface FileLock {
  /** Whether it is ours now; `false` while somebody else has it. @throws where files cannot be locked */
  tryTake(): boolean;
  /** Lets go of it, and of the file. */
  close(): void;
}

/**
 * The lock is one of the kernel, on a file that stays empty. Node.js has no call for such locks, but SQLite takes them:
 * a write transaction that is never committed. So nothing has to be guessed of processes. A number in a file cannot tell
 * a dead process from a living one: in containers every service is process 1, and numbers are used again. The lock
 * counts between containers that share a volume, and on network file systems as far as they lock at all, which a SQLite
 * database there needs anyway. A thread that ends lets go of its locks, too.
 * @param file its folder must exist. It must not be opened otherwise, nor removed: closing it would end the lock
 */
export function openFileLock(file: string): FileLock {
  if (!existsSync(file)) makeFile(file);
  const connection = new Database(file);
  connection.pragma('busy_timeout = 0');
  return {
    tryTake() {
      try {
        connection.exec('BEGIN IMMEDIATE');
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code?.startsWith('SQLITE_BUSY') === true) return false;
        throw new Error(
          `cannot lock ${file}: ${(error as Error).message}; its folder must be writable, on a file system that takes locks`,
        );
      }
    },
    close() {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      connection.close();
    },
  };
}

/** A command that root runs beside the service must not shut the service's user out. */
function makeFile(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  chownSync(file, uid, gid);
}
