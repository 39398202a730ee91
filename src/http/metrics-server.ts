/** Decides what a listener of its own shows to operators: metrics and health, and nothing else. */
import type { Server } from 'node:http';
import type { MakeId } from '../contract/identifiers.ts';
import { Problem } from '../contract/problem.ts';
import { type HealthRoutesOptions, healthRoutes } from './health.ts';
import { createListener } from './listener.ts';
import type { ToErrorResponse } from './problems.ts';
import { createRequestHandler, OTHER, type Route } from './request-handler.ts';
import { createRouter } from './router.ts';
import { createClientOrigin } from './trusted-proxies.ts';

export interface MetricsServerOptions extends Required<HealthRoutesOptions> {
  readonly toErrorResponse: ToErrorResponse;
  readonly makeId: MakeId;
  readonly clock: () => number;
  readonly stopping: () => boolean;
}

/** A few scrapers and probes. */
const MAX_CONNECTIONS = 64;
const RESOLUTION =
  'This port has /metrics, /healthz and /readyz alone; everything else is on the port of the service.';

export function createMetricsServer(options: MetricsServerOptions): Server {
  const { toErrorResponse, makeId, clock, stopping } = options;
  const router = createRouter<Route>();
  healthRoutes(
    { add: (method, path, handle) => router.add(method, path, { operation: OTHER, handle }) },
    options,
  );
  const handleRequest = createRequestHandler({
    router,
    handleMissing: () => {
      throw new Problem('not_found', undefined, { resolution: RESOLUTION });
    },
    toErrorResponse,
    onAnswer: () => {},
    origin: createClientOrigin(false),
    makeId,
    clock,
    stopping,
  });
  return createListener({ handleRequest, maxConnections: MAX_CONNECTIONS });
}
