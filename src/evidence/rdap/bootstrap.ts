/** Decides which RDAP server knows a domain, by IANA's bootstrap document (RFC 9224). */
import { withParents } from '../../address/domain.ts';
import { isHttp } from '../../outbound/follow-redirects.ts';
import type { HttpGet } from './http-get.ts';

export interface StoredText {
  readonly text: string;
  readonly expiresAt: number;
}

/** Keeps texts across restarts. Neither method may throw or reject. */
export interface TextCache {
  /** The text last put, expired or not. */
  getText(name: string): StoredText | undefined | Promise<StoredText | undefined>;
  /** Fire and forget. `expiresAt` in milliseconds since the epoch. */
  putText(name: string, text: string, expiresAt: number): void;
}

export interface BootstrapOptions {
  readonly url: string;
  readonly cache: TextCache;
  readonly http: HttpGet;
  readonly clock: () => number;
}

export interface Bootstrap {
  /** The base URL, ending in `/`, of the server for a registrable domain. Starts a refresh in the background if due. */
  baseFor(domain: string): string | undefined;
  /** While the very first document is on its way: settles when it is there, has failed, or takes too long. */
  readonly arriving: Promise<void> | undefined;
}

const DAY_MS = 86_400_000;
const FIRST_BACKOFF_MS = 30_000;
const LONGEST_BACKOFF_MS = 3_600_000;
const LONGEST_WAIT_MS = 1_000;

/** Uses the stored document at once, even an old one, and fetches a new one when that is missing or old. */
export function createBootstrap(options: BootstrapOptions): Bootstrap {
  return new Document(options);
}

class Document implements Bootstrap {
  arriving: Promise<void> | undefined;
  readonly #options: BootstrapOptions;
  #bases: ReadonlyMap<string, string> = new Map();
  /** The document in use; empty before the first. */
  #text = '';
  #fetching = false;
  #dueAt = 0;
  #backoffMs = FIRST_BACKOFF_MS;

  constructor(options: BootstrapOptions) {
    this.#options = options;
    const stored = options.cache.getText(nameOf(options.url));
    if (stored instanceof Promise) {
      this.#fetching = true;
      this.arriving = this.#firstOf(stored.then((text) => this.#begin(text)));
    } else {
      const fetched = this.#begin(stored);
      if (this.#bases.size === 0) this.arriving = this.#firstOf(fetched);
    }
  }

  baseFor(domain: string): string | undefined {
    if (!this.#fetching && this.#options.clock() >= this.#dueAt) void this.#fetch();
    for (const name of withParents(domain)) {
      const base = this.#bases.get(name);
      if (base !== undefined) return base;
    }
    return this.#bases.get(domain.slice(domain.lastIndexOf('.') + 1));
  }

  /** Resolves when there is a document, or none can be had. */
  #begin(stored: StoredText | undefined): Promise<void> {
    if (stored !== undefined && this.#take(stored.text)) this.#dueAt = stored.expiresAt;
    this.#fetching = false;
    const fetched = this.#dueAt > this.#options.clock() ? undefined : this.#fetch();
    return fetched === undefined || this.#bases.size > 0 ? Promise.resolve() : fetched;
  }

  async #firstOf(fetched: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((done) => {
      timer = setTimeout(done, LONGEST_WAIT_MS).unref();
    });
    await Promise.race([fetched, patience]);
    clearTimeout(timer);
    this.arriving = undefined;
  }

  async #fetch(): Promise<void> {
    const { url, cache, http, clock } = this.#options;
    this.#fetching = true;
    const text = await http.get(url, 'application/json').then(
      (document) => (document.status === 200 ? document.text : ''),
      () => '',
    );
    this.#fetching = false;
    if (this.#take(text)) {
      this.#backoffMs = FIRST_BACKOFF_MS;
      this.#dueAt = clock() + DAY_MS;
      cache.putText(nameOf(url), text, this.#dueAt);
    } else {
      this.#dueAt = clock() + this.#backoffMs;
      // What expires is forgotten, but this one is in use until there is another.
      if (this.#text !== '') cache.putText(nameOf(url), this.#text, this.#dueAt);
      this.#backoffMs = Math.min(this.#backoffMs * 2, LONGEST_BACKOFF_MS);
    }
  }

  #take(text: string): boolean {
    const bases = readServices(text);
    if (bases.size === 0) return false;
    this.#bases = bases;
    this.#text = text;
    return true;
  }
}

function nameOf(url: string): string {
  return `rdap-bootstrap ${url}`;
}

/** Empty for anything that is not a bootstrap document. */
function readServices(text: string): Map<string, string> {
  const bases = new Map<string, string>();
  for (const service of servicesOf(text)) {
    const [names, urls] = Array.isArray(service) ? service : [];
    const base = bestUrl(urls);
    if (base === undefined || !Array.isArray(names)) continue;
    for (const name of names) if (typeof name === 'string') bases.set(name.toLowerCase(), base);
  }
  return bases;
}

function servicesOf(text: string): unknown[] {
  try {
    const { services } = JSON.parse(text) as { services?: unknown };
    return Array.isArray(services) ? services : [];
  } catch {
    return [];
  }
}

/** The first HTTPS URL, else the first HTTP one. */
function bestUrl(urls: unknown): string | undefined {
  const usable = (Array.isArray(urls) ? urls : []).filter(
    (url): url is string => typeof url === 'string' && URL.canParse(url) && isHttp(new URL(url)),
  );
  const best = usable.find((url) => url.startsWith('https:')) ?? usable[0];
  return best === undefined || best.endsWith('/') ? best : `${best}/`;
}
