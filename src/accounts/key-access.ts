/** Decides which secrets of a key let its callers in, until when and from where: once, when the key is read. */
import type { Key } from '../store/store.ts';
import { createRangeCheck } from './key-ranges.ts';

/** Why a secret that is known lets nobody in: its key was revoked, it was replaced, its key expired, the caller is not in the key's ranges. */
export type KeyRefusal = 'revoked' | 'replaced' | 'expired' | 'elsewhere';

/** A secret, and whom it stands for. */
export interface SecretAccess<Caller> {
  readonly caller: Caller;
  readonly hash: string;
  /** Instant from which on it lets nobody in, milliseconds since the epoch: the key expires, or the overlap of a rotation ends. */
  readonly until: number;
  /** Whether a caller may have this address; `null`: any. */
  readonly isAllowed: ((ip: string) => boolean) | null;
}

/** A key has two secrets after a rotation. */
export function accessesOf<Caller extends { readonly key: Key }>(caller: Caller): SecretAccess<Caller>[] {
  const { hash, previous, expiresAt, allowedRanges, revokedAt } = caller.key;
  const until = revokedAt === null ? (expiresAt ?? Number.POSITIVE_INFINITY) : Number.NEGATIVE_INFINITY;
  const isAllowed = allowedRanges === null ? null : createRangeCheck(allowedRanges);
  const current = { caller, hash, until, isAllowed };
  if (previous === null) return [current];
  return [current, { ...current, hash: previous.hash, until: Math.min(until, previous.until) }];
}

/** Why a secret whose time is over is refused. */
export function refusalOf(
  { caller, hash }: SecretAccess<{ readonly key: Key }>,
  now: number,
): Exclude<KeyRefusal, 'elsewhere'> {
  const { revokedAt, previous } = caller.key;
  if (revokedAt !== null) return 'revoked';
  return previous?.hash === hash && previous.until <= now ? 'replaced' : 'expired';
}

/** Last use of a key, by either secret. */
export function lastUseOf({ lastUsedAt, previous }: Pick<Key, 'lastUsedAt' | 'previous'>): number | null {
  const earlier = previous?.lastUsedAt ?? null;
  return lastUsedAt === null || earlier === null ? (lastUsedAt ?? earlier) : Math.max(lastUsedAt, earlier);
}

/** The key with later uses of its secrets, where some are known. @param lastOf of the hash of a secret */
export function withSecretUses(key: Key, lastOf: (hash: string) => number | undefined): Key {
  const { previous } = key;
  return {
    ...key,
    lastUsedAt: later(key.lastUsedAt, lastOf(key.hash)),
    previous: previous && { ...previous, lastUsedAt: later(previous.lastUsedAt, lastOf(previous.hash)) },
  };
}

function later(stored: number | null, noted: number | undefined): number | null {
  return noted === undefined ? stored : Math.max(stored ?? noted, noted);
}
