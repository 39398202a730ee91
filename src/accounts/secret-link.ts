/** Makes the secrets of setup and invite links, and their hashes: only the hash is stored. */
import { hash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** A secret to show once, and its hash to store. */
export function makeLinkSecret(): { secret: string; tokenHash: string } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { secret, tokenHash: hashLinkSecret(secret) };
}

export function hashLinkSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/**
 * The secret is in the fragment, which browsers do not send, so no proxy and no log sees it.
 * @param base where the dashboard is served, without a slash at the end
 */
export function linkUrl(base: string, page: 'setup' | 'invitations', secret: string): string {
  return `${base}/${page}#${secret}`;
}
