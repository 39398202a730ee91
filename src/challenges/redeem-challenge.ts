/** Redeems a challenge for an application: by the token alone it is only read. */
import type { ChallengeRequest, ChallengeResponse } from '../contract/messages.ts';
import { Problem } from '../contract/problem.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { ChallengeStore } from '../store/challenge-store.ts';
import type { ChallengeTokens } from './challenge-tokens.ts';
import { createSettleChallenge, requireTime, toResponse } from './settle-challenge.ts';

/** Who redeems. */
export interface ChallengeCaller {
  readonly accountId: string;
  readonly mode: KeyMode;
}

export interface RedeemChallengeOptions {
  readonly store: Pick<ChallengeStore, 'findChallenge' | 'redeemChallenge'>;
  readonly tokens: Pick<ChallengeTokens, 'read'>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** @throws Problem `challenge_invalid`, `challenge_expired` or `challenge_redeemed` */
export type RedeemChallenge = (
  request: ChallengeRequest,
  caller: ChallengeCaller,
) => Promise<ChallengeResponse>;

export function createRedeemChallenge({ store, tokens, clock }: RedeemChallengeOptions): RedeemChallenge {
  const settle = createSettleChallenge({ store, clock });

  return async ({ token, outcome }, { accountId, mode }) => {
    const ticket = tokens.read(token, { accountId, mode });
    if (ticket === undefined) throw otherMode(tokens, token, { accountId, mode });
    if (outcome !== undefined) return settle({ ...ticket, accountId }, outcome, 'application');
    const known = await store.findChallenge(ticket.requestId);
    if (known === undefined || known.status === 'pending') requireTime(ticket, clock());
    return toResponse(ticket, known);
  };
}

/** A token of live signups is not redeemed by a sandbox key, nor the other way round: the error says so. */
function otherMode(
  tokens: RedeemChallengeOptions['tokens'],
  token: string,
  caller: ChallengeCaller,
): Problem {
  const mode = caller.mode === 'live' ? 'test' : 'live';
  if (tokens.read(token, { ...caller, mode }) === undefined) return new Problem('challenge_invalid', 'token');
  const words = { live: ['live', 'sk_live_'], test: ['sandbox', 'sk_test_'] } as const;
  const [kind, prefix] = words[mode];
  return new Problem('challenge_invalid', 'token', {
    message: `The token is of a ${kind} signup.`,
    resolution: `Redeem it with a key that begins with \`${prefix}\`.`,
  });
}
