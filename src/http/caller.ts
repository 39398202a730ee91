/** Decides who is asking: the bearer key of a request → its caller, or a refusal. */
import type { Caller, Directory } from '../accounts/directory.ts';
import { Problem } from '../contract/problem.ts';

const BEARER = /^bearer +(\S+) *$/i;

/** `now`: milliseconds since the epoch. @throws Problem `unauthorized` or `token_revoked` */
export function authenticate(directory: Directory, authorization: string | undefined, now: number): Caller {
  const secret = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  const caller = secret === undefined ? undefined : directory.find(secret, now);
  if (caller === undefined) throw new Problem('unauthorized');
  if (caller === 'revoked') throw new Problem('token_revoked');
  return caller;
}
