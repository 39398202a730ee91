/** Writes secrets to files in the data folder that only their owner can read. */
import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Replaces an earlier file of this name, whole. Returns its path. @throws naming the setting when it cannot be written */
export function writeSecretFile(dataDir: string, name: string, text: string): string {
  const file = join(dataDir, name);
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    // A new file each time: an existing one might be a link, or readable by others.
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new Error(`cannot write to the data folder (GATEHOUSE_DATA_DIR): ${(error as Error).message}`);
  }
  return file;
}

export function removeSecretFile(dataDir: string, name: string): void {
  rmSync(join(dataDir, name), { force: true });
}
