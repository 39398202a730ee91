// Runs the Auth0 Action with the event that Auth0 documents. Its object `api` is a stand-in: only Auth0 has the real one.
import { createRequire } from 'node:module';
import { answerSignups } from './outcome.mjs';

const { onExecutePreUserRegistration } = createRequire(process.argv[2])('./action.js');
const { GATEHOUSE_URL, GATEHOUSE_KEY } = process.env;

await answerSignups(async ({ email, ip }) => {
  const outcome = { denied: null, marked: false };
  const api = {
    access: { deny: (_reason, userMessage) => (outcome.denied = userMessage) },
    user: { setAppMetadata: () => (outcome.marked = true) },
  };
  const event = {
    client: { client_id: 'iB4u3', name: 'Shop', metadata: {} },
    connection: { id: 'con_5f3', name: 'Username-Password-Authentication', strategy: 'auth0' },
    request: {
      body: {},
      geoip: { countryCode: 'GB' },
      ip,
      method: 'POST',
      language: 'en',
      user_agent: 'test',
    },
    secrets: { GATEHOUSE_URL, GATEHOUSE_KEY },
    tenant: { id: 'shop' },
    transaction: { requested_scopes: [], locale: 'en', ui_locales: [] },
    user: { email, user_metadata: {}, app_metadata: {} },
  };
  await onExecutePreUserRegistration(event, api);
  const bySms = { ...event, user: { phone_number: '+442079460000' } };
  await onExecutePreUserRegistration(bySms, {});
  return outcome;
});
