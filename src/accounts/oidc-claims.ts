/** Reads what an OpenID provider says about a person: only what has the right form counts. */
import { OidcFailure } from './oidc-failure.ts';
import { readUserEmail } from './user-fields.ts';

export interface OidcPerson {
  readonly issuer: string;
  readonly subject: string;
  /** Address in lower case; `undefined` if the provider sends none that people here can have. */
  readonly email: string | undefined;
  /** Whether the provider has verified the address. */
  readonly emailVerified: boolean;
  readonly name: string;
  readonly groups: readonly string[];
}

export type Claims = Readonly<Record<string, unknown>>;

const MAX_SUBJECT = 255;
const MAX_NAME = 100;

/** @throws OidcFailure */
export function readPerson(claims: Claims, groupsClaim: string): OidcPerson {
  const { iss: issuer, sub: subject } = claims;
  if (typeof issuer !== 'string' || typeof subject !== 'string' || subject.length > MAX_SUBJECT)
    throw new OidcFailure('invalid', 'the provider sends no usable subject');
  const email = emailOf(claims);
  return {
    issuer,
    subject,
    email,
    // Some providers send the text.
    emailVerified:
      email !== undefined && (claims.email_verified === true || claims.email_verified === 'true'),
    name: nameOf(claims, email ?? subject),
    groups: groupsOf(claims, groupsClaim),
  };
}

/** The value of a claim: of one with this name, else at this path. */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, part) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, part)
          ? (value as Claims)[part]
          : undefined,
      claims,
    );
}

function emailOf({ email }: Claims): string | undefined {
  try {
    return readUserEmail(typeof email === 'string' ? email : undefined);
  } catch {
    return undefined;
  }
}

function nameOf({ name, preferred_username: username }: Claims, fallback: string): string {
  const texts = [name, username, fallback].filter((text) => typeof text === 'string');
  const printable = texts.map((text) => text.replace(/\p{C}/gu, '').trim().slice(0, MAX_NAME));
  return printable.find((text) => text !== '') ?? 'Unnamed';
}

/** @throws OidcFailure where the provider only says where the groups can be read: without them, roles would be taken away */
function groupsOf(claims: Claims, groupsClaim: string): readonly string[] {
  const groups = claimAt(claims, groupsClaim);
  if (typeof groups === 'string') return [groups];
  if (Array.isArray(groups)) return groups.filter((group) => typeof group === 'string');
  if (isNamed(claims._claim_names, groupsClaim))
    throw new OidcFailure(
      'groups_missing',
      `the provider sends no groups in ${groupsClaim}: there are too many`,
    );
  return [];
}

function isNamed(names: unknown, claim: string): boolean {
  return typeof names === 'object' && names !== null && Object.hasOwn(names, claim);
}
