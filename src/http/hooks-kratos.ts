/** Ory Kratos: a web hook of the registration flow, whose body is made by the Jsonnet of docs/hooks.md. */
import { broughtByAt, headerOf, memberAt, textAt } from './hooks-members.ts';
import {
  DENIAL_CODE,
  DENIAL_MESSAGE,
  FORBIDDEN,
  type HookChallenge,
  type HookProviderContract,
  OK,
} from './hooks-provider.ts';
import { isSameText } from './hooks-signature.ts';

/** Id of our messages: Kratos's own have other ids. */
const MESSAGE_ID = 4_000_001;

export const kratos: HookProviderContract = {
  verify: ({ headers }, secret) => hasHeaderValue(headers.authorization, secret),
  read(body, headers) {
    const email = textAt(body, 'email');
    const deliveryId = headerOf(headers, 'ory-webhook-trigger-id');
    // An identity without an address, such as one with a user name.
    if (email === undefined)
      return memberAt(body, 'email') === undefined ? undefined : { signup: null, deliveryId };
    const broughtBy = broughtByAt(body, 'brought_by');
    return { signup: { email, ip: textAt(body, 'ip'), broughtBy }, deliveryId };
  },
  reply({ answer, challenge }, { body }) {
    if (answer === 'deny') return { status: FORBIDDEN, body: DENIAL };
    return { status: OK, body: challenge === undefined ? {} : markOf(challenge, body) };
  },
};

/** Whether `Authorization` has this value, alone or behind `Bearer`. */
export function hasHeaderValue(header: string | undefined, secret: string): boolean {
  if (header === undefined) return false;
  return [isSameText(secret, header), isSameText(`Bearer ${secret}`, header)].includes(true);
}

/** Denial with a message: without one, Kratos would report a fault of the hook. */
const DENIAL = {
  messages: [
    {
      instance_ptr: '#/traits/email',
      messages: [{ id: MESSAGE_ID, text: DENIAL_MESSAGE, type: 'error', context: { reason: DENIAL_CODE } }],
    },
  ],
};

/** Replaces the metadata as a whole: what the Jsonnet passes on of it stays. */
function markOf({ requestId, score, reasons }: HookChallenge, body: unknown) {
  const others = memberAt(body, 'metadata_admin');
  const gatehouse = { verdict: 'challenge', request_id: requestId, score, reasons };
  return { identity: { metadata_admin: { ...(others as object | null | undefined), gatehouse } } };
}
