/** What a person is told whose sign-in at the OpenID provider came to nothing. */
import type { OidcRefusal } from '../../../src/contract/oidc-refusal.ts';

const WORDS: Readonly<Record<OidcRefusal, string>> = {
  unreachable: 'The provider that you sign in at does not answer. Try again in a minute.',
  denied: 'The provider did not sign you in. Try again, or ask who runs it.',
  invalid: 'The answer of the provider could not be used. Start again; each answer works once.',
  expired: 'This sign-in took too long, or began in another browser or at another address. Start again.',
  no_role: 'None of your groups has a role here. Ask an owner of the account for an invitation.',
  no_email: 'The provider sends no email address. Ask the operator of this installation.',
  unverified_email:
    'Your address belongs to somebody here, and the provider has not verified it. Sign in as before, and connect in your profile.',
  other_identity:
    'You are connected with another person at the provider. Ask the operator of this installation.',
  other_address: 'The invitation is for another address than the one you signed in with.',
  invitation_used: 'This invitation was used, cancelled or has expired. Ask for another one.',
  groups_missing: 'You have more groups than the provider sends. Ask the operator of this installation.',
  unavailable: 'You cannot sign in now. Try again in a minute.',
};

/** `undefined` for what is no refusal: nothing of a URL is shown. */
export function refusalWords(reason: string | null): string | undefined {
  return reason !== null && Object.hasOwn(WORDS, reason) ? WORDS[reason as OidcRefusal] : undefined;
}
