/** GET /healthz, /readyz and /metrics, for the operator's probes and Prometheus: on the service's port or on one of their own. */
import type { DistrustedSource } from '../contract/distrusted-source.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { Problem } from '../contract/problem.ts';
import type { SharedAddress } from '../model/shared-address.ts';
import { createListener, type Listener } from './core/listener.ts';
import type { ToErrorResponse } from './core/problems.ts';
import { createRequestHandler, OTHER, type Route, type Routes } from './core/request-handler.ts';
import { createRouter } from './core/router.ts';
import { createClientOrigin } from './core/trusted-proxies.ts';
import type { Metrics } from './metrics.ts';

export interface HealthRoutesOptions {
  /** Whether requests are answered. */
  readonly ready: () => boolean;
  /** False while commits fail. */
  readonly canCommit: () => boolean;
  readonly distrusted: () => readonly DistrustedSource[];
  /** Keys and hooks whose signups nearly all have one address. */
  readonly sharedAddresses: () => readonly SharedAddress[];
  /** Absent where another listener shows them. */
  readonly metrics?: Metrics | undefined;
}

const NO_COMMITS = {
  message: 'Nothing can be stored at the moment.',
  resolution: 'Check the service log: the disk may be full, or the database locked or unreachable.',
};

const OK = 200;

export function healthRoutes(routes: Routes, options: HealthRoutesOptions): void {
  const { ready, canCommit, distrusted, sharedAddresses, metrics } = options;
  routes.add('GET', '/healthz', async (context) => context.json(OK, '{"status":"ok"}'));
  routes.add('GET', '/readyz', async (context) => {
    if (!ready()) throw new Problem('unavailable');
    if (!canCommit()) throw new Problem('unavailable', undefined, NO_COMMITS);
    // A distrusted source is no reason to send signups elsewhere: the service answers, with less evidence.
    const sources = distrusted();
    // Anybody may read this: how many, but not whose.
    const shared = sharedAddresses().length;
    const answer = {
      status: 'ready',
      ...(sources.length === 0 ? {} : { distrusted: sources }),
      ...(shared === 0 ? {} : { shared_addresses: shared }),
    };
    context.json(OK, JSON.stringify(answer));
  });
  if (metrics === undefined) return;
  routes.add('GET', '/metrics', async (context) => {
    const { text, contentType } = await metrics.expose(ready() && canCommit());
    context.send(OK, contentType, text);
  });
}

export interface MetricsServerOptions extends Required<HealthRoutesOptions> {
  readonly toErrorResponse: ToErrorResponse;
  readonly makeId: MakeId;
  readonly clock: () => number;
  readonly stopping: () => boolean;
}

/** A few scrapers and probes. */
const MAX_CONNECTIONS = 64;
const RESOLUTION =
  'This port serves only /metrics, /healthz and /readyz; everything else is on the port of the service.';

/** A listener of its own, which shows nothing else. */
export function createMetricsServer(options: MetricsServerOptions): Listener {
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
