/** Answers POST /v1/challenges: what became of a challenged signup. */
import type { RedeemChallenge } from '../challenges/redeem-challenge.ts';
import type { ChallengeRequest } from '../contract/messages.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { serializeChallenge } from '../contract/serialize.ts';
import { CHALLENGE_PAGE } from './challenge-page.ts';
import type { Operations } from './operation.ts';
import type { RequestContext } from './request-context.ts';

export interface ChallengeRouteOptions {
  readonly operations: Operations;
  readonly redeemChallenge: RedeemChallenge;
  /** Where people reach the service, without a slash at the end. @throws Problem where that is not known */
  readonly originOf: (context: RequestContext) => string;
}

export function challengeRoute({ operations, redeemChallenge, originOf }: ChallengeRouteOptions): void {
  operations.register<ChallengeRequest>(OPERATIONS.redeemChallenge, async (context, read) => {
    const { account, key } = context.caller;
    const pageUrl = () => `${originOf(context)}${CHALLENGE_PAGE}`;
    const caller = { accountId: account.id, mode: key.mode, pageUrl };
    return serializeChallenge(await redeemChallenge(await read(), caller));
  });
}
