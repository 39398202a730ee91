/** Follows the keys that addresses are hashed with: the newest hashes addresses, and hashes of earlier ones are still found. */
import { randomBytes } from 'node:crypto';
import { type AddressHashes, createAddressHashes } from '../address/fingerprint.ts';
import type { HashKey } from '../model/hash-key.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { HashKeyStore } from '../store/hash-key-store.ts';
import { createSecretBox } from './secret-box.ts';

export interface HashKeys {
  readonly hashes: AddressHashes;
  /** Time at which the newest key was made, milliseconds since the epoch; 0 as long as there was one. */
  rotatedAt(): number;
  /** Reads what changed. @throws when it cannot be read, or was encrypted with another secret */
  refresh(): Promise<void>;
}

const KEY_BYTES = 32;
/** The purpose of the encryption, so that no other text of the installation can be used as a key. */
const OWNER = 'the keys of address hashes';

/** @param secret of the installation */
export function createHashKeys(store: HashKeyStore, secret: Buffer): HashKeys {
  let version = Number.NaN;
  const hashes = createAddressHashes([secret]);
  let rotatedAt = 0;
  return {
    hashes,
    rotatedAt: () => rotatedAt,
    async refresh() {
      // Asked first: a change that is stored while the keys are read is then read again, never missed.
      const upTo = await store.hashKeysVersion();
      if (upTo === version) return;
      const keys = await store.hashKeys();
      hashes.follow(keys.length === 0 ? [secret] : keys.map((key) => readKey(key, secret)));
      rotatedAt = keys.length === 0 ? 0 : (keys[0] as HashKey).createdAt;
      version = upTo;
    },
  };
}

/** Makes the key that every node hashes with from now on, within about a second. */
export function rotateHashKey(
  store: HashKeyStore,
  { secret, now, audit }: { readonly secret: Buffer; readonly now: number; readonly audit: AuditEntry },
): Promise<HashKey> {
  const encrypted = createSecretBox(secret).encrypt(randomBytes(KEY_BYTES).toString('hex'), OWNER);
  return store.addHashKey({ encrypted, createdAt: now }, audit);
}

function readKey({ encrypted }: HashKey, secret: Buffer): Buffer {
  if (encrypted === null) return secret;
  try {
    return Buffer.from(createSecretBox(secret).decrypt(encrypted, OWNER), 'hex');
  } catch (error) {
    throw new Error(
      'the keys that addresses are hashed with cannot be read: they were made with another secret than this one (secret.key or GATEHOUSE_SECRET)',
      { cause: error },
    );
  }
}
