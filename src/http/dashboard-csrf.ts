/** Decides whether a request that may change something came from our own pages, and how it came. */
import type { Visitor } from '../accounts/sign-in.ts';
import { Problem } from '../contract/problem.ts';
import { readCookies } from './dashboard-cookies.ts';
import type { RequestContext } from './request-context.ts';

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
   * Where the dashboard is served, without a slash at the end.
   * @throws Problem `bad_request` where only the client tells, and what it says is no address
   */
  of(context: RequestContext): string;
  /** Whether people reach the dashboard by https. */
  isSecure(context: Pick<RequestContext, 'protocol'>): boolean;
  /** Our cookies that count for a request, without the prefix of their names. */
  cookiesOf(context: RequestContext): string | undefined;
}

/** Who makes a request, for sign-in. */
export type VisitorOf = (context: RequestContext) => Visitor;

/** @param publicUrl the dashboard's URL for people; `null`: taken from each request */
export function createCsrfOrigins(publicUrl: string | null): CsrfOrigins {
  const own = publicUrl === null ? undefined : new URL(publicUrl);

  /** Another site can neither set the header without asking first, which is never answered, nor forge the origin. */
  function isOwn({ headers, host }: RequestContext): boolean {
    if (headers[HEADER] !== HEADER_VALUE) return false;
    const site = headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin') return false;
    const { origin } = headers;
    if (origin === undefined) return true;
    if (!URL.canParse(origin)) return false;
    if (origin === own?.origin) return true;
    const { host: originHost, protocol } = new URL(origin);
    // A browser would not keep the cookies of https there.
    if (own?.protocol === 'https:' && protocol === 'http:') return false;
    return originHost === host.toLowerCase();
  }

  const isSecure: CsrfOrigins['isSecure'] = ({ protocol }) =>
    protocol === 'https' || own?.protocol === 'https:';

  return {
    check(context) {
      if (!SAFE.has(context.method) && !isOwn(context)) throw new Problem('foreign_request');
    },
    of({ protocol, host }) {
      if (publicUrl !== null) return publicUrl.replace(/\/$/, '');
      if (!SCHEMES.has(protocol) || !AUTHORITY.test(host)) throw new Problem('bad_request');
      return `${protocol}://${host}`;
    },
    isSecure,
    cookiesOf: (context) => readCookies(context.headers.cookie, isSecure(context)),
  };
}
