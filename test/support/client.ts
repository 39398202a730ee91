/** A small HTTP client for tests: sends exactly what the test says, and returns status, headers and body as received. */
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import type { Assessment, FeedbackResponse, Usage } from '../../src/contract/messages.ts';

export interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The bytes as received, compressed or not. */
  readonly bytes: Buffer;
  /** The body as JSON. Throws if it is not JSON. */
  readonly json: T;
}

export interface Sending {
  /** Default GET. */
  readonly method?: string;
  /** Sent unchanged: nothing is resolved or escaped. */
  readonly path: string;
  /** A bearer key; `null` for none. Default: the client's. */
  readonly key?: string | null;
  readonly headers?: OutgoingHttpHeaders;
  /** Text and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
}

export interface Client {
  send<T = Record<string, unknown>>(sending: Sending): Promise<Answer<T>>;
  assess(body: unknown, key?: string | null): Promise<Answer<Assessment>>;
  get(requestId: string, key?: string | null): Promise<Answer<Assessment>>;
  feedback(body: unknown, key?: string | null): Promise<Answer<FeedbackResponse>>;
  usage(key?: string | null): Promise<Answer<Usage>>;
  /** The same service with another key. */
  as(key: string): Client;
  close(): void;
}

export function createClient(url: string, ownKey: string | null = null): Client {
  const agent = new Agent({ keepAlive: true });

  async function send<T>({ method = 'GET', path, key = ownKey, headers = {}, body }: Sending) {
    const payload = toBytes(body);
    const all: OutgoingHttpHeaders = {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(payload === undefined
        ? {}
        : {
            'content-type': 'application/json',
            ...(headers['transfer-encoding'] === undefined ? { 'content-length': payload.length } : {}),
          }),
      ...headers,
    };
    return exchange<T>({ url, method, path, headers: all, agent }, payload);
  }
  const post = <T>(path: string, body: unknown, key: string | null) =>
    send<T>({ method: 'POST', path, body, key });

  return {
    send,
    assess: (body, key = ownKey) => post<Assessment>('/v1/assess', body, key),
    get: (requestId, key = ownKey) => send<Assessment>({ path: `/v1/assess/${requestId}`, key }),
    feedback: (body, key = ownKey) => post<FeedbackResponse>('/v1/feedback', body, key),
    usage: (key = ownKey) => send<Usage>({ path: '/v1/usage', key }),
    as: (key) => createClient(url, key),
    close: () => agent.destroy(),
  };
}

function toBytes(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

interface Exchange {
  readonly url: string;
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly agent: Agent;
}

function exchange<T>({ url, ...options }: Exchange, payload: Buffer | undefined): Promise<Answer<T>> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, ...options }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('error', reject);
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString('utf8');
        resolve({
          status: incoming.statusCode as number,
          headers: incoming.headers,
          text,
          bytes,
          get json() {
            return JSON.parse(text) as T;
          },
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}
