/** A provider's admin API: accounts of people who signed up can be held and released there. */
import type { AccountBefore, ProviderKind } from '../model/account-provider.ts';

/** Settings of a connection, decrypted. */
export interface ProviderSettings {
  readonly kind: ProviderKind;
  /** Base URL of the admin API, without a trailing slash. */
  readonly url: string;
  /** Bearer token, service key, or the secret of the signed better-auth endpoint. */
  readonly secret: string;
  /** Keycloak and Auth0: id of the client whose secret `secret` is; others: `null`. */
  readonly clientId: string | null;
  /** Keycloak: realm. Others: `null`. */
  readonly realm: string | null;
}

export type Held =
  | { readonly outcome: 'held'; readonly before: AccountBefore }
  /** Somebody else held it already: nothing was written. */
  | { readonly outcome: 'already' }
  /** The provider has nobody of this id. */
  | { readonly outcome: 'missing' };

export type Released =
  /** An account that was already what it had been counts too: then nothing was written. */
  | { readonly outcome: 'released' }
  /** Somebody else holds it now, as far as the provider tells: nothing was written. */
  | { readonly outcome: 'changed' }
  | { readonly outcome: 'missing' };

/**
 * Each call makes the few requests that it needs, and no more.
 * @throws {ProviderBusy} with the time to wait
 * @throws {ProviderRefused} for credentials or settings, which ends the job
 * @throws other errors when it failed, and may be tried again
 */
export interface AccountProvider {
  /** Reads the account's state and, unless it is held, reports it to `remember`, which must be durable before the account is held. */
  hold(
    userId: string,
    remember: (before: AccountBefore) => Promise<void>,
    signal: AbortSignal,
  ): Promise<Held>;
  release(userId: string, before: AccountBefore, signal: AbortSignal): Promise<Released>;
  /** Asks for something harmless, to prove URL and credentials. */
  check(signal: AbortSignal): Promise<void>;
}

/** The provider wants a pause. */
export class ProviderBusy extends Error {
  /** Pause: at least a second, at most an hour. */
  readonly retryAfterMs: number;
  constructor(retryAfterMs: number) {
    super(`the provider wants a pause of ${Math.ceil(retryAfterMs / 1_000)} s`);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Credentials or settings that do not do. The message is one line that says what to do, without a secret: people may read it. */
export class ProviderRefused extends Error {}
