/** Decides how a document is fetched from a server that is not trusted: redirects, size and time are bounded. */

export interface HttpDocument {
  readonly status: number;
  readonly text: string;
  /** The `Retry-After` header, as sent. */
  readonly retryAfter: string | null;
}

export interface HttpGet {
  /** Rejects on network failure, on too many or forbidden redirects, on too large or too slow a body. */
  get(url: string, accept: string, headers?: Readonly<Record<string, string>>): Promise<HttpDocument>;
  /** Aborts what is under way. */
  close(): void;
}

export interface HttpGetOptions {
  /** Whether a redirect may be followed there. The URL given to `get` is not asked about. */
  readonly mayFollow: (url: URL) => boolean | Promise<boolean>;
  /** For the whole fetch, redirects included. Default 10,000. */
  readonly limitMs?: number;
  /** Of the body, decompressed. Default 512 KiB. */
  readonly limitBytes?: number;
}

const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];

export function createHttpGet(options: HttpGetOptions): HttpGet {
  const { mayFollow, limitMs = 10_000, limitBytes = 512 * 1024 } = options;
  const underway = new Set<AbortController>();
  let closed = false;

  async function follow(
    start: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<HttpDocument> {
    let url = new URL(start);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      if (redirects > 0 && !(await mayFollow(url))) throw new Error('forbidden redirect');
      const response = await fetch(url, { headers, signal, redirect: 'manual' });
      const location = response.headers.get('location');
      if (location === null || !REDIRECTS.includes(response.status)) {
        const text = await readText(response, limitBytes);
        return { status: response.status, text, retryAfter: response.headers.get('retry-after') };
      }
      await response.body?.cancel();
      url = new URL(location, url);
    }
    throw new Error('too many redirects');
  }

  return {
    async get(url, accept, more = {}) {
      if (closed) throw new Error('closed');
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), limitMs).unref();
      underway.add(controller);
      try {
        return await follow(url, { accept, 'user-agent': 'gatehouse', ...more }, controller.signal);
      } finally {
        clearTimeout(timer);
        underway.delete(controller);
      }
    },
    close() {
      closed = true;
      for (const controller of underway) controller.abort();
    },
  };
}

async function readText(response: Response, limitBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop by an exception cancels the body.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > limitBytes) throw new Error('body too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
