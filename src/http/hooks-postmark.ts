/** Postmark: bounces and spam complaints, sent with a user name and a password in the URL. */
import { hash } from 'node:crypto';
import { isDeliverable, type MailEvent, type MailProviderContract } from './hooks-mail-provider.ts';
import { memberAt, parseJson, textAt } from './hooks-members.ts';
import { isSameText } from './hooks-signature.ts';

/** Types of bounces after which the address is known not to exist. */
const HARD: ReadonlySet<string> = new Set(['HardBounce', 'BadEmailAddress']);
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

export const postmark: MailProviderContract = {
  verify({ headers, raw, at }, secret) {
    const encoded = BASIC.exec(headers.authorization ?? '')?.[1] ?? '';
    const [, ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    if (!isSameText(secret, password.join(':'))) return false;
    const time = textAt(parseJson(raw), 'BouncedAt');
    return time === undefined || isDeliverable(Date.parse(time), at);
  },
  read(body) {
    const type = textAt(body, 'Type');
    const record = textAt(body, 'RecordType') ?? (type === undefined ? undefined : 'Bounce');
    if (record === undefined) return undefined;
    const deliveryId = hash(
      'sha256',
      `${record} ${String(memberAt(body, 'ID'))} ${textAt(body, 'MessageID')}`,
    );
    const email = textAt(body, 'Email');
    const isComplaint = record === 'SpamComplaint' || type === 'SpamComplaint';
    if (record !== 'Bounce' && !isComplaint) return { events: [], deliveryId };
    if (email === undefined) return undefined;
    const outcome: MailEvent['outcome'] = isComplaint ? 'complained' : 'bounced';
    return { events: isComplaint || HARD.has(type ?? '') ? [{ outcome, email }] : [], deliveryId };
  },
};
