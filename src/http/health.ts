/** GET /healthz, /readyz and /metrics: for the operator's probes and Prometheus. */
import type { FastifyInstance } from 'fastify';
import type { DistrustedSource } from '../contract/distrusted-source.ts';
import { Problem } from '../contract/problem.ts';
import type { Metrics } from './metrics.ts';

export interface HealthRoutesOptions {
  /** Whether requests are answered. */
  readonly ready: () => boolean;
  /** False while commits fail. */
  readonly canCommit: () => boolean;
  readonly distrusted: () => readonly DistrustedSource[];
  /** Absent where another listener shows them. */
  readonly metrics?: Metrics | undefined;
}

const NO_COMMITS = {
  message: 'Nothing could be stored for some seconds. Reading goes on.',
  resolution: 'Check the service log: the disk may be full, or the database locked or unreachable.',
};

export function healthRoutes(app: FastifyInstance, options: HealthRoutesOptions): void {
  const { ready, canCommit, distrusted, metrics } = options;
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    if (!ready()) throw new Problem('unavailable');
    if (!canCommit()) throw new Problem('unavailable', undefined, NO_COMMITS);
    // A distrusted source is no reason to send signups elsewhere: the service answers, with less evidence.
    const sources = distrusted();
    return { status: 'ready', ...(sources.length === 0 ? {} : { distrusted: sources }) };
  });
  if (metrics === undefined) return;
  app.get('/metrics', async (_request, reply) => {
    const { text, contentType } = await metrics.expose(ready() && canCommit());
    reply.type(contentType);
    return text;
  });
}
