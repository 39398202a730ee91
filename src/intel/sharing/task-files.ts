/** Decides which files go with a task from one node to another. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SharedFolders, SharedTask } from './shared-folders.ts';

const CARRIED = /^(?:manifest\.json|[\w%-][\w%.-]*\.feed)$/;

/** What `gatehouse intel export` wrote into a folder. */
export async function packFiles(folder: string): Promise<Map<string, Uint8Array>> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => CARRIED.test(name));
  return new Map(
    await Promise.all(files.map(async (name) => [name, await readFile(join(folder, name))] as const)),
  );
}

/** Runs `work` with the folder where the files lie meanwhile. */
export async function withUnpacked<T>(
  folders: SharedFolders,
  task: SharedTask,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-task-'));
  try {
    const { files } = await folders.list(task.folder);
    for (const file of files.filter(({ name }) => CARRIED.test(name))) {
      const bytes = await folders.read(task.folder, file);
      if (bytes !== undefined) await writeFile(join(folder, file.name), bytes);
    }
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
