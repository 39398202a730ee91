/** Signals that the client has disconnected before its answer was sent. */
import { Problem } from '../contract/problem.ts';
import type { RequestContext } from './request-context.ts';

/** Stops the work of a request whose client has disconnected: not a fault of the service. */
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
  // A client that left before the handler ran causes no event any more.
  if (response.destroyed) end();
  else response.once('close', end);
  return gone.signal;
}
