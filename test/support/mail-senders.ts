/** Sends what mail providers document about bounces and complaints: payload, proof of origin and secret; addresses are examples. */
import { createHmac, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import type { MailProvider } from '../../src/model/hook.ts';
import type { Delivery } from './hook-senders.ts';

export type MailEventKind = 'bounced' | 'complained' | 'soft' | 'delivered';

export interface MailSender {
  /** The secret in the form for `--secret`. */
  readonly secret: string;
  /** One delivery about an address. @param at of the event and its signature, milliseconds since the epoch */
  deliver(kind: MailEventKind, email: string, at?: number): Delivery;
  /** One delivery about bounces of many addresses, where the provider collects them. */
  deliverMany?(emails: readonly string[]): Delivery;
  /** A delivery with another content and the signature of the first; `undefined` where no signature covers the content. */
  readonly isContentSigned: boolean;
  /** Whether the time is signed or at least checked, so that old requests are refused. */
  readonly isTimed: boolean;
}

const TLS = resolve(import.meta.dirname, '../fixtures/tls');
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:ses-feedback';
const CERTIFICATE = '/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem';

/** A server of Amazon SNS for certificates and confirmations. */
export interface SnsServer {
  readonly origin: string;
  /** Paths and queries that were asked for. */
  readonly requests: string[];
  close(): Promise<void>;
}

export async function startSnsServer(): Promise<SnsServer> {
  const requests: string[] = [];
  const certificate = readFileSync(resolve(TLS, 'certificate.pem'), 'utf8');
  const server = createServer(({ url = '' }, response) => {
    requests.push(url);
    if (url === CERTIFICATE || url.startsWith('/?Action=ConfirmSubscription'))
      response.end(url === CERTIFICATE ? certificate : '<ConfirmSubscriptionResponse/>');
    else if (url.endsWith('ffff.pem')) response.writeHead(302, { location: CERTIFICATE }).end();
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    close: () => new Promise((done) => server.close(() => done())),
  };
}

export function makeMailSenders(sns: Pick<SnsServer, 'origin'>): Record<MailProvider, MailSender> {
  return {
    ses: sesSender(sns),
    postmark: postmarkSender(),
    resend: resendSender(),
    mailgun: mailgunSender(),
    sendgrid: sendgridSender(),
  };
}

const json = (body: unknown, headers: Record<string, string> = {}): Delivery => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** Signs a message as Amazon SNS does; `changes` replaces members before that. */
export function signSns(changes: Record<string, string>, names: readonly string[]): Record<string, string> {
  const version = changes.SignatureVersion ?? '2';
  const text = names
    .filter((name) => changes[name] !== undefined)
    .map((name) => `${name}\n${changes[name]}\n`)
    .join('');
  const key = readFileSync(resolve(TLS, 'key.pem'));
  const signature = sign(version === '1' ? 'sha1' : 'sha256', Buffer.from(text), key);
  return { ...changes, SignatureVersion: version, Signature: signature.toString('base64') };
}

export const SNS_NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
export const SNS_CONFIRMATION = [
  'Message',
  'MessageId',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
];

export function snsMessage(origin: string, at: number): Record<string, string> {
  return {
    Type: 'Notification',
    MessageId: randomUUID(),
    TopicArn: TOPIC,
    Timestamp: new Date(at).toISOString(),
    SigningCertURL: `${origin}${CERTIFICATE}`,
    UnsubscribeURL: `${origin}/?Action=Unsubscribe&SubscriptionArn=${TOPIC}:1`,
  };
}

function sesSender({ origin }: Pick<SnsServer, 'origin'>): MailSender {
  const mail = {
    timestamp: '2026-08-07T17:54:04.100Z',
    messageId: '0102018a1b2c3d4e-example',
    source: 'hello@shop.example',
    sendingAccountId: '123456789012',
    destination: ['someone@example.com'],
  };
  const contentOf = (kind: MailEventKind, email: string) => {
    if (kind === 'delivered')
      return { notificationType: 'Delivery', mail, delivery: { recipients: [email] } };
    if (kind === 'complained')
      return {
        notificationType: 'Complaint',
        complaint: {
          feedbackId: '0102018a1b2c3d4e-example',
          complaintSubType: null,
          complainedRecipients: [{ emailAddress: email }],
          complaintFeedbackType: 'abuse',
        },
        mail,
      };
    return {
      notificationType: 'Bounce',
      bounce: {
        feedbackId: '0102018a1b2c3d4e-example',
        bounceType: kind === 'soft' ? 'Transient' : 'Permanent',
        bounceSubType: 'General',
        bouncedRecipients: [
          { emailAddress: email, action: 'failed', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1' },
        ],
        reportingMTA: 'dns; a8-1.smtp-out.example',
      },
      mail,
    };
  };
  return {
    secret: `topic=${TOPIC} certs=${origin}`,
    isContentSigned: true,
    isTimed: true,
    deliver(kind, email, at = Date.now()) {
      const message = { ...snsMessage(origin, at), Message: JSON.stringify(contentOf(kind, email)) };
      const body = signSns(message, SNS_NOTIFICATION);
      return {
        headers: { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': 'Notification' },
        body: JSON.stringify(body),
      };
    },
  };
}

function postmarkSender(): MailSender {
  const secret = randomBytes(24).toString('base64url');
  let id = 4_323_372_036_854;
  return {
    secret,
    isContentSigned: false,
    isTimed: true,
    deliver(kind, email, at = Date.now()) {
      id += 1;
      const types = { bounced: 'HardBounce', soft: 'Transient', complained: 'SpamComplaint', delivered: '' };
      const common = {
        ID: id,
        MessageID: randomUUID(),
        ServerID: 23,
        MessageStream: 'outbound',
        Tag: 'Test',
        Metadata: { example: 'value' },
      };
      const body =
        kind === 'delivered'
          ? { ...common, RecordType: 'Delivery', Recipient: email, DeliveredAt: new Date(at).toISOString() }
          : {
              ...common,
              RecordType: kind === 'complained' ? 'SpamComplaint' : 'Bounce',
              Type: types[kind],
              TypeCode: kind === 'bounced' ? 1 : 2,
              Name: 'A bounce',
              Description: 'The server was unable to deliver your message.',
              Email: email,
              From: 'hello@shop.example',
              BouncedAt: new Date(at).toISOString(),
              Inactive: true,
              CanActivate: true,
              Subject: 'Confirm your address',
            };
      const basic = Buffer.from(`gatehouse:${secret}`).toString('base64');
      return json(body, { authorization: `Basic ${basic}` });
    },
  };
}

function resendSender(): MailSender {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  return {
    secret,
    isContentSigned: true,
    isTimed: true,
    deliver(kind, email, at = Date.now()) {
      const types = { bounced: 'email.bounced', soft: 'email.bounced', complained: 'email.complained' };
      const type = kind === 'delivered' ? 'email.delivered' : types[kind];
      const bounce = {
        message: 'The recipient server does not know the address.',
        subType: 'General',
        type: kind === 'soft' ? 'Transient' : 'Permanent',
      };
      const body = JSON.stringify({
        type,
        created_at: new Date(at).toISOString(),
        data: {
          email_id: randomUUID(),
          created_at: new Date(at).toISOString(),
          from: 'Shop <hello@shop.example>',
          to: [email],
          subject: 'Confirm your address',
          ...(type === 'email.bounced' && { bounce }),
        },
      });
      const id = `msg_${randomUUID()}`;
      const date = new Date(at);
      return {
        headers: {
          'content-type': 'application/json',
          'svix-id': id,
          'svix-timestamp': String(Math.floor(at / 1_000)),
          'svix-signature': new Webhook(secret).sign(id, date, body),
        },
        body,
      };
    },
  };
}

function mailgunSender(): MailSender {
  const secret = randomBytes(16).toString('hex');
  return {
    secret,
    isContentSigned: false,
    isTimed: true,
    deliver(kind, email, at = Date.now()) {
      const timestamp = String(Math.floor(at / 1_000));
      const token = randomBytes(25).toString('hex');
      const signature = createHmac('sha256', secret).update(`${timestamp}${token}`).digest('hex');
      const isFailed = kind === 'bounced' || kind === 'soft';
      const event = isFailed ? 'failed' : kind;
      return json({
        signature: { token, timestamp, signature },
        'event-data': {
          id: 'G9Bn5sl1TC6nu79C8C0bwg',
          timestamp: at / 1_000,
          'log-level': 'error',
          event,
          ...(isFailed && {
            severity: kind === 'soft' ? 'temporary' : 'permanent',
            reason: 'suppress-bounce',
            'delivery-status': {
              code: 605,
              message: '',
              description: 'Not delivering to previously bounced address',
            },
          }),
          message: { headers: { to: email, from: 'hello@shop.example', subject: 'Confirm your address' } },
          recipient: email,
          'recipient-domain': email.slice(email.indexOf('@') + 1),
        },
      });
    },
  };
}

function sendgridSender(): MailSender {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const signed = (events: readonly object[], timestamp: string): Delivery => {
    const body = JSON.stringify(events);
    const signature = sign('sha256', Buffer.from(timestamp + body), privateKey).toString('base64');
    return {
      headers: {
        'content-type': 'application/json',
        'x-twilio-email-event-webhook-signature': signature,
        'x-twilio-email-event-webhook-timestamp': timestamp,
      },
      body,
    };
  };
  return {
    secret: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    isContentSigned: true,
    isTimed: true,
    deliver(kind, email, at = Date.now()) {
      const timestamp = String(Math.floor(at / 1_000));
      const names = { bounced: 'bounce', soft: 'bounce', complained: 'spamreport', delivered: 'delivered' };
      const of = (address: string, event: string, more: object = {}) => ({
        email: address,
        timestamp: Number(timestamp),
        'smtp-id': '<14c5d75ce93.dfd.64b469@ismtpd-555>',
        event,
        category: ['signup'],
        sg_event_id: randomBytes(16).toString('base64url'),
        sg_message_id: '14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0',
        ...more,
      });
      const bounce = {
        reason: '550 5.1.1 unknown user',
        status: '5.1.1',
        type: kind === 'soft' ? 'blocked' : 'bounce',
      };
      const events = [of('another@example.com', 'processed')];
      return signed([...events, of(email, names[kind], names[kind] === 'bounce' ? bounce : {})], timestamp);
    },
    deliverMany(emails) {
      const event = 'bounce';
      const timestamp = String(Math.floor(Date.now() / 1_000));
      return signed(
        emails.map((email) => ({ email, event, type: 'bounce' })),
        timestamp,
      );
    },
  };
}
