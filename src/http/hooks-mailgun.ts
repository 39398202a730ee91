/** Mailgun: permanent failures and complaints, with a signature in the body over a time and a token that comes once. */
import { isDeliverable, type MailProviderContract } from './hooks-mail-provider.ts';
import { memberAt, parseJson, textAt } from './hooks-members.ts';
import { hmacSha256, isSameSignature } from './hooks-signature.ts';

/** Reasons of permanent failures that say nothing of the address. */
const OTHER_REASONS: ReadonlySet<string> = new Set(['old', 'suppress-unsubscribe', 'suppress-complaint']);
const MS_A_SECOND = 1_000;

export const mailgun: MailProviderContract = {
  verify({ raw, at }, secret) {
    const body = parseJson(raw);
    const token = textAt(body, 'signature', 'token') ?? '';
    const time = String(memberAt(body, 'signature', 'timestamp') ?? '');
    if (!/^\d{1,12}$/.test(time) || token === '' || !isDeliverable(Number(time) * MS_A_SECOND, at))
      return false;
    const expected = hmacSha256(secret, `${time}${token}`);
    // An event of a subaccount is signed with the key of the main account, too.
    const received = ['signature', 'parent-signature'].flatMap(
      (name) => textAt(body, 'signature', name) ?? [],
    );
    return received.some((hex) => isSameSignature(expected, Buffer.from(hex, 'hex')));
  },
  read(body) {
    const token = textAt(body, 'signature', 'token');
    const event = textAt(body, 'event-data', 'event');
    if (token === undefined || event === undefined) return undefined;
    const isFailed =
      event === 'failed' &&
      textAt(body, 'event-data', 'severity') === 'permanent' &&
      !OTHER_REASONS.has(textAt(body, 'event-data', 'reason') ?? '');
    if (!isFailed && event !== 'complained') return { events: [], deliveryId: token };
    const email = textAt(body, 'event-data', 'recipient');
    if (email === undefined) return undefined;
    return { events: [{ outcome: isFailed ? 'bounced' : 'complained', email }], deliveryId: token };
  },
};
