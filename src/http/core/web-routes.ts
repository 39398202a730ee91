/** The common part of all routes except the public API: one spelling of a path, HSTS behind TLS, the body is read first. */
import { Problem } from '../../contract/problem.ts';
import { readBody } from './body.ts';
import type { RequestContext } from './request-context.ts';
import { type Handle, OTHER, type Route, type Routes } from './request-handler.ts';
import type { Router } from './router.ts';

/** Other spellings of a path are refused: they would pass a proxy that blocks the path by its name. RFC 3986: no client needs them. */
const ENCODED_UNRESERVED = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/i;
/** Header that makes a browser use only https here, for a year. */
const HTTPS_ONLY = 'max-age=31536000';
/** All ids that we make are shorter. */
const MAX_PARAM_LENGTH = 100;

/** `isSecure`: whether people come by https. */
export function createWebRoutes(
  router: Router<Route>,
  isSecure: (context: RequestContext) => boolean,
): Routes & { guard: (handle: Handle) => Handle } {
  const guard =
    (handle: Handle): Handle =>
    async (context) => {
      if (isSecure(context)) context.header('Strict-Transport-Security', HTTPS_ONLY);
      if (!isUsualSpelling(context.path)) throw new Problem('not_found');
      if (Object.values(context.params).some(({ length }) => length > MAX_PARAM_LENGTH))
        throw new Problem('bad_request');
      await handle(context);
    };

  return {
    guard,
    add(method, path, handle, body) {
      const route = async (context: RequestContext) => {
        if (method !== 'GET') context.rawBody = await readBody(context.request);
        await handle(context);
      };
      router.add(method, path, { operation: OTHER, handle: guard(route), ...(body && { body }) });
    },
  };
}

/**
 * Routes that read or change what people manage: nobody stores their answers, and they are answered only while `ready`,
 * which may wait a moment, says so.
 */
export function manageableRoutes(routes: Routes, ready: () => Promise<boolean>): Routes {
  return {
    add(method, path, handle, body) {
      const handleIfReady = async (context: RequestContext) => {
        context.header('Cache-Control', 'no-store');
        if (!(await ready())) throw new Problem('unavailable');
        await handle(context);
      };
      routes.add(method, path, handleIfReady, body);
    },
  };
}

/**
 * Answers a request without a route: 405 where the path has other methods, a page, or 404. @throws Problem
 * @param servePage answers a request that is for a page; returns `false` if it is not
 */
export function refuseMissing(
  context: RequestContext,
  router: Router<Route>,
  servePage: (context: RequestContext) => boolean,
): void {
  const allowed = router.methodsOf(context.path);
  if (allowed.length > 0) {
    context.header('Allow', allowed.join(', '));
    throw new Problem('method_not_allowed');
  }
  if (!servePage(context)) throw new Problem('not_found');
}

function isUsualSpelling(path: string): boolean {
  if (!path.startsWith('/') || ENCODED_UNRESERVED.test(path)) return false;
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
}
