/** The port to an installation's stored intelligence: each feed with its versions, the active snapshot, and the lock for changes. */

/**
 * Adapters: files of this machine (`repository-files.ts`) and PostgreSQL (`store/postgres/intel-repository.ts`).
 * Everything may be read at any time. Only work that `RoundLock.tryHold` runs may call `FeedRecords.save…` and `prune`,
 * and `SnapshotRepository.publish` and `forget`. Every promise rejects when the storage cannot be reached.
 */
export interface IntelRepository {
  readonly feeds: FeedRecords;
  readonly snapshots: SnapshotRepository;
  readonly lock: RoundLock;
  /** Interval of looking for a snapshot that others published, milliseconds. */
  readonly pollMs: number;
  /** The listener is called soon after a round of another node. A call may be lost, so `pollMs` applies too. */
  onChange(listener: () => void): void;
  close(): Promise<void>;
}

/** A feed, and the address it is fetched from: versions of another address are kept apart. */
export interface FeedKey {
  readonly id: string;
  readonly url: string;
}

/** Stored feeds as text and bytes; `FeedArchive` interprets them. */
export interface FeedRecords {
  /**
   * The state of each feed, in the order of the argument; `undefined` for an unknown feed. If this build or
   * this address has none yet, the newest of another one: a new release keeps all versions and rollbacks.
   */
  states(feeds: readonly FeedKey[]): Promise<(string | undefined)[]>;
  /** @param versions the versions that the state names */
  saveState(feed: FeedKey, state: string, versions: readonly string[]): Promise<void>;
  /** A version of a feed, packed; `undefined` when it is gone. */
  version(id: string, version: string): Promise<Uint8Array | undefined>;
  saveVersion(id: string, version: string, bytes: Uint8Array): Promise<void>;
  /** Removes all versions of a feed except these and those that the state of another build or address names. */
  prune(id: string, versions: readonly string[]): Promise<void>;
  /** Entries that left a feed, packed; `undefined` when there are none. */
  departed(id: string): Promise<Uint8Array | undefined>;
  saveDeparted(id: string, bytes: Uint8Array): Promise<void>;
}

/** The active snapshot, and its sources. */
export interface SnapshotRecord {
  /** 16 hexadecimal digits. */
  readonly id: string;
  /** Hash of everything it was compiled from: with the same key there is nothing to do. */
  readonly key: string;
  /** Id of the bundled snapshot it was built upon. */
  readonly base: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface SnapshotRepository {
  /** Reads the record of the snapshot that nodes of this build with these feeds answer from; `undefined` when there is none, or its record cannot be read. */
  current(): Promise<SnapshotRecord | undefined>;
  /** Snapshot for commands: likewise, or the newest that others built upon the same bundled one with their feeds. */
  newest(base: string): Promise<SnapshotRecord | undefined>;
  /** Some 20 to 40 MB; `undefined` when it is gone. */
  read(id: string): Promise<Uint8Array | undefined>;
  /** Makes a snapshot the active one, atomically, and removes older ones. */
  publish(record: SnapshotRecord, bytes: Uint8Array): Promise<void>;
  /** Deactivates this snapshot, which cannot be opened, if it is the active one. */
  forget(id: string): Promise<void>;
}

export interface RoundLock {
  /**
   * Runs `work` while nobody else changes anything, on any node; `undefined` at once if somebody else does. The lock ends
   * with the work, or with the process. If it is lost before (the storage heard nothing of this process for too long),
   * the signal is aborted, and all later writes of the work are refused.
   */
  tryHold<T extends NonNullable<unknown>>(work: (lost: AbortSignal) => Promise<T>): Promise<T | undefined>;
}
