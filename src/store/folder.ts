/** Makes the data folder, readable by its owner only. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes a folder and its parents where they do not exist. @throws with the path and the setting when it cannot */
export function makeFolder(path: string): void {
  try {
    make(path);
  } catch (error) {
    throw new Error(`cannot make the data folder (GATEHOUSE_DATA_DIR): ${(error as Error).message}`);
  }
}

function make(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    // One level at a time: Node's own recursion never ends below a folder that pretends to take new ones.
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    make(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
}
