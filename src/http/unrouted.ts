/** Answers what no route answers: 405 where the path knows other methods, else 404. */
import type { FastifyInstance } from 'fastify';
import { Problem } from '../contract/problem.ts';

/** Call before routes are registered: it learns them as they come. */
export function followRoutes(app: FastifyInstance): void {
  const known: { path: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const path = new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]*')}$`);
    known.push({ path, methods: [method].flat() });
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] as string;
    const allowed = known.filter((route) => route.path.test(path)).flatMap(({ methods }) => methods);
    if (allowed.length === 0 || allowed.includes(request.method)) throw new Problem('not_found');
    reply.header('Allow', [...new Set(allowed)].join(', '));
    throw new Problem('method_not_allowed');
  });
}
