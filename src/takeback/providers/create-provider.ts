/** Decides which API an account provider speaks. */
import type { AccountProvider, ProviderSettings } from '../provider.ts';
import { createAccountProvider } from './account-api.ts';
import { createAuth0Api } from './auth0.ts';
import { createBetterAuthApi } from './better-auth.ts';
import { createKeycloakApi } from './keycloak.ts';
import { createKratosApi } from './kratos.ts';
import { createProviderCall, type ProviderCallOptions } from './provider-call.ts';
import { createSupabaseApi } from './supabase.ts';

export function createProvider(settings: ProviderSettings, options: ProviderCallOptions): AccountProvider {
  const parts = { ...settings, call: createProviderCall(options), clock: options.clock };
  switch (settings.kind) {
    case 'better-auth':
      return createAccountProvider(createBetterAuthApi(parts));
    case 'kratos':
      return createAccountProvider(createKratosApi(parts));
    case 'supabase':
      return createAccountProvider(createSupabaseApi(parts));
    case 'auth0':
      return createAccountProvider(createAuth0Api(parts));
    case 'keycloak':
      return createAccountProvider(createKeycloakApi(parts));
  }
}
