/** Supabase: the hook "before user created", signed as Standard Webhooks. */
import { webhookKeysOf } from '../accounts/hook-secrets.ts';
import type { BroughtBy } from '../model/signup-attempt.ts';
import { headerOf, memberAt, textAt } from './hooks-members.ts';
import {
  DENIAL_MESSAGE,
  FORBIDDEN,
  type HookProviderContract,
  NOTHING_TO_ASSESS,
  OK,
} from './hooks-provider.ts';
import { isSignedAsStandard } from './hooks-signature.ts';

const EVENT = 'before-user-created';

export const supabase: HookProviderContract = {
  verify({ raw, headers, at }, secret) {
    const of = (name: string) => headerOf(headers, `webhook-${name}`) ?? '';
    // Supabase joins several signatures by a comma.
    const signed = { id: of('id'), time: of('timestamp'), signatures: of('signature') };
    return isSignedAsStandard(webhookKeysOf(secret), signed, raw, at);
  },
  read(body, headers) {
    if (textAt(body, 'metadata', 'name') !== EVENT) return NOTHING_TO_ASSESS;
    if (memberAt(body, 'user') === undefined) return undefined;
    const email = textAt(body, 'user', 'email');
    // A signup by phone, or an anonymous one.
    if (email === undefined) return NOTHING_TO_ASSESS;
    const ip = textAt(body, 'metadata', 'ip_address');
    return {
      signup: { email, ip, broughtBy: broughtByOf(body), userId: textAt(body, 'user', 'id') },
      deliveryId: headerOf(headers, 'webhook-id'),
    };
  },
  // Another status than 200 ends as a fault of the hook, which the user sees as such.
  reply: ({ answer }) => ({
    status: OK,
    body: answer === 'allow' ? {} : { error: { http_code: FORBIDDEN, message: DENIAL_MESSAGE } },
  }),
};

/** Members of the user that only the auth server writes. Members under `user_metadata` come from the person. */
function broughtByOf(body: unknown): BroughtBy | undefined {
  if (textAt(body, 'user', 'invited_at') !== undefined) return 'admin';
  // SAML and SCIM: the provider is `sso:` and the id of the connection.
  return textAt(body, 'user', 'app_metadata', 'provider')?.startsWith('sso:') ? 'directory' : undefined;
}
