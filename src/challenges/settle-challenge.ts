/** Stores the result of a challenge once, and answers a second result: the same gets the same answer, another is refused. */
import type { ChallengeMethod, ChallengeResponse, ChallengeResult } from '../contract/messages.ts';
import { Problem } from '../contract/problem.ts';
import { toTimestamp } from '../contract/timestamp.ts';
import type { ChallengeStore, StoredChallenge } from '../store/challenge-store.ts';
import type { ChallengeTicket } from './challenge-tokens.ts';

export interface TicketOfAccount extends ChallengeTicket {
  readonly accountId: string;
}

/** The answer to a redemption. */
export interface Redemption {
  readonly response: ChallengeResponse;
  /** The result was stored before: exactly one redemption of a challenge is the first. */
  readonly isRepeated: boolean;
}

/** Stores a result, unless there is one. @throws Problem `challenge_redeemed` where there is another one */
export type SettleChallenge = (
  ticket: TicketOfAccount,
  status: ChallengeResult,
  method: ChallengeMethod,
) => Promise<Redemption>;

export interface SettleChallengeOptions {
  readonly store: Pick<ChallengeStore, 'findChallenge' | 'redeemChallenge'>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export function createSettleChallenge({ store, clock }: SettleChallengeOptions): SettleChallenge {
  return async (ticket, status, method) => {
    const at = clock();
    if (at < ticket.expiresAt && (await store.redeemChallenge({ ...ticket, status, method, at })))
      return { response: toChallengeResponse(ticket, { status, method, at }), isRepeated: false };
    const known = await store.findChallenge(ticket.requestId);
    if (known === undefined || known.status === 'pending') {
      requireTime(ticket, at);
      throw new Problem('challenge_invalid', 'token', {
        message: 'The assessment of this token was deleted.',
      });
    }
    if (known.status !== status) throw new Problem('challenge_redeemed', 'outcome');
    return { response: toChallengeResponse(ticket, known), isRepeated: true };
  };
}

/** @throws Problem `challenge_expired` */
export function requireTime({ expiresAt }: ChallengeTicket, now: number): void {
  if (now >= expiresAt) throw new Problem('challenge_expired', 'token');
}

export function toChallengeResponse(
  { requestId, expiresAt }: ChallengeTicket,
  known: Pick<StoredChallenge, 'status' | 'method' | 'at'> | undefined,
): ChallengeResponse {
  const { status = 'pending', method = null, at = 0 } = known ?? {};
  const result = method === null ? {} : { method, redeemed_at: toTimestamp(at) };
  return { request_id: requestId, status, expires_at: toTimestamp(expiresAt), ...result };
}
