/** Resend: the events email.bounced and email.complained, signed as Standard Webhooks, with Svix's names of headers. */
import { resendKeyOf } from '../accounts/hook-secrets.ts';
import type { MailEvent, MailProviderContract } from './hooks-mail-provider.ts';
import { headerOf, memberAt, textAt } from './hooks-members.ts';
import { isSignedAsStandard } from './hooks-signature.ts';

const OUTCOMES: Readonly<Record<string, MailEvent['outcome']>> = {
  'email.bounced': 'bounced',
  'email.complained': 'complained',
};

export const resend: MailProviderContract = {
  verify({ raw, headers, at }, secret) {
    const key = resendKeyOf(secret);
    const of = (name: string) =>
      headerOf(headers, `svix-${name}`) ?? headerOf(headers, `webhook-${name}`) ?? '';
    const signed = { id: of('id'), time: of('timestamp'), signatures: of('signature') };
    return key !== undefined && isSignedAsStandard([key], signed, raw, at);
  },
  read(body, headers) {
    const type = textAt(body, 'type');
    const deliveryId = headerOf(headers, 'svix-id') ?? headerOf(headers, 'webhook-id');
    if (type === undefined || deliveryId === undefined) return undefined;
    const outcome = OUTCOMES[type];
    const bounce = textAt(body, 'data', 'bounce', 'type') ?? 'Permanent';
    if (outcome === undefined || (outcome === 'bounced' && bounce !== 'Permanent'))
      return { events: [], deliveryId };
    const to = memberAt(body, 'data', 'to');
    const addresses = (Array.isArray(to) ? to : [to]).filter((each) => typeof each === 'string');
    if (addresses.length === 0) return undefined;
    return { events: addresses.map((email) => ({ outcome, email })), deliveryId };
  },
};
