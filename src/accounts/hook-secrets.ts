/** The form of each provider's secret, and who creates it: Gatehouse or the provider. */
import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import type { HookSource } from '../model/hook.ts';

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
/** Text that a URL can contain as a password. */
const URL_TEXT = /^[\w.~-]{16,200}$/;
const SNS_TOPIC =
  /^topic=(arn:(aws|aws-cn|aws-us-gov):sns:([a-z]{2}(?:-[a-z]+){1,3}-\d):\d{12}:[\w-]{1,256}(?:\.fifo)?)$/;

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

export const SECRET_FORMS: Readonly<Record<HookSource, SecretForm>> = {
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
  ses: {
    make: null,
    isValid: (text) => parseSnsSettings(text) !== undefined,
    description:
      '`topic=ARN`: the topic of Amazon SNS that SES publishes to; add `certs=ORIGIN` to fetch its certificates and confirmations from another address than that of its region',
  },
  postmark: {
    make: makeText,
    isValid: (text) => URL_TEXT.test(text),
    description:
      'the password in the URL that Postmark calls: 16 to 200 letters, digits, `-`, `_`, `.` or `~`',
  },
  resend: {
    make: null,
    isValid: (text) => resendKeyOf(text) !== undefined,
    description:
      '`whsec_` and base64, the signing secret that Resend shows after you enter the hook’s URL there',
  },
  mailgun: {
    make: null,
    isValid: (text) => VISIBLE_TEXT.test(text),
    description: 'the HTTP webhook signing key that Mailgun shows',
  },
  sendgrid: {
    make: null,
    isValid: (text) => readVerificationKey(text) !== undefined,
    description: 'the verification key that SendGrid shows when you turn on the signature: base64',
  },
};

/** A public key of the curve P-256, as SendGrid shows it; `undefined`: the text is none. */
export function readVerificationKey(text: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(text.trim(), 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
  } catch {
    return undefined;
  }
}

/** The key in a secret of Standard Webhooks without its version, as Svix writes it. */
export function resendKeyOf(text: string): Buffer | undefined {
  return webhookKeyOf(`v1,${text.trim()}`);
}

export interface SnsSettings {
  /** ARN of the topic. */
  readonly topic: string;
  /** Origin of its certificates and of what confirms a subscription. */
  readonly origin: string;
}

export function parseSnsSettings(text: string): SnsSettings | undefined {
  const [topic = '', certs, ...more] = text.trim().split(/\s+/);
  const [, arn = '', partition, region] = SNS_TOPIC.exec(topic) ?? [];
  if (arn === '' || more.length > 0) return undefined;
  const end = partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com';
  if (certs === undefined) return { topic: arn, origin: `https://sns.${region}.${end}` };
  const other = certs.startsWith('certs=') ? certs.slice('certs='.length) : '';
  return isKeysUrl(other) ? { topic: arn, origin: new URL(other).origin } : undefined;
}

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
