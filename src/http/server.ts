/** Puts the HTTP service together: limits of the transport, the operations, and what every answer has in common. */
import { createServer as createHttpServer } from 'node:http';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
} from 'fastify';
import type { Logger } from 'pino';
import type { Directory } from '../accounts/directory.ts';
import type { Quota } from '../accounts/quota.ts';
import type { Assess } from '../assess/assess.ts';
import type { DistrustedSource } from '../contract/distrusted-source.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { Problem } from '../contract/problem.ts';
import type { Counters } from '../counters/counters.ts';
import type { DashboardStore } from '../store/dashboard-store.ts';
import type { LogStore } from '../store/history-store.ts';
import type { AccountStore, AssessmentStore, ListStore } from '../store/store.ts';
import { createAnswerAttempt } from './answer-signup.ts';
import { assessRoutes } from './api-assess.ts';
import { feedbackRoute } from './api-feedback.ts';
import { usageRoute } from './api-usage.ts';
import { BODY_LIMIT_BYTES } from './body.ts';
import { answerBrokenRequest, refuseTunnel } from './broken-request.ts';
import { admitRequest, limitConnections } from './connections.ts';
import { type DashboardOptions, dashboardRoutes } from './dashboard.ts';
import { createCsrfOrigins } from './dashboard-csrf.ts';
import { createPages } from './dashboard-static-pages.ts';
import { docsRoutes } from './docs.ts';
import { healthRoutes } from './health.ts';
import type { Metrics } from './metrics.ts';
import { createNotFound } from './not-found.ts';
import { type Answered, createOperations, type Operations } from './operation.ts';
import { createToErrorResponse } from './problems.ts';
import { createRateLimiter } from './rate-limit.ts';
import { createTrust, type TrustedProxies } from './trusted-proxies.ts';

export interface ServerOptions {
  readonly assess: Assess;
  readonly store: AssessmentStore & AccountStore & ListStore & DashboardStore & LogStore;
  readonly directory: Directory;
  readonly quota: Quota;
  readonly counters: Pick<Counters, 'admit' | 'peek' | 'checkAndCount'>;
  readonly metrics: Metrics;
  /** Whether another listener shows the metrics. */
  readonly metricsElsewhere: boolean;
  readonly log: Logger;
  readonly makeId: MakeId;
  readonly clock: () => number;
  /** False until the service can answer. */
  readonly ready: () => boolean;
  /** Waits a moment for the service to be able to answer; resolves to whether it is. */
  readonly becomeReady: () => Promise<boolean>;
  /** True once the service is told to stop: what comes in is still answered, each the last of its connection. */
  readonly stopping: () => boolean;
  /** False while commits fail: then only what must be stored is refused. */
  readonly canCommit: () => boolean;
  /** Sources that are wrong about what everybody knows, so that nothing they say counts. */
  readonly distrusted: () => readonly DistrustedSource[];
  /** Whose X-Forwarded-* headers to believe. */
  readonly trustProxy: TrustedProxies;
  /** Connections that may be open at once. */
  readonly maxConnections: number;
  readonly dashboard: DashboardOptions;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** `performance.now()` when the request came in. */
    started: number;
  }
}

/** Headers and body together; checked every second, so that a slow sender is cut off within 12 s. */
const REQUEST_TIMEOUT_MS = 10_000;
const HEADERS_TIMEOUT_MS = 10_000;
const CHECK_CONNECTIONS_MS = 1_000;
/** Another spelling of a path: what a proxy denies by its name would pass. RFC 3986 lets nobody need it. */
const ENCODED_UNRESERVED = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/i;
/** A browser that saw it asks for nothing here by http for a year. */
const HTTPS_ONLY = 'max-age=31536000';
const KEEP_ALIVE_MS = 72_000;
/** Without a byte in either direction: longer than any answer takes, and than an idle connection is kept. */
const SILENCE_MS = 90_000;

