import { once } from 'node:events';
import { connect } from 'node:net';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { serveRoutes } from '../../test/support/serve-routes.ts';
import { Problem } from '../contract/problem.ts';
import { createToErrorResponse, NobodyWaits } from './core/problems.ts';
import { createPlaces, createWorkPlaces, goneSignal } from './dashboard-work-places.ts';

const OPTIONS = { what: 'exports', perAccount: 2, inAll: 3, retryAfterSeconds: 10 };

describe('places with a name', () => {
  it('are as many as the call says, and each is released once', () => {
    const { take } = createPlaces();
    const strangers = Array.from({ length: 40 }, () => take('hash', 24));
    expect(strangers.filter(Boolean)).toHaveLength(24);
    const known = Array.from({ length: 40 }, () => take('hash', 32));
    expect(known.filter(Boolean)).toHaveLength(8);
    strangers[0]?.();
    strangers[0]?.();
    expect(take('hash', 32)).toBeDefined();
    expect(take('hash', 32)).toBeUndefined();
    expect(take('other', 1)).toBeDefined();
  });
});

describe('places for long work', () => {
  const refusalOf = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      const { status, code, retryAfterSeconds } = error as Problem;
      return { status, code, retryAfterSeconds };
    }
    throw new Error('was not refused');
  };

  it('leaves places to other accounts when one account has all of its own', () => {
    const { enter } = createWorkPlaces(OPTIONS);
    enter('acc_a');
    enter('acc_a');
    expect(refusalOf(() => enter('acc_a'))).toEqual({
      status: 429,
      code: 'rate_limit',
      retryAfterSeconds: 10,
    });
    enter('acc_b');
    for (let times = 0; times < 3; times += 1)
      expect(refusalOf(() => enter('acc_c'))).toEqual({
        status: 503,
        code: 'unavailable',
        retryAfterSeconds: 10,
      });
  });

  it('frees a place once, however often it is released', () => {
    const { enter } = createWorkPlaces(OPTIONS);
    const leave = enter('acc_a');
    enter('acc_a');
    leave();
    leave();
    enter('acc_a');
    expect(() => enter('acc_a')).toThrow(Problem);
  });
});

/** The signal of a handler whose client stays, or breaks the connection. A client that only closes its half still gets its answer. */
async function serve(leaves: 'before' | 'after' | 'never'): Promise<AbortSignal> {
  let resolveSeen: (gone: AbortSignal) => void;
  const seen = new Promise<AbortSignal>((resolve) => {
    resolveSeen = resolve;
  });
  const served = await serveRoutes((routes) =>
    routes.add('GET', '/', async (context) => {
      const closed = once(context.response, 'close');
      if (leaves === 'before') {
        client.resetAndDestroy();
        await closed;
      }
      const gone = goneSignal(context);
      if (leaves === 'after') client.resetAndDestroy();
      if (leaves === 'never') context.empty(204);
      await closed;
      resolveSeen(gone);
    }),
  );
  const client = connect(served.port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  try {
    return await seen;
  } finally {
    await served.close();
  }
}

describe('a client that has gone', () => {
  it.each(['before', 'after'] as const)('is noticed %s the handler asks for the signal', async (when) => {
    const gone = await serve(when);
    expect(gone.aborted).toBe(true);
    expect(gone.reason).toBeInstanceOf(NobodyWaits);
  });

  it('is not reported after the answer was sent', async () => {
    expect((await serve('never')).aborted).toBe(false);
  });

  it('is not an error of the service, so nothing is logged', () => {
    const lines: string[] = [];
    const refuse = createToErrorResponse(pino({}, { write: (line) => void lines.push(line) }));
    refuse(new NobodyWaits(), 'req_1');
    expect(lines).toEqual([]);
    refuse(new Error('a fault'), 'req_2');
    expect(lines).toHaveLength(1);
  });
});
