/** Port of a mail provider’s webhook: verify the sender, read which mails bounced, and which were reported as spam. */
import type { IncomingHttpHeaders } from 'node:http';
import type { SignupOutcome } from '../model/outcome.ts';
import type { WithCertificate } from './hooks-certificates.ts';
import type { HookRequest } from './hooks-provider.ts';

export interface MailEvent {
  readonly outcome: Extract<SignupOutcome, 'bounced' | 'complained'>;
  readonly email: string;
}

/** Content of one request. */
export interface MailDelivery {
  /** Empty for other events. */
  readonly events: readonly MailEvent[];
  /** Id that is equal in each repetition of the request, and that its signature covers where there is one. */
  readonly deliveryId: string;
  /** URL to fetch once, which confirms that the webhook is wanted: at a host that the secret permits. */
  readonly confirmUrl?: string | undefined;
}

export interface MailProviderContract {
  /** Whether the request was sent by the owner of the secret. @throws when the provider's certificate cannot be fetched */
  verify(request: HookRequest, secret: string, withCertificate: WithCertificate): boolean | Promise<boolean>;
  /** `undefined` where the body is not what the provider documents. @param secret that verified the request */
  read(body: unknown, headers: IncomingHttpHeaders, secret: string): MailDelivery | undefined;
}

/**
 * Max. age of a delivery that may come again with the same signature: providers repeat one for hours. Shorter than the day for
 * which its id is remembered.
 */
export const MAX_DELIVERY_AGE_MS = 12 * 3_600_000;
/** Max. time that a provider's clock is ahead. */
const MAX_AHEAD_MS = 300_000;

/** @param signed milliseconds since the epoch, like `now` */
export function isDeliverable(signed: number, now: number): boolean {
  return now - signed <= MAX_DELIVERY_AGE_MS && signed - now <= MAX_AHEAD_MS;
}
