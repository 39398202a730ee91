// Runs the Lambda with the event that Cognito documents, from an app client of the own server.
import { strict as assert } from 'node:assert';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { answerSignups } from './outcome.mjs';

process.env.SERVER_CLIENT_ID = 'server';
const { handler } = await import(pathToFileURL(createRequire(process.argv[2]).resolve('./index.mjs')));

await answerSignups(async ({ email, ip }) => {
  const event = {
    version: '1',
    triggerSource: 'PreSignUp_SignUp',
    region: 'eu-west-1',
    userPoolId: 'eu-west-1_Shop',
    userName: 'b1946ac9',
    callerContext: { awsSdkVersion: 'aws-sdk-js-3', clientId: 'server' },
    request: { userAttributes: { email }, validationData: null, clientMetadata: { ip } },
    response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
  };
  const byAdministrator = { ...event, triggerSource: 'PreSignUp_AdminCreateUser' };
  assert.equal(await handler(byAdministrator), byAdministrator);
  try {
    assert.equal(await handler(event), event);
    return { denied: null, marked: false };
  } catch (error) {
    return { denied: error.message, marked: false };
  }
});
