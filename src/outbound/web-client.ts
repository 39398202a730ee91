/** Decides which address one HTTP request connects to: the address that was checked is the one that is used. A proxy looks names up by itself: they are checked before. */
import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import {
  Agent as HttpAgent,
  request as http,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as https } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { parseIp } from '../address/ip.ts';
import { createProxyChoice, type ProxySettings } from './proxy-choice.ts';
import { proxyOptions, refusalOf, TunnelAgent, unusable } from './proxy-tunnel.ts';
import { hostOf, isInsideName, isPublicAddress, portOf } from './public-address.ts';

/** One server. */
export interface Origin {
  /** The address that was connected to; through a proxy the host of the URL. */
  readonly address: string;
  readonly port: number;
}

/**
 * Places that a request may connect to. `anywhere`: for URLs that the operator wrote. `public`: public addresses, ports
 * 80 and 443. An origin: the same, and back to this one.
 */
export type Reach = 'anywhere' | 'public' | Origin;

export interface WebRequest {
  readonly reach: Reach;
  readonly headers: Readonly<Record<string, string>>;
  /** Body. With one, the method is POST if `method` names no other. */
  readonly form?: string;
  /** Method, if not GET or POST. */
  readonly method?: 'HEAD' | 'PUT' | 'PATCH' | 'DELETE';
  readonly signal: AbortSignal;
}

export interface WebResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Decompressed. To be read to its end, or left by an exception or `discard`. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Origin that it came from. */
  readonly origin: Origin;
  discard(): void;
}

export interface WebClient {
  /** @throws when the address must not be connected to, or the request fails */
  request(url: URL, options: WebRequest): Promise<WebResponse>;
  /** Ends idle connections. */
  close(): void;
}

export interface WebClientOptions {
  /** Default: the system's. */
  readonly lookup?: typeof systemLookup;
  /** Default `isPublicAddress`. */
  readonly isPublic?: (address: string) => boolean;
  /** Ports that strangers may name. Default 80 and 443. */
  readonly ports?: readonly number[];
  /** Default: none is used. */
  readonly proxies?: ProxySettings | undefined;
}

type Permits = (address: string, port: number) => boolean;

/** A request with a body leaves no idle connection: what is sent on one that the server just closed could not be sent again. */
const CLOSES = { connection: 'close' };
const IDLE_MS = 30_000;
const NEEDS_PASSWORD = 407;
const WEB_PORTS = [80, 443];

export function createWebClient(options: WebClientOptions = {}): WebClient {
  const proxyFor = createProxyChoice(options.proxies);
  const gate = createGate(options);
  const sender = createSender(gate);
  return {
    async request(url, request) {
      const proxy = proxyFor(url);
      if (proxy !== undefined) await gate.checkProxied(url, request.reach);
      request.signal.throwIfAborted();
      return sender.send(url, proxy, request, true);
    },
    close: sender.close,
  };
}

/** Check of what may be connected to, by the reach of a request. */
type Gate = ReturnType<typeof createGate>;

function createGate({
  lookup = systemLookup,
  isPublic = isPublicAddress,
  ports = WEB_PORTS,
}: WebClientOptions) {
  const permitsPublic: Permits = (address, port) => ports.includes(port) && isPublic(address);
  // Connections are reused only within the same reach, so that no check is skipped.
  const anywhere = createAgents(lookup);
  const checked = createAgents(createCheckedLookup(lookup, (address) => isPublic(address)));

  const permitsOf = (reach: Exclude<Reach, 'anywhere'>): Permits =>
    reach === 'public'
      ? permitsPublic
      : (address, port) => permitsPublic(address, port) || (address === reach.address && port === reach.port);

  function connectionFor(url: URL, reach: Reach) {
    const secure = url.protocol === 'https:';
    const pick = (agents: Agents) => (secure ? agents.https : agents.http);
    if (reach === 'anywhere') return { agent: pick(anywhere) };
    const permits = permitsOf(reach);
    const port = portOf(url);
    const host = hostOf(url);
    if (isIP(host) !== 0 && !permits(canonical(host), port)) throw forbidden(host, port);
    if (reach !== 'public') {
      return {
        agent: false,
        lookup: createCheckedLookup(lookup, (address) => permits(address, port)),
      } as const;
    }
    if (!ports.includes(port)) throw forbidden(host, port);
    return { agent: pick(checked) };
  }

  /**
   * The proxy looks the name up again, perhaps elsewhere. Targets that are known to be internal are refused here: addresses
   * and names of internal networks, and names that lead inside from this machine.
   */
  async function checkProxied(url: URL, reach: Reach): Promise<void> {
    const [host, port] = [hostOf(url), portOf(url)];
    if (reach === 'anywhere' || (typeof reach === 'object' && reach.address === host && reach.port === port))
      return;
    const permits = permitsOf(reach);
    if (isIP(host) !== 0) {
      if (!permits(canonical(host), port)) throw forbidden(host, port);
      return;
    }
    if (isInsideName(host)) throw forbidden(host);
    if (!ports.includes(port)) throw forbidden(host, port);
    const found = await addressesOf(lookup, host);
    const inside = found.find((address) => !permits(canonical(address), port));
    if (inside !== undefined) throw forbidden(`${host} (${inside})`);
  }

  return { anywhere, checked, connectionFor, checkProxied };
}

