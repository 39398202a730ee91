/** A publisher of feeds on loopback; the test decides its misbehaviour. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** The answer on a path. */
export interface FeedAnswer {
  readonly body?: string;
  readonly status?: number;
  /** Sends Last-Modified, and answers 304 if nothing changed. Default on. */
  readonly validators?: boolean;
  readonly gzip?: boolean;
  /** Closes the connection in the middle of the announced length. */
  readonly truncated?: boolean;
  /** Sends a line at this interval in milliseconds, without end. */
  readonly everyMs?: number;
  /** Sends as fast as it can, without end. */
  readonly endless?: boolean;
  /** Never answers. */
  readonly hang?: boolean;
  readonly redirectTo?: string;
}

export interface TestFeedServer {
  /** Ends with a slash. */
  readonly url: string;
  set(path: string, answer: FeedAnswer): void;
  /** Statuses answered on a path so far. */
  answered(path: string): number[];
  /** The last request's headers on a path. */
  headers(path: string): IncomingMessage['headers'];
  close(): Promise<void>;
}

export async function startFeedServer(): Promise<TestFeedServer> {
  const answers = new Map<string, FeedAnswer>();
  const statuses = new Map<string, number[]>();
  const headers = new Map<string, IncomingMessage['headers']>();
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').slice(1);
    headers.set(path, request.headers);
    response.on('error', () => {});
    const status = reply(request, response, answers.get(path) ?? { status: 404, body: 'not here' });
    statuses.set(path, [...(statuses.get(path) ?? []), status]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}/`,
    set: (path, answer) => void answers.set(path, answer),
    answered: (path) => statuses.get(path) ?? [],
    headers: (path) => headers.get(path) ?? {},
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Returns the status of the answer; 0 if there was none. */
function reply(request: IncomingMessage, response: ServerResponse, answer: FeedAnswer): number {
  const { body = '', status = 200, validators = true } = answer;
  if (answer.hang) return 0;
  if (answer.redirectTo !== undefined) {
    response.writeHead(302, { location: answer.redirectTo }).end();
    return 302;
  }
  if (answer.endless || answer.everyMs !== undefined) {
    response.writeHead(200, { 'content-type': 'text/plain' });
    if (answer.endless) pour(response);
    else drip(response, answer.everyMs as number);
    return 200;
  }
  const etag = `"${createHash('sha1').update(body).digest('hex')}"`;
  if (validators && status === 200) {
    response.setHeader('etag', etag);
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304).end();
      return 304;
    }
  }
  const bytes = answer.gzip ? gzipSync(body) : Buffer.from(body);
  if (answer.gzip) response.setHeader('content-encoding', 'gzip');
  response.writeHead(status, { 'content-length': bytes.length });
  if (answer.truncated) response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
  else response.end(bytes);
  return status;
}

function pour(response: ServerResponse): void {
  const block = Buffer.from('nothing-but-noise.example\n'.repeat(40_000));
  const more = () => {
    while (!response.destroyed && response.write(block));
  };
  response.on('drain', more);
  more();
}

function drip(response: ServerResponse, everyMs: number): void {
  let line = 0;
  const timer = setInterval(() => {
    line += 1;
    response.write(`drop-${line}.example\n`);
  }, everyMs);
  response.on('close', () => clearInterval(timer));
}
