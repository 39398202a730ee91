/** Redeems a challenge for an application: by the token alone it is only read. */
import { CAPTCHAS, type ChallengeRequest, type ChallengeResponse } from '../../contract/messages.ts';
import { Problem } from '../../contract/problem.ts';
import type { KeyMode } from '../../model/key-mode.ts';
import type { ChallengeStore, Redeemer } from '../../store/challenge-store.ts';
import type { IdempotencyStore } from '../../store/idempotency-store.ts';
import type { AskCaptcha } from './captcha.ts';
import type { ChallengeTicket, ChallengeTokens } from './challenge-tokens.ts';
import type { ConfirmChallenge } from './confirm-challenge.ts';
import { type FindTicket, wrongMode } from './find-ticket.ts';
import { createRedeemCaptcha, type SolvedCaptcha } from './redeem-captcha.ts';
import type { ProofPage, RedeemProof } from './redeem-proof.ts';
import {
  type Redemption,
  requireTime,
  type SettleChallenge,
  type TicketOfAccount,
  toChallengeResponse,
} from './settle-challenge.ts';

/** The application that redeems. */
export interface ChallengeCaller {
  readonly accountId: string;
  readonly mode: KeyMode;
  /** Id of the call. */
  readonly callId: string;
  /** The one who is told a result once. */
  readonly redeemer: Redeemer;
  /** URL at which visitors find the page that confirms. @throws Problem where that is not known */
  pageUrl(): string;
}

export interface RedeemChallengeOptions {
  readonly store: Pick<ChallengeStore, 'findChallenge'> & Pick<IdempotencyStore, 'useKey' | 'forgetKey'>;
  readonly tokens: Pick<ChallengeTokens, 'read'>;
  readonly findTicket: FindTicket;
  readonly confirm: ConfirmChallenge;
  readonly proof: RedeemProof;
  readonly settle: SettleChallenge;
  readonly askCaptcha: AskCaptcha;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** @throws Problem `challenge_invalid`, `challenge_expired`, `challenge_redeemed`, or `missing_field` */
export type RedeemChallenge = (request: ChallengeRequest, caller: ChallengeCaller) => Promise<Redemption>;

const CHECKS = ['outcome', 'proof', 'altcha', ...CAPTCHAS, 'confirm', 'code'] as const;
const REQUEST_ID = /^req_/;

export function createRedeemChallenge(options: RedeemChallengeOptions): RedeemChallenge {
  const { store, tokens, findTicket, settle, confirm, proof, clock } = options;
  const redeemCaptcha = createRedeemCaptcha(options);

  /** Only the first answer with a result is not repeated, and reading is never the first. */
  async function read(ticket: TicketOfAccount): Promise<Redemption> {
    const known = await store.findChallenge(ticket.requestId);
    if (known === undefined || known.status === 'pending') requireTime(ticket, clock());
    return notFirst(toChallengeResponse(ticket, known));
  }

  async function ticketOf(token: string, caller: ChallengeCaller): Promise<ChallengeTicket> {
    if (REQUEST_ID.test(token)) return findTicket(token, caller);
    const signed = tokens.read(token, caller);
    if (signed === undefined) throw otherMode(tokens, token, caller);
    return signed;
  }

  return async (request, caller) => {
    const { accountId, mode, redeemer, callId } = caller;
    const ticket = { ...(await ticketOf(request.token, caller)), accountId, mode };
    const { outcome, confirm: confirmation, proof: asked, altcha, code } = request;
    const check = checkOf(request);
    if (outcome !== undefined) return settle(ticket, { status: outcome, method: 'application', redeemer });
    if (asked !== undefined) return notFirst(await proof.open(ticket, readPage(asked.return_url, caller)));
    if (altcha !== undefined) return proof.redeem(ticket, altcha, redeemer);
    if (confirmation !== undefined)
      return notFirst(await confirm.open(ticket, readReturnUrl(confirmation.return_url), caller.pageUrl()));
    if (code !== undefined) return confirm.enterCode(ticket, code, redeemer);
    if (check === undefined) return read(ticket);
    return redeemCaptcha(ticket, { ...check, ip: request.ip || null }, { callId, redeemer });
  };
}

/** An answer that does not store a result. A challenge that is pending has none to repeat. */
function notFirst(response: ChallengeResponse): Redemption {
  return { response, isRepeated: response.status !== 'pending' };
}

/** Only addresses that a browser opens as a page: the application vouches for the rest. */
function readReturnUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.username + url.password === '')
    return url.href;
  throw new Problem('missing_field', 'return_url', {
    message: 'The return URL cannot be used.',
    resolution: 'Send an absolute http or https URL without user and password.',
  });
}

/** Our own page needs to know where the visitor continues; without it, the application shows the widget. */
function readPage(returnUrl: string | undefined, caller: Pick<ChallengeCaller, 'pageUrl'>): ProofPage | null {
  const url = readReturnUrl(returnUrl);
  return url === null ? null : { returnUrl: url, url: caller.pageUrl() };
}

/** The CAPTCHA that the request redeems by, if it is one. @throws Problem where it redeems in several ways */
function checkOf(request: ChallengeRequest): Pick<SolvedCaptcha, 'captcha' | 'response'> | undefined {
  const [check, another] = CHECKS.filter((name) => request[name] !== undefined);
  if (another !== undefined)
    throw new Problem('missing_field', another, {
      message: 'The request redeems in more than one way.',
      resolution: `Send only one of ${CHECKS.map((name) => `\`${name}\``).join(', ')}.`,
    });
  const captcha = CAPTCHAS.find((name) => name === check);
  return captcha && { captcha, response: request[captcha] as string };
}

/** A token of live signups is not redeemed by a sandbox key, nor the other way round: the error says so. */
function otherMode(
  tokens: RedeemChallengeOptions['tokens'],
  token: string,
  caller: Pick<ChallengeCaller, 'accountId' | 'mode'>,
): Problem {
  const mode = caller.mode === 'live' ? 'test' : 'live';
  if (tokens.read(token, { ...caller, mode }) === undefined) return new Problem('challenge_invalid', 'token');
  return wrongMode(mode);
}
