/** Decides whether a redirect may lead to a URL: over HTTP, and to public addresses only. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { readIp } from '../../address/ip.ts';

/** Resolves names; false when any of their addresses is not public, or none is found. Never rejects. */
export async function isPublicUrl(url: URL): Promise<boolean> {
  if (!isHttp(url)) return false;
  const host = hostOf(url);
  if (isIP(host) !== 0) return isPublic(host);
  try {
    const found = await lookup(host, { all: true });
    return found.length > 0 && found.every(({ address }) => isPublic(address));
  } catch {
    return false;
  }
}

export function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

/** Whether the URL names this very machine, by address or as `localhost`. */
export function isLoopbackUrl(url: URL): boolean {
  const { status } = readIp(hostOf(url));
  return status === 'ignored_loopback' || status === 'ignored_localhost';
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

function isPublic(address: string): boolean {
  return readIp(address).status === 'ok';
}
