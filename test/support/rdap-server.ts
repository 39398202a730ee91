/** An RDAP server on loopback, with the bootstrap document that leads to it, whose answers the test decides. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** The server's answer for a domain or for the bootstrap document. Without any member: no events. */
export interface RdapEntry {
  /** Date of the `registration` event, any text. */
  registered?: string;
  /** Default 200, with a document; any other status comes with an RDAP error. */
  status?: number;
  retryAfter?: string;
  /** Sends status 302 to this URL. */
  redirectTo?: string;
  delayMs?: number;
  /** Accepts the request and never replies. */
  hang?: boolean;
  /** Sent instead of a document. */
  body?: string;
}

export interface TestRdapServer {
  /** The URL of the bootstrap document, as the setting takes it. */
  readonly bootstrapUrl: string;
  /** The base URL that the document names. */
  readonly baseUrl: string;
  /** The misbehaviour for the bootstrap document; `undefined` serves it. */
  bootstrap: RdapEntry | undefined;
  /** The entry of domains that were not set. Default: 404. */
  fallback: RdapEntry;
  set(domain: string, entry: RdapEntry): void;
  /** Requests received for a domain, for `dns.json`, or for all domains. */
  requests(domain?: string): number;
  /** The maximum number of simultaneous requests for domains. */
  readonly peak: number;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const BOOTSTRAP = 'dns.json';

/** The bootstrap document lists these top-level domains, `com`, `net` and `org` by default. */
export async function startRdapServer(
  tlds: readonly string[] = ['com', 'net', 'org'],
): Promise<TestRdapServer> {
  const http = createServer();
  await new Promise<void>((done) => http.listen(0, HOST, done));
  return new RegistryServer(http, tlds);
}

class RegistryServer implements TestRdapServer {
  readonly bootstrapUrl: string;
  readonly baseUrl: string;
  bootstrap: RdapEntry | undefined;
  fallback: RdapEntry = { status: 404 };
  peak = 0;
  readonly #zone = new Map<string, RdapEntry>();
  readonly #received: string[] = [];
  readonly #http: Server;
  readonly #directory: string;
  #open = 0;

  constructor(http: Server, tlds: readonly string[]) {
    const address = http.address();
    const origin = `http://${HOST}:${typeof address === 'object' ? address?.port : 0}/`;
    this.#http = http;
    this.bootstrapUrl = `${origin}${BOOTSTRAP}`;
    this.baseUrl = `${origin}rdap/`;
    this.#directory = JSON.stringify({ version: '1.0', services: [[tlds, [this.baseUrl]]] });
    http.on('request', (request, response) => this.#receive(request, response));
  }

  set(domain: string, entry: RdapEntry): void {
    this.#zone.set(domain, entry);
  }

  requests(domain?: string): number {
    return this.#received.filter((name) => (domain === undefined ? name !== BOOTSTRAP : name === domain))
      .length;
  }

  async close(): Promise<void> {
    const closed = new Promise((done) => this.#http.close(done));
    this.#http.closeAllConnections();
    await closed;
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const name = decodeURIComponent(request.url?.split('/').at(-1) ?? '');
    this.#received.push(name);
    if (name === BOOTSTRAP) {
      void reply(response, this.bootstrap ?? { body: this.#directory }, name);
      return;
    }
    this.#open += 1;
    this.peak = Math.max(this.peak, this.#open);
    response.on('close', () => {
      this.#open -= 1;
    });
    void reply(response, this.#zone.get(name) ?? this.fallback, name);
  }
}

async function reply(response: ServerResponse, entry: RdapEntry, name: string): Promise<void> {
  const { registered, retryAfter, redirectTo, delayMs, hang, body } = entry;
  const status = redirectTo === undefined ? (entry.status ?? 200) : 302;
  if (hang) return;
  if (delayMs !== undefined) await new Promise((done) => setTimeout(done, delayMs).unref());
  response.setHeader('content-type', 'application/rdap+json');
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  if (redirectTo !== undefined) response.setHeader('location', redirectTo);
  response.writeHead(status).end(body ?? JSON.stringify(documentOf(status, name, registered)));
}

function documentOf(status: number, name: string, registered: string | undefined): object {
  if (status !== 200) return { errorCode: status, title: 'error' };
  const changed = { eventAction: 'last changed', eventDate: '2024-01-01T00:00:00Z' };
  const registration = { eventAction: 'registration', eventDate: registered };
  const events = registered === undefined ? [changed] : [changed, registration];
  return { objectClassName: 'domain', ldhName: name, events };
}
