/** Zitadel: an action on requests that create a user. The person's IP is in the headers that Zitadel received and passes on. */
import { type ReportingHeaders, visitorBefore } from '../address/reported-ip.ts';
import { memberAt, textAt } from './hooks-members.ts';
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

/** In the hook's URL: proxies with public addresses, such as a CDN, in front of Zitadel's own. */
const PUBLIC_PROXIES = 'public_proxies';

export const zitadel: HookProviderContract = {
  verify({ raw, headers, at }, secret) {
    const { at: seconds, signatures } = readSignatureHeader(
      headers['zitadel-signature'] as string | undefined,
    );
    if (!isFresh(seconds * 1000, at)) return false;
    const expected = hmacSha256(secret, `${seconds}.`, raw);
    return signatures.some((signature) => isSameSignature(expected, signature));
  },
  read(body, _headers, query) {
    const method = textAt(body, 'fullMethod');
    const path = method === undefined ? undefined : EMAIL_PATHS[method];
    if (path === undefined) return method === undefined ? undefined : NOTHING_TO_ASSESS;
    const email = textAt(body, 'request', ...path);
    // A machine user, or one with a phone only.
    if (email === undefined) return NOTHING_TO_ASSESS;
    const ip = visitorBefore(receivedHeaders(body), Number(query[PUBLIC_PROXIES] ?? 0));
    return { signup: { email, ip: ip?.text }, deliveryId: undefined };
  },
  // 200 also for a denial: only then does Zitadel forward the message to the person.
  reply: ({ answer }) => ({
    status: OK,
    body: answer === 'allow' ? {} : { forwardedStatusCode: FORBIDDEN, forwardedErrorMessage: DENIAL_MESSAGE },
  }),
};

/** A map of lists, with names as they came: names in lower case, lists joined. */
function receivedHeaders(body: unknown): ReportingHeaders {
  const headers: Record<string, string> = Object.create(null);
  for (const [key, value] of Object.entries(memberAt(body, 'headers') ?? {})) {
    const name = key.toLowerCase();
    const text = [value].flat().filter((part) => typeof part === 'string');
    headers[name] = [headers[name], ...text].filter((part) => part !== undefined).join(', ');
  }
  return headers;
}
