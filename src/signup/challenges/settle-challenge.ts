/** Stores the result of a challenge once, and decides who is told it: the first to redeem, and a caller who repeats that request. */
import {
  CAPTCHAS,
  type ChallengeMethod,
  type ChallengeResponse,
  type ChallengeResult,
} from '../../contract/messages.ts';
import { Problem } from '../../contract/problem.ts';
import { toTimestamp } from '../../platform/timestamp.ts';
import type { ChallengeStore, Redeemer, StoredChallenge } from '../../store/challenge-store.ts';
import type { ChallengeTicket } from './challenge-tokens.ts';

export interface TicketOfAccount extends ChallengeTicket {
  readonly accountId: string;
}

/** The answer to a redemption. */
export interface Redemption {
  readonly response: ChallengeResponse;
  /** The result was told before: exactly one redemption of a challenge is the first. */
  readonly isRepeated: boolean;
}

/** Result to be stored, and who is told it. */
export interface Settlement {
  readonly status: ChallengeResult;
  readonly method: ChallengeMethod;
  /** `null` for the visitor's own browser, which is told as often as it asks. */
  readonly redeemer: Redeemer | null;
}

export interface SettleChallenge {
  /** Stores a result, unless there is one. @throws Problem `challenge_redeemed` where there is another one, or somebody else was told it */
  (ticket: TicketOfAccount, settlement: Settlement): Promise<Redemption>;
  /** Tells the result of a challenge that has one. @throws Problem `challenge_redeemed` where somebody else was told it */
  tell(ticket: TicketOfAccount, known: StoredChallenge, to: Omit<Settlement, 'status'>): Promise<Redemption>;
}

export interface SettleChallengeOptions {
  readonly store: Pick<ChallengeStore, 'findChallenge' | 'redeemChallenge' | 'claimResult'>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Redeemer of a request without an `Idempotency-Key`, which no other request is. */
export const UNNAMED: Redeemer = '';

export function createSettleChallenge({ store, clock }: SettleChallengeOptions): SettleChallenge {
  const settle = async (ticket: TicketOfAccount, settlement: Settlement): Promise<Redemption> => {
    const at = clock();
    if (at < ticket.expiresAt && (await store.redeemChallenge({ ...ticket, ...settlement, at })))
      return { response: toChallengeResponse(ticket, { ...settlement, at }), isRepeated: false };
    const known = await store.findChallenge(ticket.requestId);
    if (known === undefined || known.status === 'pending') {
      requireTime(ticket, at);
      throw new Problem('challenge_invalid', 'token', {
        message: 'The assessment of this token was deleted.',
      });
    }
    if (known.status !== settlement.status) throw redeemed(settlement.method);
    return tell(ticket, known, settlement);
  };

  const tell: SettleChallenge['tell'] = async (ticket, known, { method, redeemer }) => {
    const response = toChallengeResponse(ticket, known);
    if (redeemer === null) return { response, isRepeated: true };
    let told = known.redeemer;
    if (told === null) {
      // The visitor confirmed it: the first who redeems it is told.
      if (await store.claimResult(ticket.requestId, redeemer)) return { response, isRepeated: false };
      told = (await store.findChallenge(ticket.requestId))?.redeemer ?? UNNAMED;
    }
    if (redeemer === UNNAMED || redeemer !== told) throw redeemed(method);
    return { response, isRepeated: true };
  };

  return Object.assign(settle, { tell });
}

/** The member of the request is the `param`. */
function redeemed(method: ChallengeMethod): Problem {
  const member = [...CAPTCHAS, 'altcha', 'code'].find((name) => name === method);
  return new Problem('challenge_redeemed', member ?? 'outcome');
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
