/** GET /healthz, /readyz and /metrics: for the operator's probes and Prometheus. */
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../contract/problem.ts';
import type { Metrics } from '../metrics/metrics.ts';

export interface HealthRoutesOptions {
  readonly ready: () => boolean;
  readonly metrics: Metrics;
}

export function healthRoutes(app: FastifyInstance, { ready, metrics }: HealthRoutesOptions): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    if (!ready()) throw new Problem('unavailable');
    return { status: 'ready' };
  });
  app.get('/metrics', async (_request, reply) => {
    const { text, contentType } = await metrics.expose(ready());
    reply.type(contentType);
    return text;
  });
}
