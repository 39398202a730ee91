/** Decides how soon a password or a code may be tried again. Failures from other networks do not slow a user or a known device. */
import type { KnownDevices } from '../accounts/known-device.ts';
import { createLoginThrottle, type FailureCount } from '../accounts/login-throttle.ts';
import type { Visitor } from '../accounts/sign-in.ts';
import { Problem } from '../contract/problem.ts';
import type { RequestContext } from './core/request-context.ts';
import { createPlaces, tryAgainAfter } from './dashboard-work-places.ts';

/** The person who tries a secret: the user of an open session, or anybody, with the address that was typed. */
export type Prover =
  | { readonly sessionId: string }
  | {
      readonly email: string | undefined;
      /** Whether they have a valid link. */
      readonly invited?: boolean;
    };

/** A call that is refused before its secret is checked counts neither as a failure nor as a success. */
export type PasswordOutcome = 'right' | 'wrong' | 'not_looked_at';

export interface Attempts {
  /**
   * Runs a password check, and counts it as failed until it succeeds.
   * @throws Problem `too_many_attempts` or `unavailable`, with Retry-After
   */
  provePassword<T>(
    context: RequestContext,
    who: Prover,
    work: () => Promise<T>,
    outcomeOf?: (answer: T) => PasswordOutcome,
  ): Promise<T>;
  /** Tries a code, which costs no hash. */
  proveCode<T>(
    context: RequestContext,
    who: Prover,
    work: () => Promise<T>,
    outcomeOf: (answer: T) => PasswordOutcome,
  ): Promise<T>;
  /** Runs what hashes a password for somebody with a link. @throws Problem `unavailable`, with Retry-After */
  hashForLink<T>(work: () => Promise<T>): Promise<T>;
}

export interface AttemptsOptions {
  readonly devices: Pick<KnownDevices, 'recognise'>;
  readonly visitorOf: (context: RequestContext) => Pick<Visitor, 'cookie' | 'network'>;
  readonly clock: () => number;
}

const MINUTE_MS = 60_000;
const PACES = {
  /** One user from one network, or from one known device. */
  user: { free: 10, maxWaitMs: MINUTE_MS, forgetMs: 6 * MINUTE_MS, forgivable: true },
  /** One network, for all users that it tries. */
  network: { free: 100, maxWaitMs: MINUTE_MS / 2, forgetMs: MINUTE_MS, forgivable: false },
  /** Somebody who is signed in and mistypes the current password or the code. */
  session: { free: 10, maxWaitMs: 5000, forgetMs: MINUTE_MS, forgivable: true },
};
/** Hashes that wait, each about 30 ms of one core: some places are reserved for an open session, a known device or a link. */
const MAX_HASHES = { known: 32, stranger: 24 };
const HASH_RETRY_S = 2;

export function createAttempts({ devices, visitorOf, clock }: AttemptsOptions): Attempts {
  const throttle = createLoginThrottle();
  const places = createPlaces();

  /** Runs work that hashes a password, if there is a place for it. */
  async function withPlace<T>(known: boolean, work: () => Promise<T>): Promise<T> {
    const leave = places.take('hash', known ? MAX_HASHES.known : MAX_HASHES.stranger);
    if (leave === undefined) {
      const message = 'Too many people are signing in right now.';
      throw new Problem('unavailable', undefined, { message, ...tryAgainAfter(HASH_RETRY_S) });
    }
    return work().finally(leave);
  }

  async function countsOf(
    context: RequestContext,
    who: Prover,
  ): Promise<{ known: boolean; counts: FailureCount[] }> {
    if ('sessionId' in who)
      return { known: true, counts: [{ name: `session ${who.sessionId}`, pace: PACES.session }] };
    // A code after a right password: the library counts those by user, five for each sign-in and ten in a row.
    if (who.email === undefined) return { known: false, counts: [] };
    const { cookie, network } = visitorOf(context);
    const device = await devices.recognise(cookie, who.email);
    if (device !== undefined)
      return { known: true, counts: [{ name: `device ${device}`, pace: PACES.user }] };
    const ofNetwork = { name: `network ${network}`, pace: PACES.network };
    const ofUser = { name: `user ${who.email} from ${network}`, pace: PACES.user };
    return { known: who.invited === true, counts: [ofUser, ofNetwork] };
  }

  async function prove<T>(
    counts: readonly FailureCount[],
    work: () => Promise<T>,
    outcomeOf: (answer: T) => PasswordOutcome,
  ): Promise<T> {
    const attempt = throttle.begin(counts, clock());
    if ('waitMs' in attempt)
      throw new Problem('too_many_attempts', undefined, tryAgainAfter(Math.ceil(attempt.waitMs / 1000)));
    try {
      const answer = await work();
      const outcome = outcomeOf(answer);
      if (outcome === 'right') attempt.succeeded();
      if (outcome === 'not_looked_at') attempt.withdrawn();
      return answer;
    } catch (error) {
      // A wrong password stays counted; a store that cannot be reached is not the user's failure.
      if (!(error instanceof Problem && error.code === 'sign_in_failed')) attempt.withdrawn();
      throw error;
    }
  }

  return {
    async provePassword(context, who, work, outcomeOf = () => 'right') {
      const { known, counts } = await countsOf(context, who);
      return withPlace(known, () => prove(counts, work, outcomeOf));
    },
    async proveCode(context, who, work, outcomeOf) {
      const { counts } = await countsOf(context, who);
      return prove(counts, work, outcomeOf);
    },
    hashForLink: (work) => withPlace(true, work),
  };
}
