/** Wires challenges: what a challenged signup is offered, and how that is redeemed. */
import { createChallengeTokens } from './challenges/challenge-tokens.ts';
import { createOfferChallenge, type OfferChallenge } from './challenges/offer-challenge.ts';
import { createRedeemChallenge, type RedeemChallenge } from './challenges/redeem-challenge.ts';
import type { Config } from './config.ts';
import type { ChallengeStore } from './store/challenge-store.ts';

export interface ChallengesOptions {
  readonly config: Config;
  readonly store: ChallengeStore;
  readonly secret: Buffer;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export interface WiredChallenges {
  readonly offer: OfferChallenge;
  readonly redeem: RedeemChallenge;
}

export function wireChallenges({ config, store, secret, clock }: ChallengesOptions): WiredChallenges {
  const tokens = createChallengeTokens(secret);
  return {
    offer: createOfferChallenge(tokens, config.challengeMinutes),
    redeem: createRedeemChallenge({ store, tokens, clock }),
  };
}
