/** The answer to a request that is refused because of overload: nearly all of it is the same text, because refusing must be far cheaper than answering. */
import type { ServerResponse } from 'node:http';
import { Problem, toEnvelope } from '../../contract/problem.ts';
import { HOLD_MS } from './held-connections.ts';
import { httpDate } from './http-date.ts';
import { JSON_TYPE, NO_PAGE } from './request-context.ts';

/** Time after which the turn of the event loop that was too long is over, and the connection is read again. */
const RETRY_AFTER_S = HOLD_MS / 1_000;
/** ASCII. */
const BODY = JSON.stringify(
  toEnvelope(
    new Problem('unavailable', undefined, {
      message: 'More requests come than this service can answer now. Nothing was charged.',
      resolution: 'Send the request again after as many seconds as Retry-After says.',
    }),
  ),
);
/** Names and values in turn. */
// biome-ignore format: a name with its value a line
const HEADERS = [
  'Content-Type', JSON_TYPE,
  'Content-Length', Buffer.byteLength(BODY),
  'Retry-After', RETRY_AFTER_S,
  'Cache-Control', 'no-store',
  'X-Content-Type-Options', 'nosniff',
  'Content-Security-Policy', NO_PAGE,
];
const HEADER_LINES = HEADERS.map((part, at) => (at % 2 === 0 ? `${part}: ` : `${part}\r\n`)).join('');

/** Answers by Node's writer. Without a log line, or a metric of its operation. */
export function refuse(response: ServerResponse, id: string): void {
  response.writeHead(503, ['X-Request-Id', id, ...HEADERS] as never).end(BODY);
}

/** The refusal as text, ASCII. @param keepAlive the lines that say how long the connection is kept */
export function refusalText(id: string, keepAlive: string): string {
  const head = `HTTP/1.1 503 Service Unavailable\r\nX-Request-Id: ${id}\r\n${HEADER_LINES}`;
  return `${head}Date: ${httpDate()}\r\n${keepAlive}\r\n${BODY}`;
}
