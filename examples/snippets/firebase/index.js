/** A blocking function of Firebase Authentication: Gatehouse decides before the user is created. */
const { defineSecret } = require('firebase-functions/params');
const { beforeUserCreated, HttpsError } = require('firebase-functions/v2/identity');
const { Gatehouse } = require('gatehouse-client');

const key = defineSecret('GATEHOUSE_KEY');
/** @type {Gatehouse | undefined} */
let gatehouse;

exports.protectSignup = beforeUserCreated({ secrets: [key] }, async (event) => {
  const email = event.data?.email;
  // A signup by phone has no email.
  if (!email) return;
  // Made by the first signup, because secrets are not known before.
  gatehouse ??= new Gatehouse({ url: process.env.GATEHOUSE_URL ?? '', key: key.value() });
  const { decision, assessment, mailUnwanted } = await gatehouse.protectSignup(
    { headers: {} },
    { email, ip: event.ipAddress, idempotencyKey: event.eventId },
  );
  if (decision === 'invalid') throw new HttpsError('invalid-argument', 'Please check the email address.');
  // A page that mails every new user would mail a stranger.
  if (decision === 'block' || mailUnwanted)
    throw new HttpsError(
      'permission-denied',
      `We cannot create this account. Reference: ${assessment?.request_id ?? 'none'}`,
    );
  // Security rules and your application find it in the user's token.
  if (decision === 'challenge') return { customClaims: { gatehouse: 'challenge' } };
});
