/** A Lambda for Cognito's trigger PreSignUp: Gatehouse decides before the user is created. */
import { Gatehouse } from 'gatehouse-client';

const gatehouse = new Gatehouse({
  url: process.env.GATEHOUSE_URL ?? '',
  key: process.env.GATEHOUSE_KEY ?? '',
});

/** @param {import('aws-lambda').PreSignUpTriggerEvent} event */
export const handler = async (event) => {
  const { userAttributes, clientMetadata } = event.request;
  // Users whom an administrator creates, or who have a phone number only.
  if (event.triggerSource === 'PreSignUp_AdminCreateUser' || !userAttributes.email) return event;
  // Cognito does not tell the visitor's IP. Only your own server is believed: a browser could send any.
  const isOwnServer = event.callerContext.clientId === process.env.SERVER_CLIENT_ID;
  const { decision, assessment, mailUnwanted } = await gatehouse.protectSignup(
    { headers: {} },
    { email: userAttributes.email, ip: (isOwnServer && clientMetadata?.ip) || null },
  );
  if (decision === 'invalid') throw new Error('Please check the email address.');
  // Cognito mails every new user, who may be a stranger.
  if (decision === 'block' || mailUnwanted)
    throw new Error(`We cannot create this account. Reference: ${assessment?.request_id ?? 'none'}`);
  // Cognito itself confirms the address by a code, unless another part of yours skips that.
  if (decision === 'challenge') event.response.autoConfirmUser = false;
  return event;
};
