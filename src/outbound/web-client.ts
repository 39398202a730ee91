/** Decides which address one HTTP request connects to: the address that was checked is the one that is used. */
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
import { hostOf, isPublicAddress } from './public-address.ts';

/** One address and port. */
export interface Origin {
  readonly address: string;
  readonly port: number;
}

/**
 * Where a request may connect to. `anywhere`: for URLs that the operator wrote. `public`: public addresses, ports 80 and
 * 443. An origin: the same, and back to this one.
 */
export type Reach = 'anywhere' | 'public' | Origin;

export interface WebRequest {
  readonly reach: Reach;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a POST; absent: a GET. */
  readonly form?: string;
  readonly signal: AbortSignal;
}

export interface WebResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Decompressed. To be read to its end, or left by an exception or `discard`. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Where it came from. */
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
}

type Permits = (address: string, port: number) => boolean;

/** A POST leaves no idle connection: what is sent on one that the server just closed could not be sent again. */
const CLOSES = { connection: 'close' };
const IDLE_MS = 30_000;
const WEB_PORTS = [80, 443];

export function createWebClient(options: WebClientOptions = {}): WebClient {
  const { lookup = systemLookup, isPublic = isPublicAddress, ports = WEB_PORTS } = options;
  const permitsPublic: Permits = (address, port) => ports.includes(port) && isPublic(address);
  // Connections are reused only within the same reach, so that no check is skipped.
  const anywhere = createAgents(lookup);
  const checked = createAgents(createCheckedLookup(lookup, (address) => isPublic(address)));

  function connectionFor(url: URL, reach: Reach) {
    const secure = url.protocol === 'https:';
    const pick = (agents: Agents) => (secure ? agents.https : agents.http);
    if (reach === 'anywhere') return { agent: pick(anywhere) };
    const permits: Permits =
      reach === 'public'
        ? permitsPublic
        : (address, port) =>
            permitsPublic(address, port) || (address === reach.address && port === reach.port);
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

  function send(url: URL, options: WebRequest, again: boolean): Promise<WebResponse> {
    const { reach, headers, form, signal } = options;
    return new Promise((resolve, reject) => {
      const ask = url.protocol === 'https:' ? https : http;
      const request = ask(url, {
        ...connectionFor(url, reach),
        ...(form === undefined ? {} : { method: 'POST' }),
        headers: {
          'accept-encoding': 'gzip, deflate, br',
          ...headers,
          ...(form === undefined ? {} : CLOSES),
        },
        signal,
      });
      request.on('response', (response) => resolve(readResponse(response)));
      request.on('error', (error: NodeJS.ErrnoException) => {
        // The server closed an idle connection at the moment it was to be used again.
        const idle = request.reusedSocket && error.code === 'ECONNRESET' && again && !signal.aborted;
        if (idle) send(url, options, false).then(resolve, reject);
        else reject(error);
      });
      request.end(form);
    });
  }

  return {
    request: (url, options) => send(url, options, true),
    close() {
      for (const agent of [anywhere.http, anywhere.https, checked.http, checked.https]) agent.destroy();
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

function readResponse(response: IncomingMessage): WebResponse {
  const { statusCode = 0, headers, socket } = response;
  const decoder = decoderOf(headers['content-encoding']);
  // A failure of either ends the other, and reading the body throws.
  const body = decoder === undefined ? response : pipeline(response, decoder, () => {});
  return {
    status: statusCode,
    headers,
    body,
    origin: { address: canonical(socket.remoteAddress ?? ''), port: socket.remotePort ?? 0 },
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

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

function forbidden(host: string, port?: number): Error {
  return new Error(
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
