/** Fetches the certificates that Amazon SNS signs with, from permitted hosts alone, seldom, and remembers them. */
import { X509Certificate } from 'node:crypto';
import type { Hook } from '../model/hook.ts';

/** Runs `verify` with the certificate at a URL, which the caller has found to be permitted. @throws when it cannot be fetched */
export type WithCertificate = (
  url: string,
  verify: (certificate: X509Certificate) => boolean,
) => Promise<boolean>;

export interface CertificatesOptions {
  /** The text at a URL, without following redirects. @throws when it cannot be fetched */
  readonly fetchExactly: (url: string, reach: Hook['reach']) => Promise<string>;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
  /** Milliseconds since the epoch. */
  readonly wallClock: () => number;
}

interface Cached {
  readonly at: number;
  readonly certificate: Promise<X509Certificate>;
}

const LIFETIME_MS = 86_400_000;
/** A host has few certificates at a time. */
const MAX_KEPT = 32;
/** Max. hooks whose last request is remembered. */
const MAX_ASKING = 1_000;
/** Min. time between two requests of a hook: false messages may name any number of certificates, and must not keep other hooks from theirs. */
const MIN_INTERVAL_MS = 2_000;

export function createCertificates(
  options: CertificatesOptions,
): (hook: Pick<Hook, 'id' | 'reach'>) => WithCertificate {
  const { fetchExactly, clock, wallClock } = options;
  const kept = new Map<string, Cached>();
  const askedAt = new Map<string, number>();

  function fetchOne(url: string, { id, reach }: Pick<Hook, 'id' | 'reach'>, name: string): Cached {
    const now = clock();
    if (now - (askedAt.get(id) ?? Number.NEGATIVE_INFINITY) < MIN_INTERVAL_MS)
      throw new Error(`${new URL(url).host} was asked for a certificate a moment ago`);
    askedAt.set(id, now);
    const certificate = fetchExactly(url, reach).then((text) => new X509Certificate(text));
    const cached = { at: now, certificate };
    kept.set(name, cached);
    certificate.catch(() => kept.delete(name));
    for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
    for (const oldest of askedAt.keys()) if (askedAt.size > MAX_ASKING) askedAt.delete(oldest);
    return cached;
  }

  return (hook) => async (url, verify) => {
    const name = `${hook.reach} ${url}`;
    const known = kept.get(name);
    const isFresh = known !== undefined && clock() - known.at < LIFETIME_MS;
    const certificate = await (isFresh ? known : fetchOne(url, hook, name)).certificate;
    const now = wallClock();
    const isValid = Date.parse(certificate.validFrom) <= now && now < Date.parse(certificate.validTo);
    return isValid && verify(certificate);
  };
}
