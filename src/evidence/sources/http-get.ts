/** Decides how a document is fetched from a server that is not trusted: redirects, size and time are bounded. */
import { followRedirects } from '../../outbound/follow-redirects.ts';
import type { ProxySettings } from '../../outbound/proxy-choice.ts';
import { createWebClient, type Reach, readText } from '../../outbound/web-client.ts';

export interface HttpDocument {
  readonly status: number;
  readonly text: string;
  /** The `Retry-After` header, as sent. */
  readonly retryAfter: string | null;
}

export interface HttpGet {
  /** Rejects if the network fails, redirects are too many or forbidden, or the body is too large or too slow. */
  get(url: string, accept: string, headers?: Readonly<Record<string, string>>): Promise<HttpDocument>;
  /** Aborts requests under way. */
  close(): void;
}

export interface HttpGetOptions {
  /** Decides where a URL of `get` may lead. Redirects may lead to public addresses or back to it. Default: anywhere. */
  readonly reachOf?: (url: string) => Promise<Reach>;
  /** Default 3. */
  readonly maxRedirects?: number;
  /** Maximum time of the whole fetch, with redirects. Default 10,000. */
  readonly limitMs?: number;
  /** Maximum length of the body, decompressed. Default 512 KiB. */
  readonly limitBytes?: number;
  /** Default: none. */
  readonly proxies?: ProxySettings | undefined;
}

export function createHttpGet(options: HttpGetOptions = {}): HttpGet {
  const {
    reachOf = async () => 'anywhere',
    maxRedirects = 3,
    limitMs = 10_000,
    limitBytes = 512 * 1024,
    proxies,
  } = options;
  const client = createWebClient({ proxies });
  const inFlight = new Set<AbortController>();
  let closed = false;

  return {
    async get(url, accept, more = {}) {
      if (closed) throw new Error('closed');
      const controller = new AbortController();
      const { signal } = controller;
      const timer = setTimeout(() => controller.abort(), limitMs).unref();
      inFlight.add(controller);
      try {
        const headers = { accept, 'user-agent': 'gatehouse', ...more };
        const reach = await reachOf(url);
        const response = await followRedirects(client, new URL(url), {
          reach,
          headers,
          signal,
          maxRedirects,
        });
        const text = await readText(response.body, limitBytes);
        return { status: response.status, text, retryAfter: response.headers['retry-after'] ?? null };
      } finally {
        clearTimeout(timer);
        inFlight.delete(controller);
      }
    },
    close() {
      closed = true;
      for (const controller of inFlight) controller.abort();
      client.close();
    },
  };
}
