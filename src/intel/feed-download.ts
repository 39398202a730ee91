/** Decides how a feed is fetched from a publisher that is not trusted: size, time and redirects are bounded. */
import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { followRedirects } from '../outbound/follow-redirects.ts';
import type { ProxySettings } from '../outbound/proxy-choice.ts';
import { createWebClient } from '../outbound/web-client.ts';
import { isPacked } from './feed-unpack.ts';

export type Download =
  | {
      readonly kind: 'changed';
      readonly bytes: Uint8Array;
      readonly etag: string | null;
      readonly lastModified: string | null;
    }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly why: string };

/** The publisher's marks of the bytes that are already here. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface DownloadLimits {
  /** Max. bytes of the body, decompressed. Default 64 MiB. */
  readonly bytes?: number;
  /** Max. time of the whole fetch, redirects included. Default two minutes. */
  readonly totalMs?: number;
  /** Max. time between two pieces. Default 20 seconds. */
  readonly idleMs?: number;
}

export interface DownloadOptions {
  readonly userAgent: string;
  readonly limits?: DownloadLimits;
  readonly proxies?: ProxySettings | undefined;
}

export interface FetchOptions {
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined;
  /** Max. bytes of a body that is not packed, up to the end of a line. Default: all. */
  readonly firstBytes?: number | undefined;
}

/** Never rejects. */
export type Fetcher = (url: string, known: Validators, options?: FetchOptions) => Promise<Download>;

const MAX_REDIRECTS = 5;
const NOT_MODIFIED = 304;
const OK = 200;

export function createDownload({ userAgent, limits = {}, proxies }: DownloadOptions): Fetcher {
  const { bytes: limitBytes = 64 * 1024 * 1024, totalMs = 120_000, idleMs = 20_000 } = limits;

  async function fetchWeb(start: URL, known: Validators, watch: Watch, head: number): Promise<Download> {
    const client = createWebClient({ proxies });
    try {
      const { status, headers, body, discard } = await followRedirects(client, start, {
        // The operator wrote the URL, so it may lead into the operator's own network.
        reach: 'anywhere',
        headers: { 'user-agent': userAgent, accept: '*/*', ...conditions(known) },
        signal: watch.signal,
        maxRedirects: MAX_REDIRECTS,
        onResponse: watch.touch,
      });
      if (status === NOT_MODIFIED) return { kind: 'unchanged' };
      if (status !== OK) {
        discard();
        throw new Error(`the publisher answered ${status}`);
      }
      const bytes = await readAll(body, { limit: limitBytes, head }, watch);
      const { etag = null, 'last-modified': lastModified = null } = headers;
      return { kind: 'changed', bytes, etag, lastModified };
    } finally {
      client.close();
    }
  }

  async function readLocal(url: URL, watch: Watch, head: number): Promise<Download> {
    const bytes = await readAll(createReadStream(fileURLToPath(url)), { limit: limitBytes, head }, watch);
    return { kind: 'changed', bytes, etag: null, lastModified: null };
  }

  return async (address, known, { signal, firstBytes = Number.POSITIVE_INFINITY } = {}) => {
    const watch = createWatch(totalMs, idleMs, signal);
    try {
      const url = new URL(address);
      return await (url.protocol === 'file:'
        ? readLocal(url, watch, firstBytes)
        : fetchWeb(url, known, watch, firstBytes));
    } catch (error) {
      return { kind: 'failed', why: watch.reason() ?? reasonOf(error as Error) };
    } finally {
      watch.stop();
    }
  };
}

interface Watch {
  readonly signal: AbortSignal;
  /** Data came: the idle time starts again. */
  touch(): void;
  /** Why it was ended, if it was. */
  reason(): string | undefined;
  stop(): void;
}

function createWatch(totalMs: number, idleMs: number, outer: AbortSignal | undefined): Watch {
  const controller = new AbortController();
  let reason: string | undefined;
  const abortFor = (why: string) => () => {
    reason ??= why;
    controller.abort();
  };
  const stopped = abortFor('stopped');
  const total = setTimeout(abortFor(`took longer than ${totalMs / 1000} s`), totalMs);
  const idle = setTimeout(abortFor(`nothing came for ${idleMs / 1000} s`), idleMs);
  outer?.addEventListener('abort', stopped);
  if (outer?.aborted === true) stopped();
  return {
    signal: controller.signal,
    touch: () => void idle.refresh(),
    reason: () => reason,
    stop() {
      clearTimeout(total);
      clearTimeout(idle);
      outer?.removeEventListener('abort', stopped);
    },
  };
}

async function readAll(
  body: AsyncIterable<Uint8Array> | [],
  { limit, head }: { limit: number; head: number },
  watch: Watch,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop by an exception cancels the body.
  for await (const chunk of body) {
    watch.touch();
    length += chunk.byteLength;
    if (length > limit) throw new Error(`larger than ${Math.floor(limit / 1024 / 1024)} MiB`);
    if (watch.signal.aborted) throw new Error('stopped');
    chunks.push(chunk);
    if (length >= head && !isPacked(chunks[0] as Uint8Array)) return headOf(Buffer.concat(chunks), head);
  }
  return Buffer.concat(chunks);
}

/** Beginning of a list, up to the last line end within the first bytes. */
function headOf(bytes: Buffer, length: number): Uint8Array {
  const lineEnd = bytes.lastIndexOf('\n', length - 1);
  return lineEnd < 0 ? bytes.subarray(0, length) : bytes.subarray(0, lineEnd + 1);
}

function conditions({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  };
}

/** The error of a host with several addresses has no message: it contains one error for each address. */
function reasonOf(error: Error): string {
  const errors: readonly Error[] = error instanceof AggregateError ? error.errors : [error];
  const messages = errors.map(({ message }) => message).join(', ');
  return messages.replace(/\s+/g, ' ').slice(0, 200);
}
