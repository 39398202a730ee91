/** Signs webhooks as Standard Webhooks says: HMAC-SHA256 over id, timestamp and body, with each secret that is valid. */
import { createHmac, randomBytes } from 'node:crypto';

export interface SignedHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const SECOND_MS = 1_000;

/** @param secrets the newest first; a receiver accepts any of the signatures */
export function signWebhook(
  secrets: readonly string[],
  { id, at, body }: { readonly id: string; readonly at: number; readonly body: string },
): SignedHeaders {
  const timestamp = String(Math.floor(at / SECOND_MS));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

export function makeWebhookSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}
