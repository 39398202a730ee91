/** Providers of accounts: systems that keep the people of an application, and can hold one of them. */

export const PROVIDER_KINDS = ['better-auth', 'kratos', 'supabase', 'auth0', 'keycloak'] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** State to write so that an account is again what it was, as its provider spells it. */
export type AccountBefore = Readonly<Record<string, string | number | boolean | null>>;
