/** What is kept of a person's address: a keyed hash to count by, and a masked form to show. */
import { createHmac } from 'node:crypto';
import type { EmailAddress } from './email.ts';

const HASH_CHARACTERS = 22;

/** Keyed hash of a text: HMAC-SHA256, 132 bits in base64url. Equal texts give equal hashes under one key. */
export type Fingerprint = (text: string) => string;

export function createFingerprint(secret: Buffer): Fingerprint {
  return (text) => createHmac('sha256', secret).update(text).digest('base64url').slice(0, HASH_CHARACTERS);
}

/** `j***@example.com`. */
export function maskEmail({ local, domain }: EmailAddress): string {
  return `${String.fromCodePoint(local.codePointAt(0) as number)}***@${domain}`;
}
