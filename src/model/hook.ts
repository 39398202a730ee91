/** A hook, which an auth provider calls before it creates a user, or a mail provider after a mail bounced; and these providers. */
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

/** Mail providers, which say what became of mails. */
export const MAIL_PROVIDERS = ['ses', 'postmark', 'resend', 'mailgun', 'sendgrid'] as const;
export type MailProvider = (typeof MAIL_PROVIDERS)[number];

export type HookSource = HookProvider | MailProvider;
export const HOOK_SOURCES: readonly HookSource[] = [...HOOK_PROVIDERS, ...MAIL_PROVIDERS];

export function isMailProvider(source: string): source is MailProvider {
  return (MAIL_PROVIDERS as readonly string[]).includes(source);
}

/** Auth providers know only these two answers. */
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
  readonly provider: HookSource;
  readonly name: string;
  /** `test`: answers come from the sandbox's fixtures. */
  readonly mode: KeyMode;
  readonly secrets: HookSecrets;
  /** Reach for the provider's keys: `anywhere` for URLs that the operator wrote. */
  readonly reach: 'anywhere' | 'public';
  /** Answer for the verdict `challenge`. Mail providers get none, neither this nor `onError`. */
  readonly challengeAs: HookAnswer;
  /** The answer when there is no verdict in time. */
  readonly onError: HookAnswer;
  /** Milliseconds since the epoch, like the others. */
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}
