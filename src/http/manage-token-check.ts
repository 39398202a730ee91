/** Decides which token a request of the management API is sent with, and slows down who sends wrong ones. */
import type { Directory } from '../accounts/directory.ts';
import { createLoginThrottle } from '../accounts/login-throttle.ts';
import { hasTokenForm, stateOf } from '../accounts/manage-tokens.ts';
import { manageProblem } from '../contract/manage-problems.ts';
import type { Problem } from '../contract/problem.ts';
import type { ManageToken } from '../model/manage-token.ts';
import type { RequestContext } from './core/request-context.ts';
import { tryAgainAfter } from './dashboard-work-places.ts';

export interface TokenCheckOptions {
  readonly directory: Pick<Directory, 'tokens' | 'refresh'>;
  /** Network by which failures are counted. */
  readonly networkOf: (ip: string) => string;
  readonly clock: () => number;
}

const BEARER = /^bearer +(\S+) *$/i;
/** Pace of the failures of one network, for all tokens that it tries. A valid token is never refused for them: nobody guesses 190 bits. */
const PACE = { free: 30, maxWaitMs: 30_000, forgetMs: 10_000, forgivable: false };

/** Also brings the directory up to date, so that a token revoked elsewhere, or what another node just made, is seen. @throws Problem */
export type CheckToken = (context: RequestContext) => Promise<ManageToken>;

export function createTokenCheck({ directory, networkOf, clock }: TokenCheckOptions): CheckToken {
  const throttle = createLoginThrottle();

  function refusal(context: RequestContext, problem: Problem): Problem {
    const attempt = throttle.begin([{ name: networkOf(context.ip), pace: PACE }], clock());
    if (!('waitMs' in attempt)) return problem;
    return manageProblem('too_many_attempts', undefined, tryAgainAfter(Math.ceil(attempt.waitMs / 1000)));
  }

  return async (context) => {
    const secret = BEARER.exec(context.headers.authorization ?? '')?.[1];
    // No token, or a key of the public API, is a mistake and no guess.
    if (secret === undefined || !hasTokenForm(secret)) throw manageProblem('unauthorized');
    if (directory.tokens.find(secret) === undefined) throw refusal(context, manageProblem('unauthorized'));
    await directory.refresh();
    // Its account may have been deleted meanwhile.
    const token = directory.tokens.find(secret);
    if (token === undefined) throw manageProblem('unauthorized');
    const now = clock();
    const state = stateOf(token, now);
    if (state === 'revoked') throw refusal(context, manageProblem('token_revoked'));
    if (state === 'expired') throw refusal(context, manageProblem('unauthorized'));
    directory.tokens.note(token.id, now);
    return token;
  };
}
