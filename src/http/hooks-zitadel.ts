/** Zitadel: an action on requests that create a user. Zitadel does not say from which IP the person comes. */
import { textAt } from './hooks-members.ts';
import {
  DENIAL_MESSAGE,
  FORBIDDEN,
  type HookProviderContract,
  NOTHING_TO_ASSESS,
  OK,
} from './hooks-provider.ts';
import { hmacSha256, isFresh, isSameSignature, readSignatureHeader } from './hooks-signature.ts';

/** Where the address is in the request, by method. */
const EMAIL_PATHS: Readonly<Record<string, readonly string[]>> = {
  '/zitadel.user.v2.UserService/AddHumanUser': ['email', 'email'],
  '/zitadel.user.v2.UserService/CreateUser': ['human', 'email', 'email'],
};

export const zitadel: HookProviderContract = {
  verify({ raw, headers, at }, secret) {
    const { at: seconds, signatures } = readSignatureHeader(
      headers['zitadel-signature'] as string | undefined,
    );
    if (!isFresh(seconds * 1000, at)) return false;
    const expected = hmacSha256(secret, `${seconds}.`, raw);
    return signatures.some((signature) => isSameSignature(expected, signature));
  },
  read(body) {
    const method = textAt(body, 'fullMethod');
    const path = method === undefined ? undefined : EMAIL_PATHS[method];
    if (path === undefined) return method === undefined ? undefined : NOTHING_TO_ASSESS;
    const email = textAt(body, 'request', ...path);
    // A machine user, or one with a phone only.
    return email === undefined
      ? NOTHING_TO_ASSESS
      : { signup: { email, ip: undefined }, deliveryId: undefined };
  },
  // 200 also for a denial: only then does Zitadel forward the message to the person.
  reply: ({ answer }) => ({
    status: OK,
    body: answer === 'allow' ? {} : { forwardedStatusCode: FORBIDDEN, forwardedErrorMessage: DENIAL_MESSAGE },
  }),
};
