/** Makes the token of a challenged signup, with the configured lifetime; none if challenges are off. */
import type { Assessment } from '../contract/messages.ts';
import { toTimestamp } from '../contract/timestamp.ts';
import type { ChallengeSubject, ChallengeTokens } from './challenge-tokens.ts';

/** `at`: milliseconds since the epoch. */
export type OfferChallenge = (subject: ChallengeSubject, at: number) => Assessment['challenge'];

/** @param lifetimeMinutes `null`: no tokens */
export function createOfferChallenge(
  tokens: Pick<ChallengeTokens, 'issue'>,
  lifetimeMinutes: number | null,
): OfferChallenge {
  if (lifetimeMinutes === null) return () => undefined;
  return (subject, at) => {
    // Timestamps have whole seconds: the token expires when the answer says.
    const expiresAt = Math.floor(at / 1000 + lifetimeMinutes * 60) * 1000;
    return { token: tokens.issue(subject, expiresAt), expires_at: toTimestamp(expiresAt) };
  };
}
