/** Finds the challenge of a signup by its request id, so that an application needs no token: answers have one only where it was asked for. */
import { Problem } from '../../contract/problem.ts';
import type { KeyMode } from '../../model/key-mode.ts';
import type { AssessmentStore } from '../../store/store.ts';
import { type ChallengeSubject, type ChallengeTicket, expiryOf } from './challenge-tokens.ts';

export interface FindTicketOptions {
  readonly store: Pick<AssessmentStore, 'findStored'>;
  /** `null`: the default, because the setting only decides about tokens. */
  readonly lifetimeMinutes: number | null;
}

/** @throws Problem `challenge_invalid` for a signup that was not challenged, or not by this account and kind of key */
export type FindTicket = (
  requestId: string,
  caller: Pick<ChallengeSubject, 'accountId' | 'mode'>,
) => Promise<ChallengeTicket>;

const DEFAULT_MINUTES = 30;

export function createFindTicket({ store, lifetimeMinutes }: FindTicketOptions): FindTicket {
  return async (requestId, { accountId, mode }) => {
    const stored = await store.findStored(requestId, { accountId, mode });
    if (stored === undefined) throw new Problem('challenge_invalid', 'token');
    if (stored.mode !== mode) throw wrongMode(stored.mode);
    if (stored.shadow || stored.verdict !== 'challenge')
      throw new Problem('challenge_invalid', 'token', {
        message: 'This signup was not challenged.',
        resolution: 'Only a signup that was answered with the verdict `challenge` has a challenge.',
      });
    return { requestId, expiresAt: expiryOf(stored.at, lifetimeMinutes ?? DEFAULT_MINUTES) };
  };
}

/** A challenge of live signups is not redeemed by a sandbox key, nor the other way round. */
export function wrongMode(mode: KeyMode): Problem {
  const words = { live: ['live', 'sk_live_'], test: ['sandbox', 'sk_test_'] } as const;
  const [kind, prefix] = words[mode];
  return new Problem('challenge_invalid', 'token', {
    message: `The token is of a ${kind} signup.`,
    resolution: `Redeem it with a key that begins with \`${prefix}\`.`,
  });
}
