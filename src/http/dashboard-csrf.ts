/** Decides whether a request that may change something came from our own pages, by http or https, and what our cookies are called. */
import type { Visitor } from '../accounts/sign-in.ts';
import { Problem } from '../contract/problem.ts';
import type { RequestContext } from './core/request-context.ts';

const HEADER = 'x-gatehouse';
const HEADER_VALUE = 'dashboard';
const SCHEMES = new Set(['http', 'https']);
/** A host name or an address, with or without a port. */
const AUTHORITY = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const SAFE = new Set(['GET', 'HEAD']);

export interface CsrfOrigins {
  /** @throws Problem `foreign_request` unless the request only reads or a page of ours sent it */
  check(context: RequestContext): void;
  /**
   * URL at which the dashboard is served, without a slash at the end.
   * @throws Problem `bad_request` where only the client names the host, and this is no address
   */
  originOf(context: RequestContext): string;
  /** Whether people reach the dashboard by https. */
  isSecure(context: Pick<RequestContext, 'protocol'>): boolean;
  /** Our cookies that count for a request, without the prefix of their names. */
  cookiesOf(context: RequestContext): string | undefined;
  addCookies(context: RequestContext, cookies: readonly string[]): void;
}

/** Reads from a request who makes it, for sign-in. */
export type VisitorOf = (context: RequestContext) => Visitor;

/** @param publicUrl the dashboard's URL for people; `null`: taken from each request */
export function createCsrfOrigins(publicUrl: string | null): CsrfOrigins {
  const own = publicUrl === null ? undefined : new URL(publicUrl);

  /** Another site cannot set the header (a preflight request gets no permission), nor forge the origin. */
  function isOwn({ headers, host }: RequestContext): boolean {
    if (headers[HEADER] !== HEADER_VALUE) return false;
    const site = headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin') return false;
    const { origin } = headers;
    if (origin === undefined) return true;
    if (!URL.canParse(origin)) return false;
    if (origin === own?.origin) return true;
    const { host: originHost, protocol } = new URL(origin);
    // There, a browser would not keep cookies for https.
    if (own?.protocol === 'https:' && protocol === 'http:') return false;
    return originHost === host.toLowerCase();
  }

  const isSecure: CsrfOrigins['isSecure'] = ({ protocol }) =>
    protocol === 'https' || own?.protocol === 'https:';

  return {
    check(context) {
      if (!SAFE.has(context.method) && !isOwn(context)) throw new Problem('foreign_request');
    },
    originOf({ protocol, host }) {
      if (publicUrl !== null) return publicUrl.replace(/\/$/, '');
      if (!SCHEMES.has(protocol) || !AUTHORITY.test(host)) throw new Problem('bad_request');
      return `${protocol}://${host}`;
    },
    isSecure,
    cookiesOf: (context) => readCookies(context.headers.cookie, isSecure(context)),
    addCookies: (context, cookies) => addCookies(context, cookies, isSecure(context)),
  };
}

/** Beginning of the names of cookies, for the parts that make them. */
const PREFIX = 'gatehouse.';
/** A browser keeps a cookie of this name only if it came by https from exactly this host, for all of its paths. */
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

/** Adds cookies; with TLS under names that only this host can set, over https. */
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
