/** Reasons why a sign-in at the OpenID provider came to nothing: the page that the person returns to says what to do. */
export const OIDC_REFUSALS = [
  // The provider cannot be reached, is too slow, or answers what no provider answers.
  'unreachable',
  // The provider itself refused, or the person did.
  'denied',
  // The answer does not prove anything: a wrong state, nonce, issuer or signature, or a code that was used.
  'invalid',
  // The cookie of this sign-in is not there, or too old.
  'expired',
  'no_role',
  'no_email',
  // The address belongs to a person, and the provider has not verified it.
  'unverified_email',
  // The person is connected with somebody else at the provider, or the other way round.
  'other_identity',
  // The invitation is for another address.
  'other_address',
  'invitation_used',
  // The provider sends groups by reference: there are too many.
  'groups_missing',
  'unavailable',
] as const;

export type OidcRefusal = (typeof OIDC_REFUSALS)[number];
