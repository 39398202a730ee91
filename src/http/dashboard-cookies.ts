/** Decides what our cookies are called: where TLS is in front, by names that only this host can set over https, and by no others. */
import type { RequestContext } from './request-context.ts';

/** What the parts that make cookies call theirs. */
const PREFIX = 'gatehouse.';
/** A browser keeps a cookie of this name only if it came by https from this very host, for all of its paths. */
const SECURE_PREFIX = '__Host-';

/**
 * Our cookies of a `Cookie` header, without the secure prefix. One without it may come from plain http or from a
 * neighbouring host, so it counts only where there is no TLS.
 */
export function readCookies(header: string | undefined, secure: boolean): string | undefined {
  const prefix = secure ? SECURE_PREFIX + PREFIX : PREFIX;
  const own = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => (secure ? pair.slice(SECURE_PREFIX.length) : pair));
  return own.length === 0 ? undefined : own.join('; ');
}

export function addCookies(
  context: Pick<RequestContext, 'header'>,
  cookies: readonly string[],
  secure: boolean,
): void {
  for (const cookie of cookies) context.header('Set-Cookie', secure ? toSecureCookie(cookie) : cookie);
}

function toSecureCookie(cookie: string): string {
  return `${SECURE_PREFIX}${cookie.replace(/; *Path=[^;]*/i, '; Path=/')}; Secure`;
}
