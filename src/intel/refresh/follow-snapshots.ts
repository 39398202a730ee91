/** Decides when a published snapshot is handed to the service. */
import { readSnapshot } from '../snapshot.ts';
import type { SnapshotRepository } from './snapshot-repository.ts';

export interface FollowShelfOptions {
  readonly shelf: SnapshotRepository;
  /** Id of the bundled snapshot: those built upon another one are not followed. */
  readonly base: string;
  /** Id of the snapshot that the service answers from. */
  readonly inForce: string;
  readonly mayFollow: (id: string) => boolean;
  readonly handOver: (bytes: Uint8Array) => void;
}

/** Hands over what was published, here, by the command line or by another node. What does not open is forgotten, and made anew. */
export function createFollowShelf(options: FollowShelfOptions): () => Promise<void> {
  const { shelf, base, inForce, mayFollow, handOver } = options;
  let seen = inForce;
  return async () => {
    const current = await shelf.current();
    if (current === undefined || current.base !== base || current.id === seen) return;
    if (!mayFollow(current.id)) return;
    try {
      const file = await shelf.read(current.id);
      const bytes = file.byteLength === file.buffer.byteLength ? file : new Uint8Array(file);
      readSnapshot(bytes);
      seen = current.id;
      handOver(bytes);
    } catch (error) {
      await shelf.forget(current.id);
      throw error;
    }
  };
}
