/** Decides whether a message comes from who knows the secret, now: signed as Standard Webhooks says. */
import { hmacSha256, isEqual } from './digest.ts';
import { OptionsError } from './errors.ts';

/** The used part of the headers of a message. */
export interface MessageHeaders {
  get(name: string): string | null;
}

/** Checks a message. @returns its id; `undefined` where the signature or its time is not right */
export type VerifyMessage = (headers: MessageHeaders, body: string, now: number) => string | undefined;

const PREFIX = 'whsec_';
const MIN_SECRET_BYTES = 24;
/** Time before and after now in which a signature is accepted, as Standard Webhooks says. */
export const SIGNATURE_MS = 300_000;
const MAX_ID_LENGTH = 200;

/** @throws OptionsError for a secret of another form */
export function createVerifyMessage(secret: string): VerifyMessage {
  const key = readKey(secret);
  return (headers, body, now) => {
    const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      headers.get(name),
    );
    if (!id || id.length > MAX_ID_LENGTH || !timestamp || !signatures) return undefined;
    if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp) * 1000) > SIGNATURE_MS)
      return undefined;
    const expected = `v1,${toBase64(hmacSha256(key, `${id}.${timestamp}.${body}`))}`;
    return signatures.split(' ').some((signature) => isEqual(signature, expected)) ? id : undefined;
  };
}

function readKey(secret: unknown): Uint8Array {
  if (typeof secret === 'string' && secret.startsWith(PREFIX)) {
    const key = fromBase64(secret.slice(PREFIX.length));
    if (key !== undefined && key.length >= MIN_SECRET_BYTES) return key;
  }
  throw new OptionsError(
    'invalid_options',
    `accounts.secret must be "${PREFIX}" and ${MIN_SECRET_BYTES} random bytes or more in base64: the text that Gatehouse has too`,
  );
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
