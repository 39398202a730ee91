/** Adds cookies to an answer, for https alone where the request came by it. */
import type { FastifyReply } from 'fastify';

export function addCookies(reply: FastifyReply, cookies: readonly string[], secure: boolean): void {
  if (cookies.length === 0) return;
  // Fastify adds to the cookies that are there already.
  reply.header('Set-Cookie', secure ? cookies.map((cookie) => `${cookie}; Secure`) : [...cookies]);
}
