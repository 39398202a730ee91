/** AbuseIPDB's check endpoint on loopback; the test decides its scores and misbehaviour. */
import { createServer } from 'node:http';

export interface TestAbuseServer {
  /** The URL of the check endpoint, in the form for the setting. */
  readonly url: string;
  /** Scores by address; 0 for any other. */
  readonly scores: Map<string, number>;
  /** Sent instead of an answer: a status, or a body with status 200. */
  misbehaviour: number | string | undefined;
  delayMs: number;
  /** Accepts requests and never replies. */
  hang: boolean;
  /** The addresses of all queries, in order. */
  readonly queries: string[];
  /** The keys of these queries. */
  readonly keys: Set<string>;
  close(): Promise<void>;
}

export async function startAbuseServer(): Promise<TestAbuseServer> {
  const http = createServer();
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const address = http.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const server: TestAbuseServer = {
    url: `http://127.0.0.1:${port}/api/v2/check`,
    scores: new Map(),
    misbehaviour: undefined,
    delayMs: 0,
    hang: false,
    queries: [],
    keys: new Set(),
    async close() {
      const closed = new Promise((done) => http.close(done));
      http.closeAllConnections();
      await closed;
    },
  };
  http.on('request', (request, response) => {
    const ip = new URL(request.url ?? '', server.url).searchParams.get('ipAddress') ?? '';
    server.queries.push(ip);
    server.keys.add(String(request.headers.key));
    if (server.hang) return;
    const { misbehaviour } = server;
    const document = { data: { ipAddress: ip, abuseConfidenceScore: server.scores.get(ip) ?? 0 } };
    setTimeout(() => {
      response.writeHead(typeof misbehaviour === 'number' ? misbehaviour : 200, {
        'content-type': 'application/json',
      });
      response.end(typeof misbehaviour === 'string' ? misbehaviour : JSON.stringify(document));
    }, server.delayMs).unref();
  });
  return server;
}