export function createServer(options: ServerOptions): FastifyInstance {
  const {
    assess,
    store,
    directory,
    quota,
    counters,
    metrics,
    log,
    makeId,
    clock,
    ready,
    becomeReady,
    stopping,
  } = options;
  const refuse = createToErrorResponse(log);
  const answered: Answered = ({ operation, verdict, started, id }, status) => {
    const milliseconds = performance.now() - started;
    metrics.request(operation, status, verdict, milliseconds / 1000);
    if (log.isLevelEnabled('debug'))
      log.debug({ request_id: id, operation, status, ms: Math.round(milliseconds) }, 'answered');
  };
  const operations = createOperations({
    directory,
    refuse,
    answered,
    makeId,
    clock,
    ready,
    becomeReady,
    stopping,
  });
  const meter = createRateLimiter({ counters, quota });
  const answerAttempt = createAnswerAttempt({
    assess,
    quota,
    meter,
    onCounted: (milliseconds) => metrics.gatherer('velocity', milliseconds),
    onJudged: metrics.reasons,
  });
  assessRoutes(operations, { answerAttempt, store, meter });
  feedbackRoute(operations, { store });
  usageRoute(operations, { store, meter });

  const answerProblem = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const isChange = request.method !== 'GET' && request.url.startsWith('/dashboard/');
    const { status, headers, body } = refuse(error, request.id, isChange);
    answered(aboutOther(request), status);
    reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body);
  };
  const app = Fastify({
    serverFactory: serveWith(operations, options.maxConnections),
    trustProxy: createTrust(options.trustProxy),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: () => makeId('req', clock()),
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) =>
      answerProblem(error, request as FastifyRequest, reply as FastifyReply),
  });
  const origins = createCsrfOrigins(options.dashboard.publicUrl);
  app.decorateRequest('started', 0);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES }, (_request, body, done) =>
    done(null, body),
  );
  app.addHook('onRequest', (request, reply, done) => {
    request.started = performance.now();
    reply.header('X-Request-Id', request.id).header('X-Content-Type-Options', 'nosniff');
    if (origins.isSecure(request)) reply.header('Strict-Transport-Security', HTTPS_ONLY);
    if (stopping()) reply.header('Connection', 'close');
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
      throw new Problem('bad_request');
    if (ENCODED_UNRESERVED.test(request.url.split('?', 1)[0] as string)) throw new Problem('not_found');
    done();
  });
  // Refusals report themselves.
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode < 400) answered(aboutOther(request), reply.statusCode);
    done();
  });
  const pages = createPages();
  const unrouted = createNotFound(app, operations.paths, pages.servePage);
  app.setErrorHandler((error, request, reply) =>
    answerProblem(unrouted(error, request, reply), request, reply),
  );
  healthRoutes(app, {
    ready: () => ready() && !stopping(),
    canCommit: options.canCommit,
    distrusted: options.distrusted,
    metrics: options.metricsElsewhere ? undefined : metrics,
  });
  docsRoutes(app);
  pages.register(app);
  dashboardRoutes(app, {
    ...options,
    ...options.dashboard,
    origins,
    meter,
    answerAttempt,
    refuse,
    ready: async () => (ready() || (await becomeReady())) && !stopping(),
    onFault: (error) => log.error({ err: error }, 'the dashboard could not do its part'),
  });
  return app;
}

function aboutOther({ id, started }: FastifyRequest) {
  return { operation: 'other', verdict: '', started, id };
}

/** Node's server with our limits: what is for an operation goes there, everything else to Fastify. */
function serveWith(operations: Operations, maxConnections: number): FastifyServerFactory {
  return (handler) => {
    const server = createHttpServer({
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
      // Node would answer a missing Host by itself, without the envelope.
      requireHostHeader: false,
    });
    server.timeout = SILENCE_MS;
    // Who closes his half after asking still waits for the answer.
    (server as { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
    limitConnections(server, maxConnections);
    server.on('request', (request, response) => {
      admitRequest(request, response, () => {
        if (!operations.serve(request, response)) handler(request, response);
      });
    });
    server.on('connect', refuseTunnel);
    // An expectation that nobody knows is no reason to refuse a request that can be answered.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    return server;
  };
}
