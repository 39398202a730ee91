/** Decides who is asking: the bearer key of a request → its caller, or a refusal. */
import type { FastifyRequest } from 'fastify';
import type { Caller, Directory } from '../accounts/directory.ts';
import { Problem } from '../contract/problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `authenticate`, before the body is read. */
    caller: Caller;
    /** `Date.now()` when the request came in. */
    at: number;
    /** `performance.now()` when the request came in. */
    started: number;
  }
}

const BEARER = /^bearer +(\S+) *$/i;

/** @throws Problem `unauthorized` or `token_revoked` */
export function authenticate(directory: Directory, request: FastifyRequest): Caller {
  const secret = BEARER.exec(request.headers.authorization ?? '')?.[1];
  const caller = secret === undefined ? undefined : directory.find(secret, request.at);
  if (caller === undefined) throw new Problem('unauthorized');
  if (caller === 'revoked') throw new Problem('token_revoked');
  return caller;
}
