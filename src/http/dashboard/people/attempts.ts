/** Limits how often a client, and anybody who means the same user, may be wrong. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Attempt, FailureWindow } from '../../../accounts/people/failure-window.ts';
import { Problem } from '../../../contract/problem.ts';

export interface Attempts {
  /**
   * Counts as failed until it succeeds: under the client, and under the email where it is known who is meant.
   * @throws Problem `too_many_attempts`, with Retry-After
   */
  begin(call: { request: FastifyRequest; reply: FastifyReply }, email: string | undefined): Attempt;
  /** What failed for an email counts no more: its password is another one now. */
  forget(email: string): void;
}

export interface AttemptsOptions {
  readonly failures: FailureWindow;
  /** What a client is counted under: its address, or the network of it. */
  readonly networkOf: (ip: string) => string;
  readonly clock: () => number;
}

export function createAttempts({ failures, networkOf, clock }: AttemptsOptions): Attempts {
  return {
    begin({ request, reply }, email) {
      const now = clock();
      const names = [`client ${networkOf(request.ip)}`];
      if (email !== undefined) names.push(`email ${email}`);
      const attempt = failures.begin(names, now);
      if (!('retryAt' in attempt)) return attempt;
      reply.header('Retry-After', String(Math.max(1, Math.ceil((attempt.retryAt - now) / 1000))));
      throw new Problem('too_many_attempts');
    },
    forget: (email) => failures.forget(`email ${email}`),
  };
}
