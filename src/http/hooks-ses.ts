/** Amazon SES: bounces and complaints by way of a topic of Amazon SNS, which signs with a certificate of its region. */
import { verify } from 'node:crypto';
import { parseSnsSettings, type SnsSettings } from '../accounts/hook-secrets.ts';
import { isDeliverable, type MailEvent, type MailProviderContract } from './hooks-mail-provider.ts';
import { memberAt, parseJson, textAt } from './hooks-members.ts';

const DIGESTS: Readonly<Record<string, string>> = { '1': 'sha1', '2': 'sha256' };
/** Members that are signed, in their order. */
const SIGNED: Readonly<Record<string, readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
};
const CERTIFICATE_PATH = /^\/SimpleNotificationService-[\da-f]{32}\.pem$/;

export const ses: MailProviderContract = {
  async verify({ raw, at }, secret, withCertificate) {
    const settings = parseSnsSettings(secret);
    const body = parseJson(raw);
    const text = signedText(body);
    const digest = DIGESTS[textAt(body, 'SignatureVersion') ?? ''];
    const signature = textAt(body, 'Signature');
    const url = textAt(body, 'SigningCertURL');
    if (settings === undefined || text === undefined || digest === undefined) return false;
    // The message of another topic is signed as well: only this one is the account's.
    if (textAt(body, 'TopicArn') !== settings.topic || signature === undefined) return false;
    if (!isDeliverable(Date.parse(textAt(body, 'Timestamp') ?? ''), at)) return false;
    if (url === undefined || !isPermitted(url, settings, CERTIFICATE_PATH)) return false;
    return withCertificate(url, ({ publicKey }) =>
      verify(digest, Buffer.from(text), publicKey, Buffer.from(signature, 'base64')),
    );
  },
  read(body, _headers, secret) {
    const deliveryId = textAt(body, 'MessageId');
    const settings = parseSnsSettings(secret);
    if (deliveryId === undefined || settings === undefined) return undefined;
    const type = textAt(body, 'Type');
    if (type === 'SubscriptionConfirmation')
      return { events: [], deliveryId, confirmUrl: confirmUrlOf(textAt(body, 'SubscribeURL'), settings) };
    if (type !== 'Notification') return { events: [], deliveryId };
    // Other messages of the topic are no JSON.
    const message = parseJson(Buffer.from(textAt(body, 'Message') ?? ''));
    return { events: eventsOf(message), deliveryId };
  },
};

/** `undefined` where a member is missing, or the type is another one. */
function signedText(body: unknown): string | undefined {
  const names = SIGNED[textAt(body, 'Type') ?? ''];
  let text = '';
  for (const name of names ?? []) {
    const value = memberAt(body, name);
    // Only the subject may be missing.
    if (name === 'Subject' && (value === undefined || value === null)) continue;
    if (typeof value !== 'string') return undefined;
    text += `${name}\n${value}\n`;
  }
  return text === '' ? undefined : text;
}

/** Certificates and confirmations come from the topic's own region, or from where the hook's secret says. */
function isPermitted(text: string, { origin }: SnsSettings, path: RegExp): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.origin === origin && url.username === '' && url.password === '' && path.test(url.pathname);
}

/** Only what confirms this topic is fetched: a signed URL that leads elsewhere is not. */
function confirmUrlOf(text: string | undefined, settings: SnsSettings): string | undefined {
  if (text === undefined || !isPermitted(text, settings, /^\/$/)) return undefined;
  const { searchParams: query } = new URL(text);
  const isOurs = query.get('Action') === 'ConfirmSubscription' && query.get('TopicArn') === settings.topic;
  return isOurs ? text : undefined;
}

function eventsOf(message: unknown): MailEvent[] {
  // Configuration sets write `eventType`, identities `notificationType`.
  const type = textAt(message, 'eventType') ?? textAt(message, 'notificationType');
  if (type === 'Bounce' && textAt(message, 'bounce', 'bounceType') === 'Permanent')
    return recipientsAt(message, 'bounce', 'bouncedRecipients').map((email) => ({
      outcome: 'bounced',
      email,
    }));
  if (type === 'Complaint')
    return recipientsAt(message, 'complaint', 'complainedRecipients').map((email) => ({
      outcome: 'complained',
      email,
    }));
  return [];
}

function recipientsAt(message: unknown, ...path: readonly string[]): string[] {
  const recipients = memberAt(message, ...path);
  if (!Array.isArray(recipients)) return [];
  return recipients.flatMap((recipient) => textAt(recipient, 'emailAddress') ?? []);
}
