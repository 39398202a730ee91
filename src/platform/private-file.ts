/** Writes a file that only its owner can read, whole or not at all. */
import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Replaces an existing file by a new one: the old one might be a link, or readable by others. @throws as the file system does */
export function writePrivateFile(file: string, text: string): void {
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
