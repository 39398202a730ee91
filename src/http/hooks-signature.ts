/** Compares signatures in constant time, and refuses those that are too old. */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** Max. age of a signature, as Standard Webhooks, Neon and Zitadel allow, and as far in the future. A repetition has no second effect. */
const TOLERANCE_MS = 300_000;

/** `signed`: milliseconds since the epoch, like `now`. */
export function isFresh(signed: number, now: number): boolean {
  return Math.abs(now - signed) <= TOLERANCE_MS;
}

export function hmacSha256(key: string | Buffer, ...parts: readonly (string | Buffer)[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

export function isSameSignature(expected: Buffer, received: Buffer): boolean {
  return expected.length === received.length && timingSafeEqual(expected, received);
}

/** Whether two texts of any length are equal. */
export function isSameText(expected: string, received: string): boolean {
  return timingSafeEqual(hash('sha256', expected, 'buffer'), hash('sha256', received, 'buffer'));
}

/** `t=1700000000,v1=…`, as several providers write it. A name may come several times. */
export function readSignatureHeader(header: string | undefined): { at: number; signatures: Buffer[] } {
  const pairs = (header ?? '').split(',').map((pair) => pair.trim().split('=', 2));
  const valuesOf = (name: string) => pairs.flatMap(([key, value]) => (key === name && value ? [value] : []));
  const [time = ''] = valuesOf('t');
  const at = /^\d{1,15}$/.test(time) ? Number(time) : Number.NaN;
  return { at, signatures: valuesOf('v1').map((hex) => Buffer.from(hex, 'hex')) };
}

/** Headers of Standard Webhooks, whatever their names. */
export interface StandardHeaders {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly time: string;
  /** Several are separated by a space or a comma; each has `v1,` before it. */
  readonly signatures: string;
}

/** Whether one of the keys signed a body as Standard Webhooks says. @param at milliseconds since the epoch */
export function isSignedAsStandard(
  keys: readonly Buffer[],
  { id, time, signatures }: StandardHeaders,
  raw: Buffer,
  at: number,
): boolean {
  if (!isFresh(Number(time) * 1000, at)) return false;
  const expected = keys.map((key) => hmacSha256(key, `${id}.${time}.`, raw));
  const received = [...signatures.matchAll(/v1,([A-Za-z0-9+/=]+)/g)].map(([, text = '']) =>
    Buffer.from(text, 'base64'),
  );
  return received.some((signature) => expected.some((each) => isSameSignature(each, signature)));
}
