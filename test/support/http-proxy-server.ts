/** An HTTP proxy on loopback that knows names which nobody else does, and an `https:` server for these names: the test decides whom they lead to, and how the proxy misbehaves. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createTlsHttpServer } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';

const FOLDER = resolve(import.meta.dirname, '../fixtures/tls');
/** Trusted with `NODE_EXTRA_CA_CERTS`; of `outside.example`, the names below it, and `localhost`. */
export const CERTIFICATE_FILE = resolve(FOLDER, 'certificate.pem');
const TLS = { cert: readFileSync(CERTIFICATE_FILE), key: readFileSync(resolve(FOLDER, 'key.pem')) };
const HOST = '127.0.0.1';

export interface TestHttpProxy {
  /** URL without user and password. */
  readonly url: string;
  /** Name → port on loopback of the plain server behind it, for `http:` at port 80 and for `https:` at port 443. */
  readonly routes: Map<string, number>;
  /** Requests that it got: `CONNECT name:port`, or `GET http://name/path`. */
  readonly asked: string[];
  /** `user:password` that it demands. */
  password: string | undefined;
  /** Answers everything with this status, or never. */
  misbehaviour: number | 'hang' | 'close' | undefined;
  close(): Promise<void>;
}

/** @param secure whether the proxy itself is reached over TLS, by the name `localhost` */
export async function startHttpProxy({ secure = false } = {}): Promise<TestHttpProxy> {
  const sockets = new Set<Socket>();
  const web = secure ? createTlsHttpServer(TLS) : createServer();
  // The servers of the outside world: TLS ends here, what is inside goes to the plain server of that name.
  const outside = createTlsServer(TLS, (socket: TLSSocket) => {
    join(socket, proxy.routes.get(String(socket.servername)));
  });
  const join = (from: Socket, port: number | undefined) => {
    if (port === undefined) return void from.destroy();
    const to = connect(port, HOST);
    for (const end of [from, to]) {
      sockets.add(end);
      end.on('error', () => {}).on('close', () => from.destroy() && to.destroy());
    }
    from.pipe(to).pipe(from);
    return undefined;
  };
  await Promise.all([listen(web), listen(outside)]);
  const { port } = web.address() as AddressInfo;
  const proxy: TestHttpProxy = {
    url: secure ? `https://localhost:${port}` : `http://${HOST}:${port}`,
    routes: new Map(),
    asked: [],
    password: undefined,
    misbehaviour: undefined,
    async close() {
      for (const socket of sockets) socket.destroy();
      web.closeAllConnections();
      await Promise.all([web, outside].map((server) => new Promise((done) => server.close(done))));
    },
  };
  web.on('connection', (socket) => sockets.add(socket));
  web.on('secureConnection', (socket) => sockets.add(socket));
  /** The status that it refuses with; `undefined`: it does not. */
  const refusal = ({ headers }: IncomingMessage) => {
    if (typeof proxy.misbehaviour === 'number') return proxy.misbehaviour;
    const expected = proxy.password && `Basic ${Buffer.from(proxy.password).toString('base64')}`;
    return headers['proxy-authorization'] === expected ? undefined : 407;
  };
  web.on('connect', (asking: IncomingMessage, socket: Socket) => {
    proxy.asked.push(`CONNECT ${asking.url}`);
    if (proxy.misbehaviour === 'hang') return;
    if (proxy.misbehaviour === 'close') return void socket.destroy();
    const status = refusal(asking);
    if (status !== undefined)
      return void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 4\r\n\r\noops`);
    const [name = '', at] = (asking.url ?? '').split(':');
    const isKnown = proxy.routes.has(name) && at === '443';
    if (!isKnown) return void socket.end('HTTP/1.1 502 Unknown host\r\n\r\n');
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    return join(socket, (outside.address() as AddressInfo).port);
  });
  web.on('request', (asking: IncomingMessage, response: ServerResponse) => {
    proxy.asked.push(`${asking.method} ${asking.url}`);
    if (proxy.misbehaviour === 'hang') return;
    if (proxy.misbehaviour === 'close') return void asking.socket.destroy();
    const status = refusal(asking);
    const url = URL.canParse(asking.url ?? '') ? new URL(asking.url ?? '') : undefined;
    const to = url && proxy.routes.get(url.hostname);
    if (status !== undefined || url === undefined || to === undefined)
      return void response.writeHead(status ?? 502).end('oops');
    const { 'proxy-authorization': _, ...headers } = asking.headers;
    const { method } = asking;
    const path = url.pathname + url.search;
    const sent = request({ host: HOST, port: to, method, path, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    sent.on('error', () => response.destroy());
    asking.pipe(sent);
  });
  return proxy;
}

async function listen(server: Server): Promise<void> {
  server.listen(0, HOST);
  await once(server, 'listening');
}
