/** Redeems a challenge by the response to a CAPTCHA: only a verdict of its provider is a result, and one response passes one challenge. */
import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Captcha } from '../../contract/messages.ts';
import { Problem } from '../../contract/problem.ts';
import type { IdempotencyClaim } from '../../model/idempotency-claim.ts';
import type { ChallengeStore, Redeemer } from '../../store/challenge-store.ts';
import type { IdempotencyStore } from '../../store/idempotency-store.ts';
import type { AskCaptcha } from './captcha.ts';
import {
  type Redemption,
  requireTime,
  type SettleChallenge,
  type TicketOfAccount,
  toChallengeResponse,
} from './settle-challenge.ts';

export interface RedeemCaptchaOptions {
  readonly store: Pick<ChallengeStore, 'findChallenge'> & Pick<IdempotencyStore, 'useKey' | 'forgetKey'>;
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

/** Max. wait for a request that asks about the same response. A provider may take less, so the process that asked has ended. */
const WAIT_MS = 2_500;
/** Pause between two looks for the result of that request. */
const POLL_MS = 50;

/** @throws Problem as for every redemption, `missing_field` without a secret, and `invalid_ip` */
export function createRedeemCaptcha({ store, settle, askCaptcha, clock }: RedeemCaptchaOptions) {
  async function ask(ticket: TicketOfAccount, solved: SolvedCaptcha, by: CaptchaCaller): Promise<Redemption> {
    const { captcha, response, ip } = solved;
    const verdict = await askCaptcha(captcha, { response, ip });
    if (verdict === 'passed' || verdict === 'failed')
      return settle(ticket, { status: verdict, method: captcha, redeemer: by.redeemer });
    // Nothing was used up.
    await store.forgetKey(by.callId);
    return withoutResult(ticket, solved, by, verdict);
  }

  async function withoutResult(
    ticket: TicketOfAccount,
    { captcha }: SolvedCaptcha,
    { redeemer }: CaptchaCaller,
    verdict: 'unusable' | 'unknown',
  ): Promise<Redemption> {
    const after = await store.findChallenge(ticket.requestId);
    if (after !== undefined && after.status !== 'pending')
      return settle.tell(ticket, after, { method: captcha, redeemer });
    const details =
      verdict === 'unknown'
        ? { status: 'unknown' as const, detail: `${PROVIDERS[captcha]} gave no verdict.` }
        : { detail: 'The response is too old or was used before: show the widget again.' };
    return { response: { ...toChallengeResponse(ticket, after), ...details }, isRepeated: false };
  }

  return async (ticket: TicketOfAccount, solved: SolvedCaptcha, by: CaptchaCaller): Promise<Redemption> => {
    const { captcha, ip } = solved;
    if (!askCaptcha.knows(captcha)) throw notSet(captcha);
    if (ip !== null && isIP(ip) === 0) throw new Problem('invalid_ip', 'ip');
    for (const until = performance.now() + WAIT_MS; ; await sleep(POLL_MS)) {
      const known = await store.findChallenge(ticket.requestId);
      if (known !== undefined && known.status !== 'pending') {
        if (known.method !== captcha) throw new Problem('challenge_redeemed', captcha);
        return settle.tell(ticket, known, { method: captcha, redeemer: by.redeemer });
      }
      requireTime(ticket, clock());
      const use = await store.useKey(claimOf(ticket, solved, by, clock()));
      if (use === 'claimed') return ask(ticket, solved, by);
      // Another request asks about this response for the same challenge: its result comes soon.
      if (use === 'conflict' || performance.now() >= until)
        return withoutResult(ticket, solved, by, 'unusable');
    }
  };
}

/** Call that redeems by a response. */
export interface CaptchaCaller {
  readonly callId: string;
  readonly redeemer: Redeemer;
}

/**
 * Lets one response pass one challenge of the installation, on any node and after a restart, whatever its provider says:
 * before it is asked, the response is used up like an idempotency key, for a day. Providers verify none that is ten minutes old.
 */
function claimOf(
  { requestId }: TicketOfAccount,
  { captcha, response }: SolvedCaptcha,
  { callId }: CaptchaCaller,
  at: number,
): IdempotencyClaim {
  return {
    // The secret is the installation's, so a response is of no account.
    accountId: '',
    mode: 'live',
    operation: 'captcha',
    keyHash: hash('sha256', `${captcha} ${response}`, 'base64url'),
    bodyDigest: hash('sha256', requestId, 'base64url'),
    requestId: callId,
    at,
  };
}

function notSet(captcha: Captcha): Problem {
  return new Problem('missing_field', captcha, {
    message: `This service cannot verify responses of ${PROVIDERS[captcha]}.`,
    resolution: `Set GATEHOUSE_${captcha.toUpperCase()}_SECRET, or redeem the token with an outcome.`,
  });
}
