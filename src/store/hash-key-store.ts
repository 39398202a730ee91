/** The port of the keys that addresses are hashed with: the newest hashes, all of them find. */
import type { HashKey } from '../model/hash-key.ts';
import type { AuditEntries } from './audit-store.ts';

export interface HashKeyStore {
  /** Newest first. Empty before the first rotation: the installation's secret is the only key. */
  hashKeys(): Promise<readonly HashKey[]>;
  /** Adds the key that hashes from now on, and the installation's secret as the first one where there was none. */
  addHashKey(key: Omit<HashKey, 'number'>, ...audit: AuditEntries): Promise<HashKey>;
  /** Forgets a key, but never the newest. @returns whether there was one */
  dropHashKey(number: number, ...audit: AuditEntries): Promise<boolean>;
  /** Grows with every change, by any process. Cheap: asked several times a second. */
  hashKeysVersion(): Promise<number>;
}
