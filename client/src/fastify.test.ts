import { describe, expect, it, vi } from 'vitest';
import type { SignupProtector } from './adapter.ts';
import { clientIp, type FastifyReplyLike, type FastifyRequestLike, protectSignup } from './fastify.ts';
import type { SignupDecision } from './protect-signup.ts';

const READING = { email: (request: FastifyRequestLike) => request.body.email };
const decided = (decision: SignupDecision['decision']): SignupDecision => ({
  decision,
  assessment: null,
  ip: '203.0.113.7',
  mailUnwanted: false,
  failedOpen: false,
  error: null,
});

/** Runs the hook once, as Fastify does, until it is done or replied. */
async function pass(protector: SignupProtector, callbacks: object = {}) {
  const headers = { 'x-forwarded-for': '192.0.2.1, 198.51.100.7' };
  const raw = { headers, socket: { remoteAddress: '203.0.113.7' } };
  const request: FastifyRequestLike = {
    body: { email: 'jo@example.com' },
    headers,
    ip: '203.0.113.7',
    protocol: 'https',
    raw,
  };
  const calls: unknown[] = [];
  await new Promise<void>((ended) => {
    const reply = {
      code(status: number) {
        calls.push(status);
        return reply;
      },
      send(payload: unknown) {
        calls.push(payload);
        ended();
        return reply;
      },
    } as FastifyReplyLike;
    protectSignup(protector, { ...READING, ...callbacks })(request, reply, (error) => {
      calls.push(error ?? 'next');
      ended();
    });
  });
  return { request, calls };
}

describe('the hook for Fastify', () => {
  const answering = (verdict: SignupDecision['decision']) => ({
    protectSignup: vi.fn<SignupProtector['protectSignup']>(async () => decided(verdict)),
  });

  it('lets the handler run, which finds the decision', async () => {
    for (const verdict of ['allow', 'challenge'] as const) {
      const { request, calls } = await pass(answering(verdict));
      expect(calls).toEqual(['next']);
      expect(request.gatehouse).toEqual(decided(verdict));
    }
  });

  it('answers a blocked signup and does not go on', async () => {
    const { calls } = await pass(answering('block'));
    expect(calls).toEqual([403, { error: expect.objectContaining({ code: 'signup_blocked' }) }]);
  });

  it('answers a text that is no address with 400, or as the application says, but never as a blocked one', async () => {
    const onBlock = () => 'blocked';
    const plain = await pass(answering('invalid'), { onBlock });
    expect(plain.calls).toEqual([400, { error: expect.objectContaining({ code: 'invalid_email' }) }]);
    const own = await pass(answering('invalid'), { onBlock, onInvalid: () => 'which?' });
    expect(own.calls).toEqual(['which?']);
  });

  it('sends what a callback returns', async () => {
    expect((await pass(answering('block'), { onBlock: () => 'blocked' })).calls).toEqual(['blocked']);
    const onChallenge = async (request: FastifyRequestLike) => request.gatehouse?.decision;
    expect((await pass(answering('challenge'), { onChallenge })).calls).toEqual(['challenge']);
  });

  it('reports an error, also of a callback', async () => {
    const fault = new Error('no');
    const failing = { protectSignup: () => Promise.reject(fault) };
    expect((await pass(failing)).calls).toEqual([fault]);
    expect((await pass(answering('block'), { onBlock: () => Promise.reject(fault) })).calls).toEqual([fault]);
  });

  it('gives the client the request of Node.js, which knows the peer', async () => {
    const protector = answering('allow');
    const { request } = await pass(protector);
    expect(protector.protectSignup.mock.lastCall).toEqual([request.raw, { email: 'jo@example.com' }]);
    expect(clientIp(request.raw, { trustedProxies: ['203.0.113.7'] })).toBe('198.51.100.7');
  });
});
