/** Makes the secrets of links that let people in, and tells what is kept of one: a hash to know it by. */
import { hash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** A secret to be shown once, and its hash to keep. */
export function makeLinkSecret(): { secret: string; tokenHash: string } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { secret, tokenHash: hashLinkSecret(secret) };
}

export function hashLinkSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/**
 * The secret is in the fragment, which browsers send to nobody, so no proxy and no log gets to see it.
 * @param base where the dashboard is served, without a slash at the end
 */
export function linkUrl(base: string, page: 'setup' | 'invitations', secret: string): string {
  return `${base}/${page}#${secret}`;
}
