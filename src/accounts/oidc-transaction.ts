/** Keeps what a sign-in at the OpenID provider began with in an encrypted cookie, until the person comes back: any node can finish it. */
import type { OidcChecks } from './oidc-provider.ts';
import type { SecretBox } from './secret-box.ts';

/** The wishes of a person besides signing in. */
export interface OidcIntent {
  /** Path of the dashboard to open afterwards. */
  readonly next: string;
  /** Hash of the secret of an invitation that is to be accepted. */
  readonly invitation?: string;
  /** Signed-in user who wants to be connected. */
  readonly userId?: string;
}

export interface OidcTransaction extends OidcIntent {
  readonly checks: OidcChecks;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export const OIDC_LIFETIME_MS = 600_000;
const NAME = 'gatehouse.oidc';
const OWNER = 'sign-in at the OpenID provider';
const ATTRIBUTES = 'Path=/dashboard; HttpOnly; SameSite=Lax';

/** `Set-Cookie` header that removes it: each transaction is finished once. */
export const END_TRANSACTION = `${NAME}=; Max-Age=0; ${ATTRIBUTES}`;

export function writeTransaction(box: SecretBox, transaction: OidcTransaction): string {
  const value = box.encrypt(JSON.stringify(transaction), OWNER);
  return `${NAME}=${value}; Max-Age=${OIDC_LIFETIME_MS / 1000}; ${ATTRIBUTES}`;
}

/** `undefined` where there is none, it has expired, or somebody else made it. */
export function readTransaction(
  box: SecretBox,
  cookies: string | undefined,
  now: number,
): OidcTransaction | undefined {
  const pair = cookies?.split('; ').find((each) => each.startsWith(`${NAME}=`));
  if (pair === undefined) return undefined;
  try {
    const transaction = JSON.parse(box.decrypt(pair.slice(NAME.length + 1), OWNER)) as OidcTransaction;
    return transaction.expiresAt > now ? transaction : undefined;
  } catch {
    return undefined;
  }
}
