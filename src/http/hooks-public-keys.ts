/** Fetches the public keys that providers sign with, and verifies tokens with them. */
import { hash } from 'node:crypto';
import type { JWTVerifyGetKey } from 'jose';
import type { Hook } from '../model/hook.ts';
import type { TextCache } from '../model/text-cache.ts';

/**
 * Runs `verify` with the keys at a URL; once more with fresh keys if the signing key is not among them.
 * `verify` rejects with an error of `jose` where the signature is not valid. @throws when the keys cannot be fetched
 */
export type WithPublicKeys = (
  url: string,
  verify: (keys: JWTVerifyGetKey) => Promise<boolean>,
) => Promise<boolean>;

export interface PublicKeysOptions {
  /** The JSON text at a URL. @throws when it cannot be fetched */
  readonly fetchText: (url: string, reach: Hook['reach']) => Promise<string>;
  /** Keeps keys over a restart. */
  readonly texts: Pick<TextCache, 'get' | 'set'>;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
  /** Milliseconds since the epoch. */
  readonly wallClock: () => number;
}

interface CachedKeys {
  readonly fetchedAt: number;
  readonly keys: Promise<JWTVerifyGetKey>;
}

const LIFETIME_MS = 600_000;
/** Older keys still serve while new ones cannot be fetched: an outage of the provider's server lets nobody in unverified. */
const OUTAGE_MS = 86_400_000;
/** Keys older than this are fetched again for an unknown key, and after a failure. */
const MIN_INTERVAL_MS = 10_000;

export function createPublicKeys({
  fetchText,
  texts,
  clock,
  wallClock,
}: PublicKeysOptions): (reach: Hook['reach']) => WithPublicKeys {
  const cache = new Map<string, CachedKeys>();

  /** Keys now; those of before while they cannot be fetched. @throws when there are none of before, or they are too old */
  async function readKeys(url: string, reach: Hook['reach']): Promise<JWTVerifyGetKey> {
    // The URL may be a hook's secret, which is stored encrypted.
    const name = `public-keys ${hash('sha256', `${reach} ${url}`, 'hex')}`;
    try {
      const text = await fetchText(url, reach);
      const keys = await parseKeys(text);
      texts.set(name, text, wallClock() + OUTAGE_MS);
      return keys;
    } catch (error) {
      const kept = await texts.get(name);
      if (kept !== undefined && wallClock() < kept.expiresAt) return parseKeys(kept.text);
      throw error;
    }
  }

  function fetchKeys(url: string, reach: Hook['reach']): CachedKeys {
    const keys = readKeys(url, reach);
    // The request that needs them awaits them; without this line a failure would end the process.
    keys.catch(() => {});
    const cached = { fetchedAt: clock(), keys };
    cache.set(`${reach} ${url}`, cached);
    return cached;
  }

  return (reach) => async (url, verify) => {
    const find = () => cache.get(`${reach} ${url}`);
    /** Requests that need other keys at the same time share one fetch. */
    const replace = (old: CachedKeys | undefined) => {
      const newest = find();
      return newest === undefined || newest === old ? fetchKeys(url, reach) : newest;
    };
    const known = find();
    const age = known === undefined ? Number.POSITIVE_INFINITY : clock() - known.fetchedAt;
    const usable = known !== undefined && age < LIFETIME_MS ? await usableKeys(known, age) : undefined;
    const cached = usable ?? replace(known);
    // Unreadable keys are a failure of the provider; they do not make a token false.
    const keys = await cached.keys;
    try {
      return await verify(keys);
    } catch (error) {
      const { errors } = await import('jose');
      const isOld = clock() - cached.fetchedAt >= MIN_INTERVAL_MS;
      if (error instanceof errors.JWKSNoMatchingKey && isOld)
        return verify(await replace(cached).keys).catch(refuseInvalid);
      return refuseInvalid(error);
    }
  };
}

/** @throws when the text is no set of keys */
async function parseKeys(text: string): Promise<JWTVerifyGetKey> {
  const { createLocalJWKSet } = await import('jose');
  return createLocalJWKSet(JSON.parse(text));
}

/** `undefined` if the fetch failed and may be tried again. */
async function usableKeys(cached: CachedKeys, age: number): Promise<CachedKeys | undefined> {
  if (age < MIN_INTERVAL_MS) return cached;
  return cached.keys.then(
    () => cached,
    () => undefined,
  );
}

/** False for an error of `jose`: the token is not valid. @throws any other error */
export async function refuseInvalid(error: unknown): Promise<false> {
  const { errors } = await import('jose');
  if (error instanceof errors.JOSEError) return false;
  throw error;
}
