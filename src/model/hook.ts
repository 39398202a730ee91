/** A hook, which an auth provider calls before it creates a user, and the providers that Gatehouse answers. */
import type { KeyMode } from './key-mode.ts';

export const HOOK_PROVIDERS = [
  'supabase',
  'kratos',
  'workos',
  'okta',
  'entra',
  'neon',
  'zitadel',
  'fusionauth',
] as const;

export type HookProvider = (typeof HOOK_PROVIDERS)[number];

/** Providers know only these two answers. */
export type HookAnswer = 'allow' | 'deny';

/** `previous` stays valid beside `current` for a while, so that no signup is refused before the provider has the new one. */
export interface HookSecrets {
  /** Encrypted; `null` until the provider's secret is known. */
  readonly current: string | null;
  /** Encrypted, and valid before `until`, milliseconds since the epoch; `null` where there is none. */
  readonly previous: { readonly text: string; readonly until: number } | null;
}

export interface Hook {
  readonly id: string;
  readonly accountId: string;
  readonly provider: HookProvider;
  readonly name: string;
  /** `test`: answers come from the sandbox's fixtures. */
  readonly mode: KeyMode;
  readonly secrets: HookSecrets;
  /** Reach for the provider's keys: `anywhere` for URLs that the operator wrote. */
  readonly reach: 'anywhere' | 'public';
  readonly challengeAs: HookAnswer;
  /** The answer when there is no verdict in time. */
  readonly onError: HookAnswer;
  /** Milliseconds since the epoch, like the others. */
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}
