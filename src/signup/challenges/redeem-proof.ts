/** Gives a visitor a proof of work to solve, and redeems a challenge by it. Nothing is stored before it is solved but the page to continue at. */
import type { ChallengeResponse } from '../../contract/messages.ts';
import { Problem } from '../../contract/problem.ts';
import type { KeyMode } from '../../model/key-mode.ts';
import type { ChallengeStore, Redeemer } from '../../store/challenge-store.ts';
import type { ChallengeTokens } from './challenge-tokens.ts';
import { DELETED, type ProofOfWork, type SignedChallenge } from './proof-of-work.ts';
import {
  type Redemption,
  requireTime,
  type SettleChallenge,
  type TicketOfAccount,
  toChallengeResponse,
} from './settle-challenge.ts';

export interface RedeemProofOptions {
  readonly store: Pick<ChallengeStore, 'findChallenge' | 'openChallenge'>;
  readonly tokens: Pick<ChallengeTokens, 'issueVisitorToken' | 'readVisitorToken'>;
  readonly settle: SettleChallenge;
  readonly work: ProofOfWork;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** A challenge with the kind of key that redeems it. */
export interface TicketOfKey extends TicketOfAccount {
  readonly mode: KeyMode;
}

export interface RedeemProof {
  /** @param page where the visitor continues afterwards, and the URL of our own page; `null`: the application shows the widget */
  open(ticket: TicketOfKey, page: ProofPage | null): Promise<ChallengeResponse>;
  /** @throws Problem `challenge_proof_wrong`, `challenge_redeemed` where somebody else was told the result */
  redeem(ticket: TicketOfKey, payload: string, redeemer: Redeemer): Promise<Redemption>;
  /** The challenge for the widget on our page. @throws Problem for a token that opens none */
  forVisitor(token: string): Promise<SignedChallenge>;
}

export interface ProofPage {
  readonly returnUrl: string;
  readonly url: string;
}

export function createRedeemProof(options: RedeemProofOptions): RedeemProof {
  const { store, tokens, settle, work, clock } = options;

  return {
    async open(ticket, page) {
      requireTime(ticket, clock());
      if (page !== null) await store.openChallenge({ ...ticket, at: clock(), returnUrl: page.returnUrl });
      const known = await store.findChallenge(ticket.requestId);
      if (page !== null && known === undefined) throw new Problem('challenge_invalid', 'token', DELETED);
      const response = toChallengeResponse(ticket, known);
      if (response.status !== 'pending') return response;
      const challenge = JSON.stringify(await work.make(ticket));
      const url = page && `${page.url}#${tokens.issueVisitorToken('work', ticket)}`;
      return { ...response, proof: { challenge, ...(url !== null && { page: url }) } };
    },
    async redeem(ticket, payload, redeemer) {
      const known = await store.findChallenge(ticket.requestId);
      if (known !== undefined && known.status !== 'pending') {
        if (known.method !== 'altcha') throw new Problem('challenge_redeemed', 'altcha');
        return settle.tell(ticket, known, { method: 'altcha', redeemer });
      }
      requireTime(ticket, clock());
      await work.check(payload, ticket);
      return settle(ticket, { status: 'passed', method: 'altcha', redeemer });
    },
    async forVisitor(token) {
      const ticket = tokens.readVisitorToken(token);
      const known = ticket?.kind === 'work' ? await store.findChallenge(ticket.requestId) : undefined;
      if (ticket === undefined || known === undefined) throw new Problem('challenge_invalid', 'token');
      if (known.status === 'failed') throw new Problem('challenge_redeemed', 'token');
      requireTime(ticket, clock());
      const { accountId, mode } = known;
      return work.make({ ...ticket, accountId, mode });
    },
  };
}
