/** Decides which redirects are followed: over HTTP, never from HTTPS to HTTP, to public addresses or back. */
import type { Reach, WebClient, WebRequest, WebResponse } from './web-client.ts';

export interface RedirectOptions extends WebRequest {
  /** Reach of the first URL. The target of a redirect is never trusted. */
  readonly reach: Reach;
  readonly maxRedirects: number;
  /** Called when a response, a redirect included, has begun. */
  readonly onResponse?: () => void;
}

const REDIRECTS = [301, 302, 303, 307, 308];

/** @throws when a request fails, or a redirect must not be followed */
export async function followRedirects(
  client: Pick<WebClient, 'request'>,
  start: URL,
  options: RedirectOptions,
): Promise<WebResponse> {
  const { maxRedirects, onResponse } = options;
  let url = start;
  let { reach } = options;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await client.request(url, { ...options, reach });
    onResponse?.();
    const { location } = response.headers;
    if (location === undefined || !REDIRECTS.includes(response.status)) return response;
    response.discard();
    url = nextUrl(location, url);
    // An operator's own server may lead to another path of itself.
    if (redirects === 0) reach = response.origin;
  }
  throw new Error(`more than ${maxRedirects} redirects`);
}

export function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

function nextUrl(location: string, from: URL): URL {
  const url = new URL(location, from);
  const fits = url.protocol === 'https:' || (url.protocol === 'http:' && from.protocol === 'http:');
  if (!fits) throw new Error(`a redirect to ${url.protocol} is not followed`);
  if (url.username !== '' || url.password !== '')
    throw new Error('a redirect with a user name is not followed');
  return url;
}
