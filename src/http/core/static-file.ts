/** Answers with a file that does not change while the service runs: compressed as the client accepts it, 304 if it has the file. */
import { createHash } from 'node:crypto';
import type { RequestContext } from './request-context.ts';

export interface StaticFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** Its compressed copies by content coding, such as `gzip`; the first that a client accepts is sent. */
  readonly compressed: ReadonlyMap<string, Buffer>;
  /** Its `Content-Security-Policy`: what the page may load. */
  readonly securityPolicy: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Hash for the entity tag. */
  readonly hash: string;
}

const OK = 200;
const NOT_MODIFIED = 304;
/** A weight that refuses a coding. */
const NEVER = /^q=0(?:\.0*)?$/;

export function createStaticFile(options: Omit<StaticFile, 'hash'>): StaticFile {
  return { ...options, hash: createHash('sha256').update(options.bytes).digest('base64url') };
}

export function sendStaticFile(context: RequestContext, file: StaticFile): void {
  const { type, bytes, compressed, headers, securityPolicy, hash } = file;
  context.securityPolicy = securityPolicy;
  // No other site can read the page's window or learn its address.
  context.header('Referrer-Policy', 'no-referrer');
  context.header('Cross-Origin-Opener-Policy', 'same-origin');
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  context.header('Vary', 'Accept-Encoding');
  context.header('ETag', `W/"${hash}"`);
  const known = context.headers['if-none-match'];
  if (known?.trim() === '*' || known?.includes(hash)) {
    context.empty(NOT_MODIFIED);
    return;
  }
  const accepted = acceptedCodings(String(context.headers['accept-encoding']));
  const coding = [...compressed.keys()].find((name) => accepted.has(name)) ?? '';
  if (coding !== '') context.header('Content-Encoding', coding);
  context.send(OK, type, compressed.get(coding) ?? bytes);
}

/** RFC 9110, section 12.5.3: codings are case-insensitive, each may have a weight. */
function acceptedCodings(header: string): Set<string> {
  const parts = header.toLowerCase().split(',');
  const codings = parts.map((part) => part.split(';').map((word) => word.trim()));
  return new Set(codings.filter(([, weight = '']) => !NEVER.test(weight)).map(([name = '']) => name));
}
