/** Makes the key that lets the service recognise a repeated request. */

const BYTES = 16;

/** 128 random bits in hexadecimal. It must be unique, but it is no secret: Node.js 18 has no global `crypto`. */
export function createIdempotencyKey(): string {
  const bytes = new Uint8Array(BYTES);
  if (globalThis.crypto === undefined) for (let at = 0; at < BYTES; at += 1) bytes[at] = Math.random() * 256;
  else globalThis.crypto.getRandomValues(bytes);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
