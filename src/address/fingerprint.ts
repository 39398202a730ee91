/** What is kept of a person's address: a keyed hash to count by, and a masked form to show. */
import { hash } from 'node:crypto';
import type { EmailAddress } from '../model/signup-attempt.ts';

const HASH_CHARACTERS = 22;

/** Keyed hash of a text: 132 bits in base64url. Equal texts give equal hashes under one key. */
export type Fingerprint = (text: string) => string;

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
