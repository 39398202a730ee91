/** Neon Auth: the event `user.before_create`, signed with a key that the project publishes. */
import { headerOf, memberAt, textAt } from './hooks-members.ts';
import {
  DENIAL_CODE,
  DENIAL_MESSAGE,
  type HookProviderContract,
  NOTHING_TO_ASSESS,
  OK,
} from './hooks-provider.ts';
import { isFresh } from './hooks-signature.ts';
import { isSignature, readPart } from './hooks-token-form.ts';

const EVENT = 'user.before_create';
const ALGORITHMS = ['EdDSA', 'Ed25519'];

export const neon: HookProviderContract = {
  async verify({ raw, headers, at }, keysUrl, withKeys) {
    const [header, body, signature, ...more] = (headerOf(headers, 'x-neon-signature') ?? '').split('.');
    const time = headerOf(headers, 'x-neon-timestamp') ?? '';
    const isDetached = header && body === '' && signature && more.length === 0 && isSignature(signature);
    if (!isDetached || !isFresh(Number(time), at)) return false;
    if (!ALGORITHMS.includes(String(readPart(header)?.alg))) return false;
    const payload = Buffer.from(`${time}.${raw.toString('base64url')}`).toString('base64url');
    return withKeys(keysUrl, async (keys) => {
      const { compactVerify } = await import('jose');
      const kid = headerOf(headers, 'x-neon-signature-kid');
      await compactVerify(
        `${header}.${payload}.${signature}`,
        (protectedHeader, token) =>
          keys(kid === undefined ? protectedHeader : { ...protectedHeader, kid }, token),
        { algorithms: ALGORITHMS },
      );
      return true;
    });
  },
  read(body, headers) {
    if (textAt(body, 'event_type') !== EVENT) return NOTHING_TO_ASSESS;
    if (memberAt(body, 'user') === undefined) return undefined;
    const email = textAt(body, 'user', 'email');
    // A signup by phone.
    if (email === undefined) return NOTHING_TO_ASSESS;
    const deliveryId = headerOf(headers, 'x-neon-event-id') ?? textAt(body, 'event_id');
    return { signup: { email, ip: textAt(body, 'event_data', 'ip_address') }, deliveryId };
  },
  reply: ({ answer }) => ({
    status: OK,
    body:
      answer === 'allow'
        ? { allowed: true }
        : { allowed: false, error_message: DENIAL_MESSAGE, error_code: DENIAL_CODE.toUpperCase() },
  }),
};
