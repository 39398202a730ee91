/** Decides whether a URL that the operator wrote leads to this machine or the operator's own network. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import { hostOf } from './web-client.ts';

/** Looks at all addresses of its host. `undefined` when the host cannot be looked up. */
export async function leadsInside(url: URL): Promise<boolean | undefined> {
  const host = hostOf(url);
  if (isIP(host) !== 0) return !isPublicAddress(host);
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.length === 0 ? undefined : found.every(({ address }) => !isPublicAddress(address));
}
