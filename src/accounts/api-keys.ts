/** Makes API keys and their stored form: the hash, and a prefix to show. */
import { hash, randomBytes } from 'node:crypto';
import { MAX_SHARE } from '../model/enforced-share.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { Thresholds } from '../model/policy.ts';
import type { Key } from '../store/store.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 characters of base62 carry 190 bits. */
const SECRET_LENGTH = 32;
const PREFIX_LENGTH = 12;
const KEY_FORM = /^sk_(?:live|test)_[0-9A-Za-z]{27,64}$/;

export interface NewKey {
  readonly id: string;
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly name: string;
  /** Percent of people for whom it enforces; default: everybody. */
  readonly enforcedShare?: number | undefined;
  readonly thresholds: Thresholds | null;
  /** Milliseconds since the epoch; `null`, the default: never. */
  readonly expiresAt?: number | null | undefined;
  /** CIDR blocks; `null`, the default: from anywhere. */
  readonly allowedRanges?: readonly string[] | null | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Its text; a random one unless set. */
  readonly secret?: string | undefined;
}

/** A key to store, and its secret text, which is shown once and kept nowhere. */
export function makeKey({ now, secret: chosen, ...settings }: NewKey): { key: Key; secret: string } {
  const { enforcedShare = MAX_SHARE, expiresAt = null, allowedRanges = null } = settings;
  const { secret, ...stored } = makeSecret(settings.mode, chosen);
  const key: Key = {
    ...settings,
    enforcedShare,
    ...stored,
    createdAt: now,
    lastUsedAt: null,
    rotatedAt: null,
    previous: null,
    expiresAt,
    allowedRanges,
    revokedAt: null,
  };
  return { key, secret };
}

/** Secret of a key, with what is stored of it. */
export interface KeySecret extends Pick<Key, 'hash' | 'prefix'> {
  readonly secret: string;
}

export function makeSecret(mode: KeyMode, chosen?: string): KeySecret {
  const secret = chosen ?? `sk_${mode}_${randomBase62(SECRET_LENGTH)}`;
  return { secret, hash: hashKey(secret), prefix: secret.slice(0, PREFIX_LENGTH) };
}

export function hashKey(secret: string): string {
  return hash('sha256', secret, 'hex');
}

export function hasKeyForm(text: string): boolean {
  return KEY_FORM.test(text);
}

/** Uniform over the alphabet: bytes that would favour its first letters are dropped. */
export function randomBase62(length: number): string {
  const fair = 256 - (256 % ALPHABET.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < fair && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}
