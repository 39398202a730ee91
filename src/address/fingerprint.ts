/** The forms of a person's address that are kept: a keyed hash to count by, and a masked form to show. */
import { hash, hkdfSync } from 'node:crypto';
import type { EmailAddress } from '../model/signup-attempt.ts';
import { createHalfSipHash } from '../platform/half-sip-hash.ts';

const HASH_CHARACTERS = 22;
const STEM_KEY_BYTES = 8;
const NO_HASHES: readonly string[] = [];

/** Keyed hash of a text: 132 bits in base64url. Equal texts give equal hashes under one key. */
export type Fingerprint = (text: string) => string;

/** Hashes with the key in use; what was hashed with an earlier key is found under all keys. */
export interface AddressHashes extends Fingerprint {
  /** The hash of a text under every key that is still in use, the newest first. */
  hashUnderAllKeys(text: string): readonly string[];
  /** Hashes under all keys but the newest: none as long as there was one key. */
  older(text: string): readonly string[];
  /** Hash of the letters of a name before a number under the newest key, 32 bits, never 0. */
  hashStem(stem: string): number;
}

/** Hashes of a running service, which follows the rotation of its keys. */
export interface FollowingHashes extends AddressHashes {
  /** @param secrets of all keys in use, the newest first */
  follow(secrets: readonly Buffer[]): void;
}

/** @param secrets of all keys in use, the newest first */
export function createAddressHashes(secrets: readonly Buffer[]): FollowingHashes {
  let [newest, ...others] = fingerprintsOf(secrets);
  let stemHash = stemHashOf(secrets);
  const older = (text: string) => (others.length === 0 ? NO_HASHES : others.map((hashOf) => hashOf(text)));
  return Object.assign((text: string) => newest(text), {
    hashUnderAllKeys: (text: string) => [newest(text), ...older(text)],
    older,
    hashStem: (stem: string) => stemHash(Buffer.from(stem)) || 1,
    follow(now: readonly Buffer[]) {
      [newest, ...others] = fingerprintsOf(now);
      stemHash = stemHashOf(now);
    },
  });
}

function fingerprintsOf(secrets: readonly Buffer[]): [Fingerprint, ...Fingerprint[]] {
  return secrets.map(createFingerprint) as [Fingerprint, ...Fingerprint[]];
}

function stemHashOf([newest]: readonly Buffer[]) {
  const key = hkdfSync('sha256', newest as Buffer, '', 'gatehouse stems of names', STEM_KEY_BYTES);
  return createHalfSipHash(new Uint8Array(key));
}

/**
 * SHA-256 over the secret and the text, truncated: the secret has a fixed length and the digest is cut, so nothing
 * can be appended to a text whose hash is known. Half the price of an HMAC, which would buy no more here.
 */
export function createFingerprint(secret: Buffer): Fingerprint {
  const prefix = `${secret.toString('hex')}:`;
  return (text) => hash('sha256', prefix + text, 'base64url').slice(0, HASH_CHARACTERS);
}

/** `j***@example.com`. */
export function maskEmail({ local, domain }: EmailAddress): string {
  return `${String.fromCodePoint(local.codePointAt(0) as number)}***@${domain}`;
}
