/** Tells when nobody waits for an answer any more: its connection was closed before it was sent. */
import type { FastifyReply } from 'fastify';

export function goneSignal({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
