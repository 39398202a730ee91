/** Decides which published snapshot is used: at the start, and as soon as another is published. The reader of snapshots is loaded when there is one. */
import { createTurns } from '../platform/turns.ts';
import type { FeedManager } from './feed-manager.ts';
import type { Intel } from './intel.ts';
import type { SnapshotRepository } from './repository.ts';
import { idOfFile } from './snapshot-container.ts';

export interface FollowSnapshotsOptions {
  readonly snapshots: Pick<SnapshotRepository, 'current' | 'read'>;
  /** Id of the bundled snapshot: snapshots built upon another one are not used. */
  readonly base: string;
  /** Id of the snapshot that the service answers from. */
  readonly inForce: string;
  readonly handOver: (bytes: Uint8Array) => void;
  /** Called for a snapshot that does not open: it is deactivated, and compiled again. */
  readonly forget: (id: string) => Promise<unknown>;
}

/** Hands over a snapshot that this thread, the command line or another node has published. Returns whether there was one. */
export function createFollowSnapshots(options: FollowSnapshotsOptions): () => Promise<boolean> {
  const { snapshots, base, inForce, handOver, forget } = options;
  const inTurn = createTurns();
  let followed = inForce;

  async function follow(): Promise<boolean> {
    const current = await snapshots.current();
    if (current === undefined || current.base !== base || current.id === followed) return false;
    const file = await snapshots.read(current.id);
    if (file === undefined) {
      // It was replaced meanwhile, or the record points to nothing.
      if ((await snapshots.current())?.id === current.id) await forget(current.id);
      return false;
    }
    const bytes = file.byteLength === file.buffer.byteLength ? file : new Uint8Array(file);
    const { readSnapshot } = await import('./snapshot.ts');
    try {
      const { id } = readSnapshot(bytes);
      if (id !== current.id) throw new Error(`the snapshot ${current.id} contains ${id}`);
    } catch (error) {
      await forget(current.id);
      throw error;
    }
    followed = current.id;
    handOver(bytes);
    return true;
  }

  // One at a time: a snapshot is handed over once.
  return () => inTurn(follow);
}

/**
 * Forgets damaged snapshots, and has the first one compiled again at once: on a broken disk the next one would be damaged,
 * too, so that one waits for its turn. While another round is under way nothing is forgotten, and it is to be tried again.
 */
export function createForgetDamaged(
  tryRound: FeedManager['tryRound'],
  compileSoon: () => void,
): FollowSnapshotsOptions['forget'] {
  let isFirst = true;
  return async (id) => {
    const isForgotten = await tryRound((round) => round.forget(id).then(() => true));
    if (isForgotten !== true || !isFirst) return;
    isFirst = false;
    compileSoon();
  };
}

/**
 * The snapshot that was published last, where it is whole and built upon this baseline; otherwise the baseline.
 * @param onFault called with the reason why the published one cannot be used. @throws SnapshotError when not even the baseline opens
 */
export async function openCurrent(
  snapshots: Pick<SnapshotRepository, 'newest' | 'read'>,
  baselineFile: string | URL,
  onFault: (why: string) => void = () => {},
): Promise<Intel> {
  const { openSnapshot, readSnapshot } = await import('./snapshot.ts');
  let name = 'active snapshot';
  try {
    const base = await idOfFile(baselineFile);
    const record = await snapshots.newest(base);
    if (record?.base === base) {
      name = `snapshot ${record.id}`;
      const bytes = await snapshots.read(record.id);
      if (bytes !== undefined) return readSnapshot(bytes);
    }
  } catch (error) {
    onFault(`the ${name} cannot be used: ${(error as Error).message}`);
  }
  return openSnapshot(baselineFile);
}
