/** Okta: the registration inline hook, which sends a secret header. */
import { hasHeaderValue } from './hooks-kratos.ts';
import { memberAt, textAt } from './hooks-members.ts';
import {
  DENIAL_CODE,
  DENIAL_MESSAGE,
  type HookProviderContract,
  NOTHING_TO_ASSESS,
  OK,
} from './hooks-provider.ts';

const EVENT = 'com.okta.user.pre-registration';
const SELF_SERVICE = 'self.service.registration';

export const okta: HookProviderContract = {
  verify: ({ headers }, secret) => hasHeaderValue(headers.authorization, secret),
  read(body) {
    if (textAt(body, 'eventType') !== EVENT) return NOTHING_TO_ASSESS;
    const requestType = textAt(body, 'requestType') ?? SELF_SERVICE;
    // The same event also comes when a user completes a profile.
    if (requestType !== SELF_SERVICE) return NOTHING_TO_ASSESS;
    const profile = memberAt(body, 'data', 'userProfile');
    const email = textAt(profile, 'email') ?? textAt(profile, 'login');
    if (email === undefined) return undefined;
    const ip = textAt(body, 'data', 'context', 'request', 'ipAddress');
    return { signup: { email, ip }, deliveryId: textAt(body, 'eventId') };
  },
  reply: ({ answer }) => ({ status: OK, body: answer === 'allow' ? {} : DENIAL }),
};

const DENIAL = {
  commands: [{ type: 'com.okta.action.update', value: { registration: 'DENY' } }],
  error: {
    errorSummary: DENIAL_MESSAGE,
    errorCauses: [
      {
        errorSummary: DENIAL_MESSAGE,
        reason: DENIAL_CODE,
        locationType: 'body',
        location: 'data.userProfile.email',
        domain: 'end-user',
      },
    ],
  },
};
