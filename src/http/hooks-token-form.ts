/** Reads a token before its signature can be verified: what is no token, or is for somebody else, needs no keys to be refused. */
import { parseJson } from './hooks-members.ts';

export interface TokenForm {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Bytes of a signature: EdDSA and ES256 have 64, no key in use signs more than RSA with 8,192 bits. */
const MIN_SIGNATURE_BYTES = 64;
const MAX_SIGNATURE_BYTES = 1_024;
const BASE64URL = /^[\w-]+$/;

/** The parts of a signed token, unverified; `undefined` for what no key could have signed with one of these algorithms. */
export function readTokenForm(token: string, algorithms: readonly string[]): TokenForm | undefined {
  const [head = '', body = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || !isSignature(signature)) return undefined;
  const header = readPart(head);
  const claims = readPart(body);
  if (header === undefined || claims === undefined || !algorithms.includes(String(header.alg)))
    return undefined;
  return { header, claims };
}

export function isSignature(text: string): boolean {
  const bytes = BASE64URL.test(text) ? Buffer.from(text, 'base64url').length : 0;
  return bytes >= MIN_SIGNATURE_BYTES && bytes <= MAX_SIGNATURE_BYTES;
}

/** A part that is a JSON object in base64url. */
export function readPart(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = BASE64URL.test(text) ? parseJson(Buffer.from(text, 'base64url')) : undefined;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
}
