/** Opens what signups are judged by, for a command: this machine's own snapshot, or the one that several nodes share. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Intel } from '../intel.ts';
import { intelFolder } from '../refresh/feed-manager.ts';
import { openCurrent } from '../refresh/live-intel.ts';
import { idOfFile } from '../refresh/publish.ts';
import { createSnapshotRepository } from '../refresh/snapshot-repository.ts';
import { createLocalFiles, NOTE, snapshotId } from './local-files.ts';
import { createMirror } from './mirror.ts';
import type { SharedFolders } from './shared-folders.ts';

export interface InForceOptions {
  readonly dataDir: string;
  readonly baselineFile: string | URL;
  readonly onFault: (why: string) => void;
}

export async function openInForce(options: InForceOptions, folders?: SharedFolders): Promise<Intel> {
  const { dataDir, baselineFile, onFault } = options;
  if (folders === undefined) return openCurrent(dataDir, baselineFile, onFault);
  const ours = await mkdtemp(join(tmpdir(), 'gatehouse-snapshot-'));
  try {
    const folder = intelFolder(ours);
    const local = createLocalFiles(folder);
    const shelf = createSnapshotRepository(folder);
    const mirror = createMirror({ folders, local, shelf, alone: (work) => work() });
    const base = await idOfFile(baselineFile);
    const { revision } = await mirror.pull(base, (name) => name === NOTE || snapshotId(name) !== undefined);
    return await openCurrent(revision === 0 ? dataDir : ours, baselineFile, onFault);
  } finally {
    await rm(ours, { recursive: true, force: true });
  }
}
