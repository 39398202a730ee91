/** Tells when nobody waits for an answer any more: its connection was closed before it was sent. */
import { Problem } from '../contract/problem.ts';
import type { RequestContext } from './request-context.ts';

/** Ends work that nobody waits for: no fault of the service, and nobody reads its answer. */
export class NobodyWaits extends Problem {
  constructor() {
    super('unavailable', undefined, { message: 'Nobody waits for this answer any more.' });
  }
}

/** Its reason is a `NobodyWaits`. */
export function goneSignal({ response }: Pick<RequestContext, 'response'>): AbortSignal {
  const gone = new AbortController();
  const end = () => {
    if (!response.writableFinished) gone.abort(new NobodyWaits());
  };
  // Whoever left before the handler ran is not announced again.
  if (response.destroyed) end();
  else response.once('close', end);
  return gone.signal;
}
