/** Decides what a listener accepts of its clients before anything is answered: time limits, connections, requests of each. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { answerBrokenRequest, refuseTunnel } from './broken-request.ts';
import { admitRequest, limitConnections } from './connections.ts';

export interface ListenerOptions {
  readonly handleRequest: RequestListener;
  /** Connections that may be open at once. */
  readonly maxConnections: number;
}

/** Headers and body together; checked every second, so that a slow sender is cut off within 12 s. */
const REQUEST_TIMEOUT_MS = 10_000;
const HEADERS_TIMEOUT_MS = 10_000;
const CHECK_CONNECTIONS_MS = 1_000;
const KEEP_ALIVE_MS = 72_000;
/** Time without a byte in either direction: longer than any answer takes, and longer than an idle connection is kept. */
const SILENCE_MS = 90_000;

/** A server that does not listen yet. */
export function createListener({ handleRequest, maxConnections }: ListenerOptions): Server {
  const server = createServer({
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
    // Node would answer a missing Host by itself, without the envelope.
    requireHostHeader: false,
  });
  server.timeout = SILENCE_MS;
  // A client that closes its half of the connection after the request still waits for the answer.
  (server as { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
  limitConnections(server, maxConnections);
  server.on('request', (request, response) => {
    admitRequest(request, response, () => handleRequest(request, response));
  });
  server.on('clientError', answerBrokenRequest);
  server.on('connect', refuseTunnel);
  // A request with an unknown `Expect` header is answered all the same.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}
