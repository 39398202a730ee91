/** The form of each provider's secret, and who creates it: Gatehouse or the provider. */
import { randomBytes } from 'node:crypto';
import type { HookProvider } from '../model/hook.ts';

export interface SecretForm {
  /** Makes one; `null` if only the provider can make it. */
  readonly make: (() => string) | null;
  readonly isValid: (text: string) => boolean;
  /** Its description, after "the secret is …". */
  readonly description: string;
}

const SECRET_BYTES = 32;
const WEBHOOK_SECRET = /^v1,whsec_([A-Za-z0-9+/]+={0,2})$/;
const MIN_WEBHOOK_BYTES = 16;
/** Max. characters of all secrets of a hook, so that a request is compared with few. */
const MAX_SECRETS_LENGTH = 1_000;
/** Text that a header can contain. */
const VISIBLE_TEXT = /^[!-~](?:[ -~]{14,998}[!-~])$/;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const MAX_URL_LENGTH = 1_000;

const makeText = () => randomBytes(SECRET_BYTES).toString('base64url');

const HEADER_VALUE: SecretForm = {
  make: makeText,
  isValid: (text) => VISIBLE_TEXT.test(text),
  description: 'the value of the header `Authorization` that the provider sends, 16 to 1000 characters',
};

const SIGNING_KEY: SecretForm = {
  make: null,
  isValid: (text) => VISIBLE_TEXT.test(text),
  description: 'the signing secret that the provider shows after you enter the hook’s URL there',
};

export const SECRET_FORMS: Readonly<Record<HookProvider, SecretForm>> = {
  supabase: {
    make: () => `v1,whsec_${randomBytes(SECRET_BYTES).toString('base64')}`,
    isValid: (text) => webhookKeysOf(text).length > 0,
    description:
      '`v1,whsec_` and at least 16 bytes in base64, as Supabase shows it; several are joined by `|`, as Supabase writes them during a rotation',
  },
  kratos: HEADER_VALUE,
  okta: HEADER_VALUE,
  workos: SIGNING_KEY,
  zitadel: SIGNING_KEY,
  entra: {
    make: null,
    isValid: (text) => parseEntraSettings(text) !== undefined,
    description:
      '`tenant=ID audience=ID`: the ids of the tenant and of the application that protects the endpoint; add `jwks=URL` to fetch the public keys from another address',
  },
  neon: {
    make: null,
    isValid: isKeysUrl,
    description: 'the URL of the project’s public keys, which ends with `/.well-known/jwks.json`',
  },
  fusionauth: {
    make: makeText,
    isValid: (text) => isKeysUrl(text) || VISIBLE_TEXT.test(text),
    description: 'the text of the HMAC key that signs, or the URL of FusionAuth’s public keys',
  },
};

/** The keys in the secrets of Standard Webhooks, which a bar separates: each may sign. Empty unless all are valid. */
export function webhookKeysOf(text: string): readonly Buffer[] {
  const keys = text.length > MAX_SECRETS_LENGTH ? [] : text.split('|').map((secret) => webhookKeyOf(secret));
  return keys.every((key) => key !== undefined) ? keys : [];
}

function webhookKeyOf(text: string): Buffer | undefined {
  const encoded = WEBHOOK_SECRET.exec(text.trim())?.[1];
  const key = encoded === undefined ? undefined : Buffer.from(encoded, 'base64');
  return key === undefined || key.length < MIN_WEBHOOK_BYTES ? undefined : key;
}

/** Whether a secret is a URL to fetch public keys from. */
export function isKeysUrl(text: string): boolean {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

export interface EntraSettings {
  readonly tenant: string;
  readonly audience: string;
  readonly keysUrl: string;
}

export function parseEntraSettings(text: string): EntraSettings | undefined {
  const members = new Map(
    text
      .trim()
      .split(/\s+/)
      .map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  );
  const { tenant = '', audience = '', jwks, ...others } = Object.fromEntries(members);
  const keysUrl = jwks ?? `https://${tenant}.ciamlogin.com/${tenant}/discovery/v2.0/keys`;
  const isValid = UUID.test(tenant) && UUID.test(audience) && isKeysUrl(keysUrl);
  return isValid && Object.keys(others).length === 0 ? { tenant, audience, keysUrl } : undefined;
}
