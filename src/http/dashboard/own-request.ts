/** Decides whether a request that may change something came from our own pages, and how it came. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problem.ts';

const HEADER = 'x-gatehouse';
const HEADER_VALUE = 'dashboard';
const SAFE = new Set(['GET', 'HEAD']);

export interface Origins {
  /** @throws Problem `foreign_request` unless the request only reads or a page of ours sent it */
  check(request: FastifyRequest): void;
  /** Where the dashboard is served, without a slash at the end. */
  of(request: FastifyRequest): string;
  isSecure(request: FastifyRequest): boolean;
}

/** @param publicUrl where people reach the dashboard; `null`: wherever they do */
export function createOrigins(publicUrl: string | null): Origins {
  const own = publicUrl === null ? undefined : new URL(publicUrl);

  /** Another site can neither set the header without asking first, which is never answered, nor forge the origin. */
  function isOwn({ headers, host }: FastifyRequest): boolean {
    if (headers[HEADER] !== HEADER_VALUE) return false;
    const site = headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin') return false;
    const { origin } = headers;
    if (origin === undefined) return true;
    if (!URL.canParse(origin)) return false;
    return origin === own?.origin || new URL(origin).host === host.toLowerCase();
  }

  return {
    check(request) {
      if (!SAFE.has(request.method) && !isOwn(request)) throw new Problem('foreign_request');
    },
    of: ({ protocol, host }) => (publicUrl ?? `${protocol}://${host}`).replace(/\/$/, ''),
    isSecure: ({ protocol, headers }) =>
      protocol === 'https' || (own?.protocol === 'https:' && headers.origin === own.origin),
  };
}
