/** Fetches the public keys that providers sign with, and verifies tokens with them. */
import type { JWTVerifyGetKey } from 'jose';
import type { Hook } from '../model/hook.ts';

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
  /** Milliseconds that only grow. */
  readonly clock: () => number;
}

interface CachedKeys {
  readonly fetchedAt: number;
  readonly keys: Promise<JWTVerifyGetKey>;
}

/** Keys that were once fetched. */
interface FetchedKeys {
  readonly at: number;
  readonly keys: JWTVerifyGetKey;
}

const LIFETIME_MS = 600_000;
/** Older keys still serve while new ones cannot be fetched: an outage of the provider's server lets nobody in unverified. */
const OUTAGE_MS = 86_400_000;
/** Keys older than this are fetched again for an unknown key, and after a failure. */
const MIN_INTERVAL_MS = 10_000;

export function createPublicKeys({
  fetchText,
  clock,
}: PublicKeysOptions): (reach: Hook['reach']) => WithPublicKeys {
  const cache = new Map<string, CachedKeys>();
  const lastFetched = new Map<string, FetchedKeys>();

  /** @throws when they cannot be fetched, or are none */
  async function readKeys(url: string, reach: Hook['reach']): Promise<JWTVerifyGetKey> {
    const place = `${reach} ${url}`;
    try {
      const text = await fetchText(url, reach);
      const { createLocalJWKSet } = await import('jose');
      const keys = createLocalJWKSet(JSON.parse(text));
      lastFetched.set(place, { at: clock(), keys });
      return keys;
    } catch (error) {
      const last = lastFetched.get(place);
      if (last !== undefined && clock() - last.at < OUTAGE_MS) return last.keys;
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
    // What cannot be read as keys is a failure; it does not make a token false.
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
