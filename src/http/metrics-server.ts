/** Decides what a listener of its own shows to operators: metrics and health, and nothing else. */
import Fastify, { type FastifyInstance } from 'fastify';
import { Problem } from '../contract/problem.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { admitRequest, limitConnections } from './connections.ts';
import { type HealthRoutesOptions, healthRoutes } from './health.ts';
import type { ToErrorResponse } from './problems.ts';

export interface MetricsServerOptions extends Required<HealthRoutesOptions> {
  readonly refuse: ToErrorResponse;
}

/** A few scrapers and probes. */
const MAX_CONNECTIONS = 64;
const REQUEST_TIMEOUT_MS = 10_000;
const RESOLUTION =
  'This port has /metrics, /healthz and /readyz alone; everything else is on the port of the service.';

export function createMetricsServer({ refuse, ...health }: MetricsServerOptions): FastifyInstance {
  const app = Fastify({
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    clientErrorHandler: answerBrokenRequest,
  });
  limitConnections(app.server, MAX_CONNECTIONS);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Content-Type-Options', 'nosniff');
    if (!admitRequest(request.raw, reply.raw, done)) reply.hijack();
  });
  app.setNotFoundHandler(() => {
    throw new Problem('not_found', undefined, { resolution: RESOLUTION });
  });
  app.setErrorHandler((error, request, reply) => {
    const { status, headers, body } = refuse(error, request.id);
    reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body);
  });
  healthRoutes(app, health);
  return app;
}
