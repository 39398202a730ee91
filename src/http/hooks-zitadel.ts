/** Zitadel: an action on requests that create a user. The person's IP is in the headers that Zitadel received and passes on. */
import { type ReportingHeaders, visitorBefore } from '../address/reported-ip.ts';
import type { BroughtBy } from '../model/signup-attempt.ts';
import { memberAt, textAt } from './hooks-members.ts';
import {
  DENIAL_MESSAGE,
  FORBIDDEN,
  type HookProviderContract,
  NOTHING_TO_ASSESS,
  OK,
} from './hooks-provider.ts';
import { hmacSha256, isFresh, isSameSignature, readSignatureHeader } from './hooks-signature.ts';

interface Method {
  /** Place of the address in the request. */
  readonly path: readonly string[];
  /** Set for methods that only administrators may call. The others are called by the sign-up page too. */
  readonly broughtBy?: BroughtBy;
}

const METHODS: Readonly<Record<string, Method>> = {
  '/zitadel.user.v2.UserService/AddHumanUser': { path: ['email', 'email'] },
  '/zitadel.user.v2.UserService/CreateUser': { path: ['human', 'email', 'email'] },
  '/zitadel.management.v1.ManagementService/AddHumanUser': { path: ['email', 'email'], broughtBy: 'admin' },
  '/zitadel.management.v1.ManagementService/ImportHumanUser': {
    path: ['email', 'email'],
    broughtBy: 'admin',
  },
};

/** Number in the hook's URL: proxies with public addresses, such as a CDN, in front of Zitadel's own. */
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
    const name = textAt(body, 'fullMethod');
    if (name === undefined) return undefined;
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (method === undefined) return NOTHING_TO_ASSESS;
    const email = textAt(body, 'request', ...method.path);
    // A machine user, or one with a phone only.
    if (email === undefined) return NOTHING_TO_ASSESS;
    const ip = visitorBefore(receivedHeaders(body), Number(query[PUBLIC_PROXIES] ?? 0));
    return { signup: { email, ip: ip?.text, broughtBy: method.broughtBy }, deliveryId: undefined };
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
