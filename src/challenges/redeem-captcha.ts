/** Redeems a challenge by the response to a CAPTCHA: only a verdict of its provider is a result. */
import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Captcha } from '../contract/messages.ts';
import { Problem } from '../contract/problem.ts';
import type { ChallengeStore } from '../store/challenge-store.ts';
import type { AskCaptcha } from './captcha.ts';
import {
  type Redemption,
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
  const claims = createResponseClaims(clock);
  /** Redemptions of a challenge that wait for the provider. */
  const asked = new Map<string, Promise<unknown>>();

  async function ask(ticket: TicketOfAccount, solved: SolvedCaptcha): Promise<Redemption> {
    const { captcha, response, ip } = solved;
    const verdict = claims.claim(solved, ticket.requestId)
      ? await askCaptcha(captcha, { response, ip })
      : 'unusable';
    if (verdict === 'passed' || verdict === 'failed') return settle(ticket, verdict, captcha);
    claims.release(solved, ticket.requestId);
    const after = await store.findChallenge(ticket.requestId);
    const known = toChallengeResponse(ticket, after);
    if (known.status !== 'pending') return { response: known, isRepeated: true };
    const details =
      verdict === 'unknown'
        ? { status: 'unknown' as const, detail: `${PROVIDERS[captcha]} gave no verdict.` }
        : { detail: 'The response is too old or was used before: show the widget again.' };
    return { response: { ...known, ...details }, isRepeated: false };
  }

  async function redeem(ticket: TicketOfAccount, solved: SolvedCaptcha): Promise<Redemption> {
    const { captcha } = solved;
    // A response can be verified once: a repeated request gets the result of the first.
    const before = await store.findChallenge(ticket.requestId);
    if (before?.method === captcha)
      return { response: toChallengeResponse(ticket, before), isRepeated: true };
    if (before !== undefined && before.status !== 'pending') throw new Problem('challenge_redeemed', captcha);
    requireTime(ticket, clock());
    return ask(ticket, solved);
  }

  return async (ticket: TicketOfAccount, solved: SolvedCaptcha): Promise<Redemption> => {
    const { captcha, ip } = solved;
    if (!askCaptcha.knows(captcha)) throw notSet(captcha);
    if (ip !== null && isIP(ip) === 0) throw new Problem('invalid_ip', 'ip');
    // One after the other: the second of two at the same time gets what a later one gets.
    const before = asked.get(ticket.requestId);
    const redemption = (before ?? Promise.resolve()).then(() => redeem(ticket, solved));
    const ended = redemption.then(
      () => {},
      () => {},
    );
    asked.set(ticket.requestId, ended);
    try {
      return await redemption;
    } finally {
      if (asked.get(ticket.requestId) === ended) asked.delete(ticket.requestId);
    }
  };
}

/** No provider verifies a response that is older: Turnstile accepts it for five minutes, the others for two. */
const RESPONSE_MS = 600_000;
/** Responses that were used; beyond, the oldest are forgotten, and their providers alone refuse a second use. */
const MAX_CLAIMS = 50_000;

/** Challenges that responses were used for: several at the same time would each ask the provider before it has noted the first. */
function createResponseClaims(clock: () => number) {
  const claims = new Map<string, { readonly requestId: string; readonly until: number }>();
  const keyOf = ({ captcha, response }: SolvedCaptcha) =>
    hash('sha256', `${captcha} ${response}`, 'base64url');

  function prune(now: number): void {
    for (const [key, { until }] of claims) {
      if (until > now && claims.size <= MAX_CLAIMS) return;
      claims.delete(key);
    }
  }

  return {
    /** Whether the response may be verified for this challenge. */
    claim(solved: SolvedCaptcha, requestId: string): boolean {
      const now = clock();
      prune(now);
      const key = keyOf(solved);
      const known = claims.get(key);
      if (known !== undefined && known.until > now) return known.requestId === requestId;
      claims.set(key, { requestId, until: now + RESPONSE_MS });
      return true;
    },
    /** Frees a response after an answer that used nothing up. */
    release(solved: SolvedCaptcha, requestId: string): void {
      const key = keyOf(solved);
      if (claims.get(key)?.requestId === requestId) claims.delete(key);
    },
  };
}

function notSet(captcha: Captcha): Problem {
  return new Problem('missing_field', captcha, {
    message: `This service cannot verify responses of ${PROVIDERS[captcha]}.`,
    resolution: `Set GATEHOUSE_${captcha.toUpperCase()}_SECRET, or redeem the token with an outcome.`,
  });
}
