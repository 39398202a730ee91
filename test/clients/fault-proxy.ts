/** Between the clients and the service: passes requests on, and answers itself where a vector says so, with what the service cannot be made to do. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answer to one request, or to `times` of them. */
export interface ScriptedAnswer {
  /**
   * `pass`: the service answers · `lose`: it does, and the connection is closed instead · `truncate`: half of its answer ·
   * `close`: nothing is passed on · `hang`, `drip`, `drip_headers`: no answer in time · `echo_secrets`: an error that repeats what was sent.
   */
  readonly do?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly base64?: string;
  readonly times?: number;
}

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export interface FaultProxy {
  readonly url: string;
  /** Requests below a prefix such as `/python/7`, in the order they came. */
  sent(prefix: string): readonly SentRequest[];
  close(): Promise<void>;
}

/** Time after which a request that nobody answers ends with a good answer: who waited for it kept no deadline. */
const HANG_MS = 20_000;
const DRIP_MS = 40;

/** @param scripts answers for each index of a vector, after which requests are passed on */
export async function startFaultProxy(
  service: string,
  scripts: readonly (readonly ScriptedAnswer[])[],
): Promise<FaultProxy> {
  const requests = new Map<string, SentRequest[]>();
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const [, prefix = '', index = '', path = ''] = /^(\/[^/]+\/(\d+))(.*)$/.exec(request.url ?? '') ?? [];
    const { method = '', headers } = request;
    const earlier = requests.get(prefix) ?? [];
    requests.set(prefix, [...earlier, { method, path, headers, body: parse(body) }]);
    const script = (scripts[Number(index)] ?? []).flatMap((each) => Array(each.times ?? 1).fill(each));
    const chosen: ScriptedAnswer = script[earlier.length] ?? { do: 'pass' };
    const passOn = () => fetch(service + path, toInit(request, body));
    await (ANSWERS[chosen.do ?? 'write'] as Answerer)({ request, response, body, chosen, passOn });
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: (prefix) => requests.get(prefix) ?? [],
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
  readonly chosen: ScriptedAnswer;
  readonly passOn: () => Promise<Response>;
}

type Answerer = (turn: Turn) => unknown;

const ANSWERS: Readonly<Record<string, Answerer>> = {
  async pass({ response, passOn }) {
    const answer = await passOn();
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  },
  async lose({ response, passOn }) {
    await (await passOn()).text();
    response.destroy();
  },
  async truncate({ response, passOn }) {
    const text = await (await passOn()).text();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(text.length) });
    response.write(text.slice(0, text.length / 2), () => response.destroy());
  },
  close: ({ response }) => response.destroy(),
  hang: ({ response, passOn }) =>
    after(response, HANG_MS, async () => response.end(await (await passOn()).text())),
  drip({ response }) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' });
    const timer = setInterval(() => response.write(' '), DRIP_MS);
    response.once('close', () => clearInterval(timer));
  },
  drip_headers({ response }) {
    const { socket } = response;
    socket?.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n');
    const timer = setInterval(() => socket?.write('x-drip: drop\r\n'), DRIP_MS);
    socket?.once('close', () => clearInterval(timer));
  },
  echo_secrets({ response, request, body }) {
    const sent = { ...(parse(body) as Record<string, unknown>) };
    const text = `${request.headers.authorization} ${sent.email} ${sent.ip} ${sent.session_id}`;
    const error = {
      code: 'bad_request',
      message: text,
      param: `of ${sent.email}`,
      resolution: text.toUpperCase(),
    };
    write(response, { status: 400, body: { error } });
  },
  write: ({ response, chosen }) => write(response, chosen),
};

function write(
  response: ServerResponse,
  { status = 200, headers = {}, body = '', base64 }: ScriptedAnswer,
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(base64 === undefined ? text : Buffer.from(base64, 'base64'));
}

function after(response: ServerResponse, ms: number, run: () => unknown): void {
  const timer = setTimeout(run, ms);
  response.once('close', () => clearTimeout(timer));
}

/** Headers that belong to a connection, or that `fetch` writes itself. */
const HOP_HEADERS = [
  'host',
  'connection',
  'content-length',
  'keep-alive',
  'accept-encoding',
  'expect',
  'transfer-encoding',
  // Java offers HTTP/2.
  'upgrade',
  'http2-settings',
];

function toInit({ method = 'GET', headers }: IncomingMessage, body: string): RequestInit {
  const kept = Object.entries(headers).filter(([name]) => !HOP_HEADERS.includes(name));
  return {
    method,
    headers: kept.map(([name, value]): [string, string] => [name, String(value)]),
    ...(body === '' ? {} : { body }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
