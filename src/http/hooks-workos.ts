/** WorkOS AuthKit: the action "user registration", whose answers are signed as well. */
import { memberAt, textAt } from './hooks-members.ts';
import { DENIAL_MESSAGE, type HookProviderContract, NOTHING_TO_ASSESS, OK } from './hooks-provider.ts';
import { hmacSha256, isFresh, isSameSignature, readSignatureHeader } from './hooks-signature.ts';

const REGISTRATION = 'user_registration_action_context';
const AUTHENTICATION = 'authentication_action_context';

export const workos: HookProviderContract = {
  verify({ raw, headers, at }, secret) {
    const { at: signedAt, signatures } = readSignatureHeader(
      headers['workos-signature'] as string | undefined,
    );
    if (!isFresh(signedAt, at)) return false;
    const expected = hmacSha256(secret, `${signedAt}.`, raw);
    return signatures.some((signature) => isSameSignature(expected, signature));
  },
  read(body) {
    if (textAt(body, 'object') !== REGISTRATION) return NOTHING_TO_ASSESS;
    const email = textAt(memberAt(body, 'user_data'), 'email');
    if (email === undefined) return undefined;
    const invitation = memberAt(body, 'invitation');
    const isInvited = typeof invitation === 'object' && invitation !== null;
    const ip = textAt(body, 'ip_address');
    return {
      signup: { email, ip, broughtBy: isInvited ? 'member' : undefined },
      deliveryId: textAt(body, 'id'),
    };
  },
  reply({ answer }, { secret = '', body, at }) {
    const isSignIn = textAt(body, 'object') === AUTHENTICATION;
    const payload =
      answer === 'allow'
        ? { timestamp: at, verdict: 'Allow' }
        : { timestamp: at, verdict: 'Deny', error_message: DENIAL_MESSAGE };
    const signature = hmacSha256(secret, `${at}.${JSON.stringify(payload)}`).toString('hex');
    const object = `${isSignIn ? 'authentication' : 'user_registration'}_action_response`;
    return { status: OK, body: { object, payload, signature } };
  },
};
