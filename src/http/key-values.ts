/** Reads what a request says of a key: for whom it enforces, its expiry, the ranges of its callers, and how long its old secret stays valid. */
import { lastUseOf } from '../accounts/key-access.ts';
import { MAX_RANGES, readRange } from '../accounts/key-ranges.ts';
import { DEFAULT_OVERLAP_MS, MAX_OVERLAP_MS } from '../accounts/key-rotation.ts';
import type { ManageKey } from '../contract/manage-messages.ts';
import { isInShadow, MAX_SHARE } from '../model/enforced-share.ts';
import { parseInstant } from '../platform/timestamp.ts';
import type { Key } from '../store/store.ts';
import { shown, unusable } from './dashboard-values.ts';

const MAX_OVERLAP_S = MAX_OVERLAP_MS / 1000;

/** `undefined`: not named; `null`: never. @throws Problem `invalid_value` unless it is in the future */
export function readKeyExpiry(text: string | null | undefined, now: number): number | null | undefined {
  if (text === undefined || text === null) return text;
  const at = parseInstant(text);
  if (at !== undefined && at > now) return at;
  throw unusable(
    'expires_at',
    'The expiry is not in the future.',
    'Send an RFC 3339 time such as 2027-01-31T12:00:00Z, or null.',
  );
}

/** `undefined`: not named; none, or `null`: from anywhere. @throws Problem `invalid_value` */
export function readRanges(
  texts: readonly string[] | null | undefined,
): readonly string[] | null | undefined {
  if (texts === undefined || texts === null) return texts;
  const ranges = texts.map((text) => {
    const range = readRange(text);
    if (range !== undefined) return range;
    throw unusable(
      'allowed_ranges',
      `${shown(text)} is no IP address and no IP range.`,
      'Send addresses such as 203.0.113.7, or CIDR blocks such as 203.0.113.0/24.',
    );
  });
  const distinct = [...new Set(ranges)];
  if (distinct.length > MAX_RANGES)
    throw unusable('allowed_ranges', 'These are too many ranges.', `Send at most ${MAX_RANGES}.`);
  return distinct.length === 0 ? null : distinct;
}

/**
 * Percent of people for whom a key enforces; `undefined`: not named. Without a share, shadow mode is for all people.
 * @throws Problem `invalid_value`
 */
export function readShare({ shadow, enforced_share: share }: ShareBody): number | undefined {
  if (share === undefined) return shadow === undefined ? undefined : shadow ? 0 : MAX_SHARE;
  if (!Number.isInteger(share) || share < 0 || share > MAX_SHARE)
    throw unusable(
      'enforced_share',
      'The share cannot be used.',
      'Send a whole number of percent, 0 to 100.',
    );
  if (shadow === undefined || shadow === isInShadow({ enforcedShare: share })) return share;
  throw unusable(
    'enforced_share',
    `A key ${shadow ? 'in' : 'without'} shadow mode cannot enforce for ${share}% of people.`,
    'Send the share alone: 100 ends shadow mode, less starts it.',
  );
}

export interface ShareBody {
  readonly shadow?: boolean | undefined;
  readonly enforced_share?: number | undefined;
}

/** Milliseconds. @throws Problem `invalid_value` */
export function readOverlap(seconds = DEFAULT_OVERLAP_MS / 1000): number {
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_OVERLAP_S) return seconds * 1000;
  throw unusable(
    'overlap_seconds',
    'The overlap cannot be used.',
    `Send 0 to ${MAX_OVERLAP_S} seconds (30 days); 0 refuses the old secret at once.`,
  );
}

/** Shows a key: never a secret, never a hash. @param instant how it shows a time */
export function showKey(key: Key, instant: (at: number) => string): Omit<ManageKey, 'account_id'> {
  const orNull = (at: number | null) => (at === null ? null : instant(at));
  const { previous } = key;
  return {
    id: key.id,
    name: key.name,
    mode: key.mode,
    shadow: isInShadow(key),
    enforced_share: key.enforcedShare,
    prefix: key.prefix,
    thresholds: key.thresholds,
    created_at: instant(key.createdAt),
    last_used_at: orNull(lastUseOf(key)),
    rotated_at: orNull(key.rotatedAt),
    secret_used_at: orNull(key.lastUsedAt),
    previous_secret: previous && {
      prefix: previous.prefix,
      last_used_at: orNull(previous.lastUsedAt),
      valid_until: instant(previous.until),
    },
    expires_at: orNull(key.expiresAt),
    allowed_ranges: key.allowedRanges === null ? null : [...key.allowedRanges],
    revoked_at: orNull(key.revokedAt),
  };
}
