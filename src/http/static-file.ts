/** Answers with a file that does not change while the service runs: compressed where that is understood, 304 where it is known. */
import { createHash } from 'node:crypto';
import type { RequestContext } from './request-context.ts';

export interface StaticFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** With gzip. */
  readonly zipped: Buffer | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** What the entity tag is made of. */
  readonly hash: string;
}

const OK = 200;
const NOT_MODIFIED = 304;
const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0)/;

export function createStaticFile(options: Omit<StaticFile, 'hash'>): StaticFile {
  return { ...options, hash: createHash('sha256').update(options.bytes).digest('base64url') };
}

export function sendStaticFile(context: RequestContext, file: StaticFile): void {
  const { type, bytes, zipped, headers, hash } = file;
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  context.header('Vary', 'Accept-Encoding');
  context.header('ETag', `W/"${hash}"`);
  if (context.headers['if-none-match']?.includes(hash)) {
    context.empty(NOT_MODIFIED);
    return;
  }
  const isZipped = zipped !== undefined && TAKES_GZIP.test(String(context.headers['accept-encoding']));
  if (isZipped) context.header('Content-Encoding', 'gzip');
  context.send(OK, type, isZipped ? zipped : bytes);
}
