/** Replaces the secret of a key. The old one is valid for some time, which can be ended; until then the rotation can be taken back. */
import { Problem } from '../contract/problem.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { MakeAuditEntry } from '../store/audit-store.ts';
import type { DirectoryChangeStore, Key, PreviousSecret } from '../store/store.ts';
import { makeSecret } from './api-keys.ts';
import { describeKey } from './key-audit.ts';

export const DEFAULT_OVERLAP_MS = 86_400_000;
/** A secret that is valid longer beside another one is a second key. */
export const MAX_OVERLAP_MS = 30 * DEFAULT_OVERLAP_MS;

/** @returns its new secret. @throws Problem `conflict` where it is revoked, or has two secrets already and the old one is not refused at once */
export async function rotate(
  store: DirectoryChangeStore,
  key: Key,
  { overlapMs, now }: { readonly overlapMs: number; readonly now: number },
  audit: MakeAuditEntry,
): Promise<string> {
  requireValid(key);
  const old = validPrevious(key, now);
  if (old !== undefined && overlapMs > 0)
    throw new Problem('conflict', undefined, {
      message: `This key has two secrets already: the old one, ${old.prefix}…, is valid until ${toTimestamp(old.until)}.`,
      resolution: 'End the old secret first, or rotate without overlap, which refuses both.',
    });
  const { secret, ...stored } = makeSecret(key.mode);
  const previousUntil = now + overlapMs;
  const change = `${key.prefix}… → ${stored.prefix}…`;
  const detail =
    overlapMs === 0
      ? `${change}, the old secret is refused at once`
      : `${change}, the old secret is valid until ${toTimestamp(previousUntil)}`;
  const entry = audit('key.rotate', describeKey(key), detail);
  await store.rotateKey(key.id, { ...stored, at: now, previousUntil }, entry);
  return secret;
}

/** Refuses the old secret from now on. @throws Problem `conflict` where there is none that is valid */
export async function endOverlap(
  store: DirectoryChangeStore,
  key: Key,
  now: number,
  audit: MakeAuditEntry,
): Promise<void> {
  const { prefix } = requireOverlap(key, now);
  const entry = audit('key.rotate_end', describeKey(key), `${prefix}… is refused`);
  await store.endPreviousSecret(key.id, now, entry);
}

/** Makes the old secret the current one again, and refuses the new one from now on. @throws Problem `conflict` where the old one is not valid */
export async function undoRotation(
  store: DirectoryChangeStore,
  key: Key,
  now: number,
  audit: MakeAuditEntry,
): Promise<void> {
  const { prefix } = requireOverlap(key, now);
  const detail = `${key.prefix}… → ${prefix}…, the new secret is refused at once`;
  await store.swapSecrets(key.id, now, audit('key.rotate_undo', describeKey(key), detail));
}

/** The old secret while it is valid. @param now milliseconds since the epoch */
export function validPrevious({ previous }: Pick<Key, 'previous'>, now: number): PreviousSecret | undefined {
  return previous !== null && previous.until > now ? previous : undefined;
}

function requireValid({ revokedAt }: Key): void {
  if (revokedAt === null) return;
  throw new Problem('conflict', undefined, {
    message: 'This key is revoked.',
    resolution: 'Create a new key.',
  });
}

function requireOverlap(key: Key, now: number): PreviousSecret {
  requireValid(key);
  const old = validPrevious(key, now);
  if (old !== undefined) return old;
  throw new Problem('conflict', undefined, {
    message: 'The old secret of this key is not valid any more.',
    resolution: 'There is nothing to do. To replace the current secret, rotate the key.',
  });
}
