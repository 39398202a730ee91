/** Puts the HTTP service together: limits of the transport, the operations, and what every answer has in common. */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Directory } from '../accounts/directory.ts';
import type { Quota } from '../accounts/quota.ts';
import type { Assess } from '../assess/assess.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { Problem } from '../contract/problem.ts';
import type { Counters } from '../counters/counters.ts';
import type { AssessmentStore } from '../store/store.ts';
import { answerBrokenRequest, noteAnswer } from './broken-request.ts';
import { docsRoutes } from './docs.ts';
import { createMeter } from './meter.ts';
import type { Metrics } from './metrics/metrics.ts';
import { createProblemAnswer } from './problems.ts';
import { assessRoutes } from './routes/assess.ts';
import { feedbackRoute } from './routes/feedback.ts';
import { healthRoutes } from './routes/health.ts';
import { usageRoute } from './routes/usage.ts';
import { followRoutes } from './unrouted.ts';

export interface ServerOptions {
  readonly assess: Assess;
  readonly store: Pick<AssessmentStore, 'findBody' | 'saveFeedback' | 'creditsUsed'>;
  readonly directory: Directory;
  readonly quota: Quota;
  readonly counters: Pick<Counters, 'admit' | 'peek'>;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly makeId: MakeId;
  readonly clock: () => number;
  /** False until the service can answer. */
  readonly ready: () => boolean;
  /** True once the service is told to stop: what comes in is still answered, each the last of its connection. */
  readonly stopping: () => boolean;
  /** Whose X-Forwarded-* headers to believe: a Fastify `trustProxy` value. */
  readonly trustProxy: boolean | string | number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The verdict that was answered; empty unless a signup was assessed. */
    verdict: string;
  }
}

const BODY_LIMIT_BYTES = 64 * 1024;
/** Headers and body together; checked every second, so that a slow sender is cut off within 12 s. */
const REQUEST_TIMEOUT_MS = 10_000;
const HEADERS_TIMEOUT_MS = 10_000;
const CHECK_CONNECTIONS_MS = 1_000;
const KEEP_ALIVE_MS = 72_000;
const MAX_PATH_PARAMETER = 16 * 1024;

export function createServer(options: ServerOptions): FastifyInstance {
  const { assess, store, directory, quota, counters, metrics, log, makeId, clock, ready, stopping } = options;
  const answerProblem = createProblemAnswer(log);
  const app = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
      // Node would answer a missing Host by itself, without the envelope.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER },
    trustProxy: options.trustProxy as string,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: () => makeId('req', clock()),
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) =>
      answerProblem(error, request as FastifyRequest, reply as FastifyReply),
    ajv: {
      customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, verbose: true },
    },
    schemaErrorFormatter: (errors) => Object.assign(new Error('invalid body'), { validation: errors }),
  });
  app.decorate('directory', directory);
  app.decorate('answered', (request: FastifyRequest, status: number) => {
    const operation = request.routeOptions.config.operation ?? 'other';
    const milliseconds = performance.now() - request.started;
    metrics.request(operation, status, request.verdict, milliseconds / 1000);
    log.debug({ request_id: request.id, operation, status, ms: Math.round(milliseconds) }, 'answered');
  });
  app.decorateRequest('caller', null as never);
  app.decorateRequest('verdict', '');
  app.decorateRequest('at', 0);
  app.decorateRequest('started', 0);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.addHook('onRequest', (request, reply, done) => {
    request.at = clock();
    request.started = performance.now();
    noteAnswer(request.raw.socket, reply.raw);
    reply.header('X-Request-Id', request.id);
    if (stopping()) reply.header('Connection', 'close');
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
      throw new Problem('bad_request');
    if (request.routeOptions.config.operation === undefined) return done();
    reply.header('Cache-Control', 'no-store');
    done(ready() ? undefined : new Problem('unavailable'));
  });
  app.addHook('onRoute', (route) => {
    if (route.config?.operation !== undefined) return;
    // Operations report their answers themselves, and so does every refusal.
    route.onResponse = (request, reply, done) => {
      if (reply.statusCode < 400) app.answered(request, reply.statusCode);
      done();
    };
  });
  // An expectation that nobody knows is no reason to refuse a request that can be answered.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  const unrouted = followRoutes(app);
  app.setErrorHandler((error, request, reply) =>
    answerProblem(unrouted(error, request, reply), request, reply),
  );

  const meter = createMeter({ counters, quota });
  assessRoutes(app, { assess, store, quota, meter });
  feedbackRoute(app, { store });
  usageRoute(app, { store, meter });
  healthRoutes(app, { ready: () => ready() && !stopping(), metrics });
  docsRoutes(app);
  return app;
}
