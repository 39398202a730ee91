/** An Auth0 Action for the trigger Pre User Registration: Gatehouse decides before the user is created. */
const { Gatehouse } = require('gatehouse-client');

/**
 * @param {any} event
 * @param {any} api
 */
exports.onExecutePreUserRegistration = async (event, api) => {
  // A passwordless signup by text message has no email.
  if (!event.user.email) return;
  const gatehouse = new Gatehouse({ url: event.secrets.GATEHOUSE_URL, key: event.secrets.GATEHOUSE_KEY });
  const { decision, assessment, mailUnwanted } = await gatehouse.protectSignup(
    { headers: {} },
    { email: event.user.email, ip: event.request.ip },
  );
  if (decision === 'invalid')
    api.access.deny('Gatehouse: no email address', 'Please check the email address.');
  // Auth0 mails every new user, who may be a stranger.
  if (decision === 'block' || mailUnwanted) {
    const reference = assessment?.request_id ?? 'none';
    api.access.deny(
      `Gatehouse blocked ${reference}`,
      `We cannot create this account. Reference: ${reference}`,
    );
  }
  // Later Actions and your application find it in the user's app_metadata.
  if (decision === 'challenge') api.user.setAppMetadata('gatehouse', 'challenge');
};
