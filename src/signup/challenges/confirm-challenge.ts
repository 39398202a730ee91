/** Confirms a challenge by the link or the code that the application sent to the visitor's address. */
import type { ChallengeConfirmation, ChallengeResponse } from '../../contract/messages.ts';
import { Problem } from '../../contract/problem.ts';
import {
  type ChallengeStore,
  MAILS_COUNT_MS,
  type MailLimits,
  type Redeemer,
  type StoredChallenge,
} from '../../store/challenge-store.ts';
import type { ChallengeTicket, ChallengeTokens } from './challenge-tokens.ts';
import type { ProofOfWork } from './proof-of-work.ts';
import {
  type Redemption,
  requireTime,
  type SettleChallenge,
  type TicketOfAccount,
  toChallengeResponse,
} from './settle-challenge.ts';

export interface ConfirmChallengeOptions {
  readonly store: Pick<ChallengeStore, 'findChallenge' | 'orderMail' | 'countCodeAttempt'>;
  readonly tokens: Pick<ChallengeTokens, 'issueVisitorToken' | 'readVisitorToken' | 'codeOf' | 'isCode'>;
  readonly settle: SettleChallenge;
  readonly work: Pick<ProofOfWork, 'check'>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** The body that the visitor's browser sends. */
export interface VisitorConfirmation {
  readonly token: string;
  readonly code?: string | undefined;
  /** The response of the widget, for a proof of work. */
  readonly altcha?: string | undefined;
}

export interface ConfirmChallenge {
  /**
   * Makes a link and a code for one mail, always the same ones for one challenge; none once it has a result.
   * @throws Problem `challenge_mails_used`, `challenge_mailbox_full`
   */
  open(ticket: TicketOfAccount, returnUrl: string | null, pageUrl: string): Promise<ChallengeResponse>;
  /** @throws Problem `challenge_code_wrong`, `challenge_redeemed` where somebody else was told the result */
  enterCode(ticket: TicketOfAccount, code: string, redeemer: Redeemer): Promise<Redemption>;
  /** The URL where the visitor continues, or `null`. @throws Problem for a token or code that does not confirm */
  byVisitor(confirmation: VisitorConfirmation): Promise<string | null>;
}

/** There are a million codes. Sending the mail again gives no further attempts. */
const MAX_CODE_ATTEMPTS = 5;
/**
 * The sender of a form decides which mailbox gets the mail. People need one mail, rarely three; each new form makes a
 * challenge, so a mailbox has a limit of its own.
 */
const MAIL_LIMITS: MailLimits = {
  perChallenge: 3,
  perMailbox: [
    { max: 6, withinMs: 3_600_000 },
    { max: 12, withinMs: MAILS_COUNT_MS },
  ],
  firstOfNetwork: { max: 24, withinMs: MAILS_COUNT_MS },
};

export function createConfirmChallenge(options: ConfirmChallengeOptions): ConfirmChallenge {
  const { store, tokens, settle, work, clock } = options;

  /** A pending challenge; one that was passed before is returned as it is. */
  async function find(ticket: ChallengeTicket): Promise<StoredChallenge> {
    const known = await store.findChallenge(ticket.requestId);
    if (known === undefined) throw new Problem('challenge_invalid', 'token');
    if (known.status === 'failed') throw new Problem('challenge_redeemed', 'token');
    if (known.status === 'pending') requireTime(ticket, clock());
    return known;
  }

  async function enterCode(
    ticket: TicketOfAccount,
    code: string,
    redeemer: Redeemer | null,
  ): Promise<Redemption> {
    const known = await find(ticket);
    if (known.status === 'passed') return settle.tell(ticket, known, { method: 'code', redeemer });
    // Counted before it is compared, so that attempts at the same time count too.
    const isCounted = await store.countCodeAttempt(ticket.requestId, MAX_CODE_ATTEMPTS);
    if (!isCounted) throw new Problem('challenge_code_wrong', 'code', NO_ATTEMPTS);
    if (!tokens.isCode(code.replaceAll(' ', ''), ticket)) throw new Problem('challenge_code_wrong', 'code');
    return settle(ticket, { status: 'passed', method: 'code', redeemer });
  }

  return {
    async open(ticket, returnUrl, pageUrl) {
      requireTime(ticket, clock());
      const order = await store.orderMail({ ...ticket, at: clock(), returnUrl }, MAIL_LIMITS);
      if (order === 'used') throw new Problem('challenge_mails_used', 'confirm');
      if (order === 'mailbox') throw new Problem('challenge_mailbox_full', 'confirm');
      const known = await store.findChallenge(ticket.requestId);
      if (known === undefined) throw new Problem('challenge_invalid', 'token');
      const response = toChallengeResponse(ticket, known);
      return order === 'ordered'
        ? { ...response, confirmation: confirmationOf(tokens, ticket, pageUrl) }
        : response;
    },
    enterCode,
    async byVisitor({ token, code, altcha }) {
      const ticket = tokens.readVisitorToken(token);
      if (ticket === undefined) throw new Problem('challenge_invalid', 'token');
      const { status, accountId, mode, returnUrl } = await find(ticket);
      if (status === 'passed') return returnUrl;
      const { requestId, expiresAt, kind } = ticket;
      const own = { requestId, expiresAt, accountId };
      const proof = { link: '', page: code, work: altcha }[kind];
      if (proof === undefined) throw new Problem('missing_field', kind === 'page' ? 'code' : 'altcha');
      if (kind === 'page') await enterCode(own, proof, null);
      else {
        if (kind === 'work') await work.check(proof, { ...own, mode });
        const method = kind === 'work' ? 'altcha' : 'link';
        await settle(own, { status: 'passed', method, redeemer: null });
      }
      return returnUrl;
    },
  };
}

const NO_ATTEMPTS = {
  message: 'There are no attempts left for the code.',
  resolution: 'Use the link in the email instead.',
};

function confirmationOf(
  tokens: ConfirmChallengeOptions['tokens'],
  ticket: ChallengeTicket,
  pageUrl: string,
): ChallengeConfirmation {
  return {
    link: `${pageUrl}#${tokens.issueVisitorToken('link', ticket)}`,
    code: tokens.codeOf(ticket),
    page: `${pageUrl}#${tokens.issueVisitorToken('page', ticket)}`,
  };
}
