/** Port of an auth provider's hooks: verify the sender, read the signup, write the reply. */
import type { IncomingHttpHeaders } from 'node:http';
import type { HookAnswer } from '../model/hook.ts';
import type { BroughtBy } from '../model/signup-attempt.ts';
import type { WithPublicKeys } from './hooks-public-keys.ts';

export interface HookRequest {
  /** Body as it was sent: signatures are over these bytes. */
  readonly raw: Buffer;
  readonly headers: IncomingHttpHeaders;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface HookSignup {
  readonly email: string;
  readonly ip: string | undefined;
  /** Id that the user will have at the provider: stored as the session of the signup, so that the account can be found again. */
  readonly userId?: string | undefined;
  /** Absent where the person signs up alone, or the payload does not show it. Never from what the person can write. */
  readonly broughtBy?: BroughtBy | undefined;
}

/** The question of one request. */
export interface HookDelivery {
  /** `null` where there is nothing to assess, such as a signup by phone: it is allowed. */
  readonly signup: HookSignup | null;
  /** Id that is equal in each repetition of the request; `undefined` where the provider sends none. */
  readonly deliveryId: string | undefined;
}

export interface HookDecision {
  readonly answer: HookAnswer;
  /** Set where a challenge is answered as `allow`, for providers that can mark the user. */
  readonly challenge?: HookChallenge | undefined;
}

export interface HookChallenge {
  readonly requestId: string;
  readonly score: number;
  readonly reasons: readonly string[];
}

/** Context that some replies need in addition to the decision. */
export interface HookReplyContext {
  /** The secret that verified the request; `undefined` where it could not be verified. */
  readonly secret: string | undefined;
  /** The body of the request; `undefined` where it is not JSON. */
  readonly body: unknown;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface HookReply {
  readonly status: number;
  readonly body: object;
}

export interface HookProviderContract {
  /** The provider has verified the address by a mail before it asks: a denial spares nobody. */
  readonly hasMailed?: true;
  /** Whether the request was sent by the owner of the secret. @throws when the provider's keys cannot be fetched */
  verify(request: HookRequest, secret: string, withKeys: WithPublicKeys): boolean | Promise<boolean>;
  /**
   * `undefined` where the body is not what the provider documents. `query`: of the hook's URL, which its owner wrote at the
   * provider.
   */
  read(
    body: unknown,
    headers: IncomingHttpHeaders,
    query: Readonly<Record<string, string>>,
  ): HookDelivery | undefined;
  reply(decision: HookDecision, context: HookReplyContext): HookReply;
}

/** Words for the person whose signup was denied. */
export const DENIAL_TITLE = 'Sign-up not possible';
export const DENIAL_MESSAGE =
  'We could not complete this sign-up. If you think that this is a mistake, please contact support.';
/** Code for programs. */
export const DENIAL_CODE = 'signup_denied';

/** Status that a provider expects where nothing else is documented. */
export const OK = 200;
export const FORBIDDEN = 403;

/** Another event of the provider, which is sent to the same URL. */
export const NOTHING_TO_ASSESS: HookDelivery = { signup: null, deliveryId: undefined };
