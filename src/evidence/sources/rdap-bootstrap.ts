/** Decides which RDAP server knows a domain, from IANA's bootstrap document (RFC 9224), and where its URLs may lead. */
import { withParents } from '../../address/domain.ts';
import type { TextCache } from '../../model/text-cache.ts';
import { isHttp } from '../../outbound/follow-redirects.ts';
import { leadsInside } from '../../outbound/public-address.ts';
import type { Reach } from '../../outbound/web-client.ts';
import { waitAtMost } from './cached-texts.ts';
import type { HttpGet } from './http-get.ts';

export interface BootstrapOptions {
  readonly url: string;
  readonly texts: TextCache;
  readonly http: HttpGet;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

const DAY_MS = 86_400_000;
const FIRST_BACKOFF_MS = 30_000;
const MAX_BACKOFF_MS = 3_600_000;
const MAX_WAIT_MS = 1_000;

/** A document, and the servers that it names. */
interface Services {
  readonly text: string;
  readonly bases: ReadonlyMap<string, string>;
}

/** Uses the stored document at once, even if it is old, and fetches a new one when it is missing or old. */
export class Bootstrap {
  /** Promise while the first document is loading: settles when it is loaded, has failed, or takes too long. */
  loading: Promise<void> | undefined;
  readonly #options: BootstrapOptions;
  /** The key of the stored document. */
  readonly #name: string;
  #services: Services | undefined;
  #fetching: Promise<void> | undefined;
  /** Time at which a new document is fetched; not before the stored one was read. */
  #dueAt = Number.POSITIVE_INFINITY;
  #backoffMs = FIRST_BACKOFF_MS;

  constructor(options: BootstrapOptions) {
    this.#options = options;
    this.#name = `rdap:rdap-bootstrap ${options.url}`;
    this.loading = waitAtMost(this.#load(), MAX_WAIT_MS).then(() => {
      this.loading = undefined;
    });
  }

  /** The base URL, ending in `/`, of the server for a registrable domain. Starts a refresh in the background if due. */
  baseFor(domain: string): string | undefined {
    this.#fetchIfDue();
    const bases = this.#services?.bases;
    for (const name of withParents(domain)) {
      const base = bases?.get(name);
      if (base !== undefined) return base;
    }
    return bases?.get(domain.slice(domain.lastIndexOf('.') + 1));
  }

  /** Resolves when there is a document, or when fetching it has failed. */
  async #load(): Promise<void> {
    const stored = await this.#options.texts.get(this.#name);
    this.#dueAt = stored !== undefined && this.#take(stored.text) ? stored.expiresAt : 0;
    this.#fetchIfDue();
    if (this.#services === undefined) await this.#fetching;
  }

  #fetchIfDue(): void {
    if (this.#options.clock() < this.#dueAt) return;
    this.#fetching ??= this.#fetch();
  }

  async #fetch(): Promise<void> {
    const { url, texts, http, clock } = this.#options;
    const text = await http.get(url, 'application/json').then(
      (document) => (document.status === 200 ? document.text : ''),
      () => '',
    );
    this.#fetching = undefined;
    if (this.#take(text)) {
      this.#backoffMs = FIRST_BACKOFF_MS;
      this.#dueAt = clock() + DAY_MS;
      texts.set(this.#name, text, this.#dueAt);
    } else {
      this.#dueAt = clock() + this.#backoffMs;
      // Expired texts are deleted, but this one stays in use until there is a newer one.
      if (this.#services !== undefined) texts.set(this.#name, this.#services.text, this.#dueAt);
      this.#backoffMs = Math.min(this.#backoffMs * 2, MAX_BACKOFF_MS);
    }
  }

  #take(text: string): boolean {
    const bases = readServices(text);
    if (bases.size === 0) return false;
    this.#services = { text, bases };
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
 * Decides where the URLs of RDAP may lead: that of the bootstrap document anywhere, those in it only to public addresses.
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
