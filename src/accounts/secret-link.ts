/** Makes setup and invite links: each has a secret that works once, and only its hash is stored. */
import { hash, randomBytes } from 'node:crypto';
import type { AuditEntry } from '../store/audit-store.ts';
import type { PeopleStore } from '../store/dashboard-store.ts';
import type { LinkPurpose, SignInStore } from '../store/sign-in-store.ts';

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

type Links = Pick<SignInStore, 'saveLink'>;

const LINK_TTL_MS = 86_400_000;

/** The secret of a link that makes the first operator; `undefined` once there is one. */
export async function makeFirstLink(
  store: Links & Pick<PeopleStore, 'users'>,
  now: number,
  ...audit: AuditEntry[]
): Promise<string | undefined> {
  if ((await store.users()).some(({ operator }) => operator)) return undefined;
  return saveLink(store, { purpose: 'first', userId: null, now }, audit);
}

/** The secret of a link that makes one more operator. */
export function makeOperatorLink(store: Links, now: number, ...audit: AuditEntry[]): Promise<string> {
  return saveLink(store, { purpose: 'operator', userId: null, now }, audit);
}

/** The secret of a link that sets a new password of a user. */
export function makeResetLink(
  store: Links,
  userId: string,
  now: number,
  ...audit: AuditEntry[]
): Promise<string> {
  return saveLink(store, { purpose: 'reset', userId, now }, audit);
}

async function saveLink(
  store: Links,
  { purpose, userId, now }: { purpose: LinkPurpose; userId: string | null; now: number },
  audit: readonly AuditEntry[],
): Promise<string> {
  const { secret, tokenHash } = makeLinkSecret();
  await store.saveLink({ tokenHash, purpose, userId, expiresAt: now + LINK_TTL_MS }, ...audit);
  return secret;
}
