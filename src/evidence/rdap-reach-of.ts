/** Decides where the URLs of RDAP may lead: the operator's own bootstrap document anywhere, what it names to public addresses. */
import { leadsInside } from '../outbound/leads-inside.ts';
import type { Reach } from '../outbound/web-client.ts';

/** A bootstrap document inside the operator's network is the operator's own, and so are the servers it names. */
export function createReachOf(
  bootstrapUrl: URL,
  isInside: (url: URL) => Promise<boolean | undefined> = leadsInside,
): (url: string) => Promise<Reach> {
  let inside: boolean | undefined;
  return async (url) => {
    if (url === bootstrapUrl.href) return 'anywhere';
    inside ??= await isInside(bootstrapUrl);
    return inside === true ? 'anywhere' : 'public';
  };
}
