/** Why nobody signed in at the OpenID provider: a reason for the person, and the cause for the log. */
import type { OidcRefusal } from '../contract/oidc-refusal.ts';

export class OidcFailure extends Error {
  override readonly name = 'OidcFailure';
  readonly reason: OidcRefusal;

  constructor(reason: OidcRefusal, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}
