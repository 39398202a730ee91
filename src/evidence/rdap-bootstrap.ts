/** Decides which RDAP server knows a domain, by IANA's bootstrap document (RFC 9224), and where its URLs may lead. */
import { withParents } from '../address/domain.ts';
import { isHttp } from '../outbound/follow-redirects.ts';
import { leadsInside } from '../outbound/leads-inside.ts';
import type { Reach } from '../outbound/web-client.ts';
import {
  type CachedTexts,
  createCachedTexts,
  type StoredText,
  type TextCache,
  waitAtMost,
} from './cached-texts.ts';
import type { HttpGet } from './http-get.ts';

export interface BootstrapOptions {
  readonly url: string;
  readonly texts: TextCache;
  readonly http: HttpGet;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export interface Bootstrap {
  /** The base URL, ending in `/`, of the server for a registrable domain. Starts a refresh in the background if due. */
  baseFor(domain: string): string | undefined;
  /** While the first document is loading: settles when it is loaded, has failed, or takes too long. */
  readonly loading: Promise<void> | undefined;
}

const DAY_MS = 86_400_000;
const FIRST_BACKOFF_MS = 30_000;
const MAX_BACKOFF_MS = 3_600_000;
const MAX_WAIT_MS = 1_000;

/** Uses the stored document at once, even if it is old, and fetches a new one when it is missing or old. */
export function createBootstrap(options: BootstrapOptions): Bootstrap {
  return new Document(options);
}

/** A document, and the servers that it names. */
interface Services {
  readonly text: string;
  readonly bases: ReadonlyMap<string, string>;
}

class Document implements Bootstrap {
  loading: Promise<void> | undefined;
  readonly #options: BootstrapOptions;
  /** By URL; of the document in use. */
  readonly #texts: CachedTexts<Services>;
  #fetching: Promise<void> | undefined;
  #dueAt = 0;
  #backoffMs = FIRST_BACKOFF_MS;

  constructor(options: BootstrapOptions) {
    const { url, texts } = options;
    this.#options = options;
    const nameOf = (url: string) => `rdap:rdap-bootstrap ${url}`;
    this.#texts = createCachedTexts<Services>({ texts, nameOf, capacity: 2 });
    this.#texts.read(url, (stored) => this.#begin(stored));
    const reading = this.#texts.reading(url);
    if (reading !== undefined || this.#services === undefined) this.loading = this.#load(reading);
  }

  baseFor(domain: string): string | undefined {
    if (this.#texts.reading(this.#options.url) === undefined) this.#fetchIfDue();
    const bases = this.#services?.bases;
    for (const name of withParents(domain)) {
      const base = bases?.get(name);
      if (base !== undefined) return base;
    }
    return bases?.get(domain.slice(domain.lastIndexOf('.') + 1));
  }

  get #services(): Services | undefined {
    return this.#texts.get(this.#options.url);
  }

  #begin(stored: StoredText | undefined): void {
    if (stored !== undefined && this.#take(stored.text)) this.#dueAt = stored.expiresAt;
    this.#fetchIfDue();
  }

  /** Resolves when there is a document, or when none will come soon. */
  async #load(reading: Promise<void> | undefined): Promise<void> {
    const first = async () => {
      await reading;
      if (this.#services === undefined) await this.#fetching;
    };
    await waitAtMost(first(), MAX_WAIT_MS);
    this.loading = undefined;
  }

  #fetchIfDue(): void {
    if (this.#options.clock() < this.#dueAt) return;
    this.#fetching ??= this.#fetch();
  }

  async #fetch(): Promise<void> {
    const { url, http, clock } = this.#options;
    const text = await http.get(url, 'application/json').then(
      (document) => (document.status === 200 ? document.text : ''),
      () => '',
    );
    this.#fetching = undefined;
    if (this.#take(text)) {
      this.#backoffMs = FIRST_BACKOFF_MS;
      this.#dueAt = clock() + DAY_MS;
      this.#texts.write(url, { text, expiresAt: this.#dueAt });
    } else {
      this.#dueAt = clock() + this.#backoffMs;
      const inUse = this.#services;
      // Expired texts are deleted, but this one stays in use until there is a newer one.
      if (inUse !== undefined) this.#texts.write(url, { text: inUse.text, expiresAt: this.#dueAt });
      this.#backoffMs = Math.min(this.#backoffMs * 2, MAX_BACKOFF_MS);
    }
  }

  #take(text: string): boolean {
    const bases = readServices(text);
    if (bases.size === 0) return false;
    this.#texts.set(this.#options.url, { text, bases });
    return true;
  }
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

/**
 * Where the URLs of RDAP may lead: the bootstrap document anywhere, what it names to public addresses.
 * A bootstrap document inside the operator's network is the operator's own, and so are the servers it names.
 */
export function createReachOf(
  bootstrapUrl: URL,
  isInside: (url: URL) => Promise<boolean | undefined> = leadsInside,
): (url: string) => Promise<Reach> {
  let inside: boolean | undefined;
  return async (url) => {
    if (url === bootstrapUrl.href) return 'anywhere';
    inside ??= await isInside(bootstrapUrl);
    return inside === true ? 'anywhere' : 'public';
  };
}
