// Runs the function of the real firebase-functions with the event that Firebase documents; only Google can sign a request to it.
import { createRequire } from 'node:module';
import { answerSignups } from './outcome.mjs';

process.env.GCLOUD_PROJECT = 'shop';
const load = createRequire(process.argv[2]);
const { protectSignup } = load('./index.js');
const { HttpsError } = load('firebase-functions/v2/identity');
let events = 0;

await answerSignups(async ({ email, ip }) => {
  const event = {
    eventId: `gcip-${++events}`,
    eventType: 'providers/cloud.auth/eventTypes/user.beforeCreate:password',
    authType: 'UNAUTHENTICATED',
    resource: { service: 'identitytoolkit.googleapis.com', name: 'projects/shop' },
    timestamp: 'Sun, 10 May 2026 10:14:33 GMT',
    locale: 'en',
    ipAddress: ip,
    userAgent: 'test',
    additionalUserInfo: { providerId: 'password', isNewUser: true },
    params: {},
    data: { uid: 'u1', email, emailVerified: false, disabled: false },
  };
  await protectSignup.run({ ...event, data: { uid: 'u2', phoneNumber: '+442079460000' } });
  try {
    const changes = await protectSignup.run(event);
    return { denied: null, marked: changes?.customClaims?.gatehouse === 'challenge' };
  } catch (error) {
    if (!(error instanceof HttpsError) || !['permission-denied', 'invalid-argument'].includes(error.code))
      throw error;
    return { denied: error.message, marked: false };
  }
});
