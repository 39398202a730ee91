/** Answers what no route answers: 405 where the path knows other methods, else 404. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../contract/problem.ts';
import type { ServedPath } from './operation.ts';

/** Fastify asks some methods for a content type before it looks for a route. */
const ASKED_TOO_EARLY = 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE';

/**
 * Call before routes are registered: it learns them as they come; `others` tells the paths that are served beside them.
 * `servePage` may answer what nobody knows. Returns what makes of Fastify's premature refusals the Problem of a missing route, and leaves every other error as it is.
 */
export function createNotFound(
  app: FastifyInstance,
  others: () => readonly ServedPath[],
  servePage: (request: FastifyRequest, reply: FastifyReply) => boolean = () => false,
) {
  const known: ServedPath[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const path = new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]*')}$`);
    known.push({ path, methods: [method].flat() });
  });

  function toProblem(request: FastifyRequest, reply: FastifyReply): Problem {
    const path = request.url.split('?', 1)[0] as string;
    const serving = [...others(), ...known].filter((route) => route.path.test(path));
    const allowed = new Set(serving.flatMap(({ methods }) => methods));
    if (allowed.size === 0 || allowed.has(request.method)) return new Problem('not_found');
    reply.header('Allow', [...allowed].join(', '));
    return new Problem('method_not_allowed');
  }

  app.setNotFoundHandler((request, reply) => {
    const problem = toProblem(request, reply);
    if (problem.code !== 'not_found' || !servePage(request, reply)) throw problem;
  });
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): unknown =>
    (error as { code?: string }).code === ASKED_TOO_EARLY ? toProblem(request, reply) : error;
}
