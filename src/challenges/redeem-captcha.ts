/** Redeems a challenge by the response to a CAPTCHA: only a verdict of its provider is a result. */
import { isIP } from 'node:net';
import type { Captcha, ChallengeResponse } from '../contract/messages.ts';
import { Problem } from '../contract/problem.ts';
import type { ChallengeStore } from '../store/challenge-store.ts';
import type { AskCaptcha } from './captcha.ts';
import {
  requireTime,
  type SettleChallenge,
  type TicketOfAccount,
  toChallengeResponse,
} from './settle-challenge.ts';

export interface RedeemCaptchaOptions {
  readonly store: Pick<ChallengeStore, 'findChallenge'>;
  readonly settle: SettleChallenge;
  readonly askCaptcha: AskCaptcha;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** The response from the visitor's browser. */
export interface SolvedCaptcha {
  readonly captcha: Captcha;
  readonly response: string;
  readonly ip: string | null;
}

const PROVIDERS: Readonly<Record<Captcha, string>> = {
  turnstile: 'Turnstile',
  hcaptcha: 'hCaptcha',
  recaptcha: 'reCAPTCHA',
};

/** @throws Problem as for every redemption, `missing_field` without a secret, and `invalid_ip` */
export function createRedeemCaptcha({ store, settle, askCaptcha, clock }: RedeemCaptchaOptions) {
  return async (
    ticket: TicketOfAccount,
    { captcha, response, ip }: SolvedCaptcha,
  ): Promise<ChallengeResponse> => {
    if (!askCaptcha.knows(captcha)) throw notSet(captcha);
    if (ip !== null && isIP(ip) === 0) throw new Problem('invalid_ip', 'ip');
    // A response can be verified once: a repeated request gets the result of the first.
    const before = await store.findChallenge(ticket.requestId);
    if (before?.method === captcha) return toChallengeResponse(ticket, before);
    if (before !== undefined && before.status !== 'pending') throw new Problem('challenge_redeemed', captcha);
    requireTime(ticket, clock());
    const verdict = await askCaptcha(captcha, { response, ip });
    if (verdict === 'passed' || verdict === 'failed') return settle(ticket, verdict, captcha);
    const after = await store.findChallenge(ticket.requestId);
    const known = toChallengeResponse(ticket, after);
    if (known.status !== 'pending') return known;
    return verdict === 'unknown'
      ? { ...known, status: 'unknown', detail: `${PROVIDERS[captcha]} gave no verdict.` }
      : { ...known, detail: 'The response is too old or was used before: show the widget again.' };
  };
}

function notSet(captcha: Captcha): Problem {
  return new Problem('missing_field', captcha, {
    message: `This service cannot verify responses of ${PROVIDERS[captcha]}.`,
    resolution: `Set GATEHOUSE_${captcha.toUpperCase()}_SECRET, or redeem the token with an outcome.`,
  });
}
