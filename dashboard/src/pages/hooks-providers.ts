/** What a person must do at each auth provider, in a sentence, and who makes the secret. */
import type { HookProvider } from '../../../src/model/hook.ts';

export interface ProviderGuide {
  readonly title: string;
  /** Place at the provider where the URL and the secret are entered. */
  readonly where: string;
  /** Name of the secret, where somebody enters one. */
  readonly secret: string;
  /** `gatehouse`: made unless one is entered. `provider`: shown by the provider after its URL is entered. `setting`: must be entered. */
  readonly secretBy: 'gatehouse' | 'provider' | 'setting';
}

export const PROVIDERS: Readonly<Record<HookProvider, ProviderGuide>> = {
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
};
