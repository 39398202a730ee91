/** SendGrid: the signed event webhook, whose events bounce, spamreport and dropped come several at once. */
import { hash, verify } from 'node:crypto';
import { readVerificationKey } from '../accounts/hook-secrets.ts';
import { isDeliverable, type MailEvent, type MailProviderContract } from './hooks-mail-provider.ts';
import { headerOf, textAt } from './hooks-members.ts';

const SIGNATURE = 'x-twilio-email-event-webhook-signature';
const TIMESTAMP = 'x-twilio-email-event-webhook-timestamp';
const MS_A_SECOND = 1_000;
/** Reasons for which a mail was not even sent, because the address had bounced before or cannot exist. */
const DROPPED = /^(?:bounced address|invalid)/i;

export const sendgrid: MailProviderContract = {
  verify({ raw, headers, at }, secret) {
    const time = headerOf(headers, TIMESTAMP) ?? '';
    const key = readVerificationKey(secret);
    if (key === undefined || !/^\d{1,12}$/.test(time) || !isDeliverable(Number(time) * MS_A_SECOND, at))
      return false;
    const signature = Buffer.from(headerOf(headers, SIGNATURE) ?? '', 'base64');
    return verify('sha256', Buffer.concat([Buffer.from(time), raw]), key, signature);
  },
  read(body, headers) {
    if (!Array.isArray(body)) return undefined;
    // One message has several valid signatures: its own bytes name it.
    const deliveryId = hash('sha256', `${headerOf(headers, TIMESTAMP)} ${JSON.stringify(body)}`);
    return { events: body.flatMap(readEvent), deliveryId };
  },
};

function readEvent(event: unknown): MailEvent[] {
  const email = textAt(event, 'email');
  if (email === undefined) return [];
  switch (textAt(event, 'event')) {
    case 'bounce':
      // A blocked one was refused for its sender or its content, not for the address.
      return textAt(event, 'type') === 'blocked' ? [] : [{ outcome: 'bounced', email }];
    case 'dropped':
      return DROPPED.test(textAt(event, 'reason') ?? '') ? [{ outcome: 'bounced', email }] : [];
    case 'spamreport':
      return [{ outcome: 'complained', email }];
    default:
      return [];
  }
}