function createSender({ anywhere, checked, connectionFor }: Gate) {
  const tunnels = new Map<string, TunnelAgent>();

  function tunnelThrough(proxy: URL): TunnelAgent {
    const tunnel = tunnels.get(proxy.href) ?? new TunnelAgent(proxy, IDLE_MS);
    tunnels.set(proxy.href, tunnel);
    return tunnel;
  }

  /** An `https:` target in a tunnel; an `http:` one as an absolute URL, because many proxies open tunnels to port 443 only. */
  function begin(url: URL, proxy: URL | undefined, { reach, headers, form, method, signal }: WebRequest) {
    const common = {
      method: method ?? (form === undefined ? 'GET' : 'POST'),
      headers: { 'accept-encoding': 'gzip, deflate, br', ...headers, ...(form === undefined ? {} : CLOSES) },
      signal,
    };
    const ask = (target: URL) => (target.protocol === 'https:' ? https : http);
    if (proxy === undefined) return ask(url)(url, { ...common, ...connectionFor(url, reach) });
    if (url.protocol === 'https:') return https(url, { ...common, agent: tunnelThrough(proxy) });
    const { headers: own, ...options } = proxyOptions(proxy);
    return ask(proxy)({
      ...common,
      ...options,
      headers: { host: url.host, ...authorizationOf(url), ...common.headers, ...own },
      path: `${url.origin}${url.pathname}${url.search}`,
      agent: proxy.protocol === 'https:' ? anywhere.https : anywhere.http,
    });
  }

  function send(url: URL, proxy: URL | undefined, options: WebRequest, again: boolean): Promise<WebResponse> {
    const { form, signal } = options;
    const isForwarded = proxy !== undefined && url.protocol === 'http:';
    return new Promise((resolve, reject) => {
      const request = begin(url, proxy, options);
      // A request that waits for its tunnel learns only later that nobody waits for it.
      const leave = () => reject(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
      request.once('close', () => signal.removeEventListener('abort', leave));
      request.on('response', (response) => {
        if (proxy === undefined) return resolve(readResponse(response, originOf(response)));
        const { statusCode } = response;
        if (!isForwarded || statusCode !== NEEDS_PASSWORD)
          return resolve(readResponse(response, { address: hostOf(url), port: portOf(url) }));
        response.destroy();
        reject(refusalOf(proxy, statusCode));
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        // The server closed an idle connection at the moment it was to be used again.
        const idle = request.reusedSocket && error.code === 'ECONNRESET' && again && !signal.aborted;
        if (idle) send(url, proxy, options, false).then(resolve, reject);
        else reject(isForwarded && !signal.aborted ? unusable(proxy, error) : error);
      });
      request.end(form);
    });
  }

  return {
    send,
    close() {
      const agents = [anywhere.http, anywhere.https, checked.http, checked.https, ...tunnels.values()];
      for (const agent of agents) agent.destroy();
    },
  };
}

interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

function createAgents(lookup: LookupFunction): Agents {
  const options = { keepAlive: true, timeout: IDLE_MS, lookup };
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}

/** A name is refused when any of its addresses is: which of them is connected to is not known yet. */
function createCheckedLookup(
  lookup: typeof systemLookup,
  permits: (address: string) => boolean,
): LookupFunction {
  return (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error: Error | null, found: LookupAddress[]) => {
      const [first] = found ?? [];
      if (error !== null || first === undefined)
        return callback(error ?? new Error(`${name} has no address`), '');
      const inside = found.find(({ address }) => !permits(canonical(address)));
      if (inside !== undefined) return callback(forbidden(`${name} (${inside.address})`), '');
      if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

/** Empty where the name cannot be looked up here: then only the proxy knows it. */
function addressesOf(lookup: typeof systemLookup, name: string): Promise<string[]> {
  return new Promise((resolve) => {
    lookup(name, { all: true }, (error, found) =>
      resolve(error === null ? found.map(({ address }) => address) : []),
    );
  });
}

/** Header that `node:http` makes of a URL with a user, where it is given one. */
function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

function originOf({ socket }: IncomingMessage): Origin {
  return { address: canonical(socket.remoteAddress ?? ''), port: socket.remotePort ?? 0 };
}

function readResponse(response: IncomingMessage, origin: Origin): WebResponse {
  const { statusCode = 0, headers } = response;
  const decoder = decoderOf(headers['content-encoding']);
  // A failure of either ends the other, and reading the body throws.
  const body = decoder === undefined ? response : pipeline(response, decoder, () => {});
  return {
    status: statusCode,
    headers,
    body,
    origin,
    discard: () => void response.destroy(),
  };
}

function decoderOf(encoding: string | undefined) {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}

/** The IPv4 address if IPv6 carries one. */
function canonical(address: string): string {
  return parseIp(address)?.text ?? address;
}

/** A target that a request may not connect to. Its message may name an inner address, which only an operator should read. */
export class ForbiddenTarget extends Error {}

function forbidden(host: string, port?: number): Error {
  return new ForbiddenTarget(
    `${host}${port === undefined ? '' : ` at port ${port}`} is not a public address; Gatehouse does not connect to it`,
  );
}

/** The body of a response as text. @throws when it is longer, decompressed, or breaks off */
export async function readText(body: AsyncIterable<Uint8Array>, limitBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop by an exception cancels the body.
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > limitBytes) throw new Error('body too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
