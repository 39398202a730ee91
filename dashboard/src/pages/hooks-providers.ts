/** Steps at each auth or mail provider, in a sentence, and who makes the secret. */
import type { HookSource } from '../../../src/model/hook.ts';

export interface ProviderGuide {
  readonly title: string;
  /** Place at the provider where the URL and the secret are entered. */
  readonly where: string;
  /** Name of the secret, where somebody enters one. */
  readonly secret: string;
  /** `gatehouse`: made unless one is entered. `provider`: shown by the provider after its URL is entered. `setting`: must be entered. */
  readonly secretBy: 'gatehouse' | 'provider' | 'setting';
  /** It reports bounces and complaints, and is answered nothing. */
  readonly isMail?: true;
}

export const PROVIDERS: Readonly<Record<HookSource, ProviderGuide>> = {
  supabase: {
    title: 'Supabase',
    where: 'Authentication → Hooks → Before User Created, type HTTPS: enter the URL and the secret.',
    secret: 'The secret that Supabase shows: v1,whsec_ and base64.',
    secretBy: 'gatehouse',
  },
  kratos: {
    title: 'Ory Kratos',
    where:
      'Add a web_hook after registration to kratos.yml with the URL, response.parse: true, and the secret as the value of the header Authorization.',
    secret: 'The value of the header Authorization, 16 characters or more.',
    secretBy: 'gatehouse',
  },
  workos: {
    title: 'WorkOS',
    where: 'Authentication → Actions → User registration: enter the URL.',
    secret: 'The signing secret that WorkOS shows.',
    secretBy: 'provider',
  },
  okta: {
    title: 'Okta',
    where:
      'Workflow → Inline Hooks → Registration: enter the URL, the authentication field Authorization, and the secret.',
    secret: 'The value of the header Authorization, 16 characters or more.',
    secretBy: 'gatehouse',
  },
  entra: {
    title: 'Entra External ID',
    where:
      'Create a custom authentication extension for AttributeCollectionSubmit with the URL, and choose the application below for its authentication.',
    secret: 'tenant=ID audience=ID: the tenant, and the application that the extension authenticates with.',
    secretBy: 'setting',
  },
  neon: {
    title: 'Neon Auth',
    where: "Set webhook_url to the URL with Neon's API, and enabled_events to user.before_create.",
    secret: "The URL of the project's public keys, which ends with /.well-known/jwks.json.",
    secretBy: 'setting',
  },
  zitadel: {
    title: 'Zitadel',
    where:
      'Create a target of type webhook with the URL and interruptOnError, and an execution on the request AddHumanUser with it.',
    secret: 'The signing key that Zitadel answers with.',
    secretBy: 'provider',
  },
  fusionauth: {
    title: 'FusionAuth',
    where:
      'Settings → Webhooks: enter the URL, turn on user.create as a transaction, and sign with an HMAC key whose text is the secret.',
    secret: "The text of the HMAC key, or the URL of FusionAuth's public keys.",
    secretBy: 'gatehouse',
  },
  ses: {
    title: 'Amazon SES',
    where:
      'Let SES publish bounces and complaints to an SNS topic, and subscribe the URL to the topic with the protocol HTTPS, without raw message delivery. Gatehouse confirms the subscription.',
    secret: 'topic=ARN: the ARN of the SNS topic. Messages of other topics are rejected.',
    secretBy: 'setting',
    isMail: true,
  },
  postmark: {
    title: 'Postmark',
    where:
      'Servers → Webhooks: enter the URL with Bounce and Spam complaint, and Basic auth with any user name and the secret as the password.',
    secret: 'The password of Basic auth: 16 letters and digits or more.',
    secretBy: 'gatehouse',
    isMail: true,
  },
  resend: {
    title: 'Resend',
    where: 'Webhooks → Add webhook: enter the URL, with email.bounced and email.complained.',
    secret: 'The signing secret that Resend shows: whsec_ and base64.',
    secretBy: 'provider',
    isMail: true,
  },
  mailgun: {
    title: 'Mailgun',
    where: 'Sending → Webhooks: add the URL for permanent failures and for spam complaints.',
    secret: 'The HTTP webhook signing key.',
    secretBy: 'setting',
    isMail: true,
  },
  sendgrid: {
    title: 'SendGrid',
    where:
      'Settings → Mail Settings → Event Webhook: enter the URL with Bounced, Dropped and Spam reports, and turn on the signature verification.',
    secret: 'The verification key that SendGrid shows once the signature is on.',
    secretBy: 'provider',
    isMail: true,
  },
};
