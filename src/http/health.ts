/** GET /healthz, /readyz and /metrics: for the operator's probes and Prometheus. */
import type { DistrustedSource } from '../contract/distrusted-source.ts';
import { Problem } from '../contract/problem.ts';
import type { Metrics } from './metrics.ts';
import type { Routes } from './request-handler.ts';

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

const OK = 200;

export function healthRoutes(routes: Routes, options: HealthRoutesOptions): void {
  const { ready, canCommit, distrusted, metrics } = options;
  routes.add('GET', '/healthz', async (context) => context.json(OK, '{"status":"ok"}'));
  routes.add('GET', '/readyz', async (context) => {
    if (!ready()) throw new Problem('unavailable');
    if (!canCommit()) throw new Problem('unavailable', undefined, NO_COMMITS);
    // A distrusted source is no reason to send signups elsewhere: the service answers, with less evidence.
    const sources = distrusted();
    const answer = { status: 'ready', ...(sources.length === 0 ? {} : { distrusted: sources }) };
    context.json(OK, JSON.stringify(answer));
  });
  if (metrics === undefined) return;
  routes.add('GET', '/metrics', async (context) => {
    const { text, contentType } = await metrics.expose(ready() && canCommit());
    context.send(OK, contentType, text);
  });
}
