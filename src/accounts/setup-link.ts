/** Makes setup links on the command line: for the first operator, another operator, or a new password. */
import type { AuditEntry, PeopleStore } from '../store/dashboard-store.ts';
import type { LinkPurpose, SignInStore } from '../store/sign-in-store.ts';
import { linkUrl, makeLinkSecret } from './secret-link.ts';

type Links = Pick<SignInStore, 'saveLink'>;

const HOLDS_MS = 86_400_000;

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

/** @param base where the dashboard is served, without a slash at the end */
export function setupUrl(base: string, secret: string): string {
  return linkUrl(base, 'setup', secret);
}

async function saveLink(
  store: Links,
  { purpose, userId, now }: { purpose: LinkPurpose; userId: string | null; now: number },
  audit: readonly AuditEntry[],
): Promise<string> {
  const { secret, tokenHash } = makeLinkSecret();
  await store.saveLink({ tokenHash, purpose, userId, expiresAt: now + HOLDS_MS }, ...audit);
  return secret;
}
