/** Wires challenges: the offer to a challenged signup, and its redemption. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../http/metrics.ts';
import { createWebClient } from '../outbound/web-client.ts';
import { createAskCaptcha } from '../signup/challenges/captcha.ts';
import { captchaProviders } from '../signup/challenges/captcha-providers.ts';
import {
  createChallengeTokens,
  createOfferChallenge,
  type OfferChallenge,
} from '../signup/challenges/challenge-tokens.ts';
import { type ConfirmChallenge, createConfirmChallenge } from '../signup/challenges/confirm-challenge.ts';
import { createFindTicket } from '../signup/challenges/find-ticket.ts';
import { createProofOfWork } from '../signup/challenges/proof-of-work.ts';
import { createRedeemChallenge, type RedeemChallenge } from '../signup/challenges/redeem-challenge.ts';
import { createRedeemProof, type RedeemProof } from '../signup/challenges/redeem-proof.ts';
import { createSettleChallenge } from '../signup/challenges/settle-challenge.ts';
import type { ChallengeStore } from '../store/challenge-store.ts';
import type { IdempotencyStore } from '../store/idempotency-store.ts';
import type { AssessmentStore } from '../store/store.ts';

export interface ChallengesOptions {
  readonly config: Config;
  readonly store: ChallengeStore & IdempotencyStore & Pick<AssessmentStore, 'findStored'>;
  readonly secret: Buffer;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'proofOfWork'>;
}

export interface WiredChallenges {
  readonly offer: OfferChallenge;
  readonly redeem: RedeemChallenge;
  readonly confirm: ConfirmChallenge;
  readonly proof: RedeemProof;
  close(): void;
}

export function wireChallenges(options: ChallengesOptions): WiredChallenges {
  const { config, store, secret, clock, log, metrics } = options;
  const tokens = createChallengeTokens(secret);
  const web = createWebClient({ proxies: config });
  const askCaptcha = createAskCaptcha({
    web,
    providers: captchaProviders(config),
    onUnknown: (captcha, error) => log.warn({ captcha, err: error }, 'a CAPTCHA could not be verified'),
  });
  const settle = createSettleChallenge({ store, clock });
  const { challengeMinutes: lifetimeMinutes, proofWork: factor } = config;
  const work = createProofOfWork({ secret, store, factor, onProof: metrics.proofOfWork });
  const proof = createRedeemProof({ store, tokens, settle, work, clock });
  const confirm = createConfirmChallenge({ store, tokens, settle, work, clock });
  const findTicket = createFindTicket({ store, lifetimeMinutes });
  return {
    offer: createOfferChallenge(tokens, lifetimeMinutes),
    redeem: createRedeemChallenge({ store, tokens, findTicket, settle, confirm, proof, askCaptcha, clock }),
    confirm,
    proof,
    close: () => web.close(),
  };
}
