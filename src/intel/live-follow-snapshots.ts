/** Decides when a published snapshot is handed to the service. */
import type { SnapshotRepository } from './repository.ts';
import { readSnapshot } from './snapshot.ts';

export interface FollowSnapshotsOptions {
  readonly snapshots: Pick<SnapshotRepository, 'current' | 'read'>;
  /** Id of the bundled snapshot: those built upon another one are not followed. */
  readonly base: string;
  /** Id of the snapshot that the service answers from. */
  readonly inForce: string;
  readonly handOver: (bytes: Uint8Array) => void;
  /** Takes a snapshot that does not open out of force: it is compiled again. */
  readonly forget: (id: string) => Promise<unknown>;
}

/** Hands over what was published by this thread, by the command line or by another node. Returns whether it did. */
export function createFollowSnapshots(options: FollowSnapshotsOptions): () => Promise<boolean> {
  const { snapshots, base, inForce, handOver, forget } = options;
  let followed = inForce;
  let last: Promise<unknown> = Promise.resolve();

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
  return () => {
    const done = last.then(follow);
    last = done.catch(() => {});
    return done;
  };
}
