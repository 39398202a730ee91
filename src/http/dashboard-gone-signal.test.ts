import { once } from 'node:events';
import { connect } from 'node:net';
import Fastify from 'fastify';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { goneSignal, NobodyWaits } from './dashboard-gone-signal.ts';
import { createToErrorResponse } from './problems.ts';

/** What a handler is given whose client is there, or leaves before it looks. */
async function serve(leaves: 'before' | 'after' | 'never'): Promise<AbortSignal> {
  const app = Fastify({ forceCloseConnections: true });
  const seen = new Promise<AbortSignal>((resolve) => {
    app.get('/', async (_, reply) => {
      const closed = once(reply.raw, 'close');
      if (leaves === 'before') {
        client.destroy();
        await closed;
      }
      const gone = goneSignal(reply);
      if (leaves === 'after') client.destroy();
      if (leaves === 'never') setImmediate(() => reply.send('done'));
      void closed.then(() => resolve(gone));
      return reply;
    });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const client = connect((app.server.address() as { port: number }).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  try {
    return await seen;
  } finally {
    await app.close();
  }
}

describe('who has gone', () => {
  it.each(['before', 'after'] as const)('is noticed %s the handler asks', async (when) => {
    const gone = await serve(when);
    expect(gone.aborted).toBe(true);
    expect(gone.reason).toBeInstanceOf(NobodyWaits);
  });

  it('has not gone when the answer was sent', async () => {
    expect((await serve('never')).aborted).toBe(false);
  });

  it('is no fault of the service: nothing is logged', () => {
    const lines: string[] = [];
    const refuse = createToErrorResponse(pino({}, { write: (line) => void lines.push(line) }));
    refuse(new NobodyWaits(), 'req_1');
    expect(lines).toEqual([]);
    refuse(new Error('a fault'), 'req_2');
    expect(lines).toHaveLength(1);
  });
});
