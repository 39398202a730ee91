/** Wires challenges: the offer to a challenged signup, and its redemption. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Captcha } from '../contract/messages.ts';
import { createWebClient } from '../outbound/web-client.ts';
import { type CaptchaProvider, createAskCaptcha } from '../signup/challenges/captcha.ts';
import {
  createChallengeTokens,
  createOfferChallenge,
  type OfferChallenge,
} from '../signup/challenges/challenge-tokens.ts';
import { type ConfirmChallenge, createConfirmChallenge } from '../signup/challenges/confirm-challenge.ts';
import { createRedeemChallenge, type RedeemChallenge } from '../signup/challenges/redeem-challenge.ts';
import { createSettleChallenge } from '../signup/challenges/settle-challenge.ts';
import type { ChallengeStore } from '../store/challenge-store.ts';
import type { IdempotencyStore } from '../store/idempotency-store.ts';

export interface ChallengesOptions {
  readonly config: Config;
  readonly store: ChallengeStore & IdempotencyStore;
  readonly secret: Buffer;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly log: Logger;
}

export interface WiredChallenges {
  readonly offer: OfferChallenge;
  readonly redeem: RedeemChallenge;
  readonly confirm: ConfirmChallenge;
  close(): void;
}

export function wireChallenges({ config, store, secret, clock, log }: ChallengesOptions): WiredChallenges {
  const tokens = createChallengeTokens(secret);
  const web = createWebClient({ proxies: config });
  const askCaptcha = createAskCaptcha({
    web,
    providers: captchaProviders(config),
    onUnknown: (captcha, error) => log.warn({ captcha, err: error }, 'a CAPTCHA could not be verified'),
  });
  const settle = createSettleChallenge({ store, clock });
  const confirm = createConfirmChallenge({ store, tokens, settle, clock });
  return {
    offer: createOfferChallenge(tokens, config.challengeMinutes),
    redeem: createRedeemChallenge({ store, tokens, settle, confirm, askCaptcha, clock }),
    confirm,
    close: () => web.close(),
  };
}

/** Providers that have a secret. */
function captchaProviders(config: Config): Partial<Record<Captcha, CaptchaProvider>> {
  const { turnstileSecret, hcaptchaSecret, recaptchaSecret, recaptchaMinScore: minScore } = config;
  return {
    ...(turnstileSecret !== null && { turnstile: { url: config.turnstileUrl, secret: turnstileSecret } }),
    ...(hcaptchaSecret !== null && { hcaptcha: { url: config.hcaptchaUrl, secret: hcaptchaSecret } }),
    ...(recaptchaSecret !== null && {
      recaptcha: { url: config.recaptchaUrl, secret: recaptchaSecret, minScore },
    }),
  };
}
