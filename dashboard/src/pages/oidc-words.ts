/** Sentences for a person whose sign-in at the OpenID provider failed. */
import type { OidcRefusal } from '../../../src/contract/oidc-refusal.ts';

const WORDS: Readonly<Record<OidcRefusal, string>> = {
  unreachable: 'The provider that you sign in at does not answer. Try again in a minute.',
  denied: 'The provider did not sign you in. Try again, or ask the provider’s administrator.',
  invalid: 'The provider’s answer could not be used. Sign in again from the start.',
  expired: 'This sign-in took too long, or began in another browser or at another address. Start again.',
  no_role: 'None of your groups has a role here. Ask an owner of the account for an invitation.',
  no_email: 'The provider sends no email address. Ask the operator of this installation.',
  unverified_email:
    'A user with your address exists here, but the provider has not verified the address. Sign in with your password, then connect in your profile.',
  other_identity:
    'Your user here is connected to another account at the provider. Ask the operator of this installation.',
  other_address: 'The invitation is for another address than the one you signed in with.',
  invitation_used: 'This invitation was used, cancelled or has expired. Ask for another one.',
  groups_missing: 'You have more groups than the provider sends. Ask the operator of this installation.',
  unavailable: 'You cannot sign in now. Try again in a minute.',
};

/** `undefined` for what is no refusal: nothing of a URL is shown. */
export function refusalWords(reason: string | null): string | undefined {
  return reason !== null && Object.hasOwn(WORDS, reason) ? WORDS[reason as OidcRefusal] : undefined;
}
