/** Creates, rotates and revokes hooks, for pages and the command line: the secret is shown once and stored encrypted. */
import type { MakeId } from '../contract/identifiers.ts';
import { type Hook, type HookAnswer, type HookSource, isMailProvider } from '../model/hook.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { MakeAuditEntry } from '../store/audit-store.ts';
import type { HookStore } from '../store/hook-store.ts';
import { SECRET_FORMS } from './hook-secrets.ts';
import type { SecretBox } from './secret-box.ts';

export interface NewHook {
  readonly accountId: string;
  readonly provider: HookSource;
  readonly name: string;
  readonly mode: KeyMode;
  /** Secret in the provider's own form. Default: a new one, where Gatehouse can make it. */
  readonly secret?: string | undefined;
  /** `anywhere` only if an operator wrote the secret, because a secret may be a URL to fetch. */
  readonly reach: Hook['reach'];
  readonly challengeAs: HookAnswer;
  readonly onError: HookAnswer;
}

export interface HookRotation {
  readonly secret?: string | undefined;
  readonly reach: Hook['reach'];
  /** Whether the old secret is refused at once, as after a leak. Otherwise it stays valid for a day. */
  readonly atOnce: boolean;
}

/** `secret`: to be shown once; `null` if the hook has none yet, because the provider makes it. */
export interface HookWithSecret {
  readonly hook: Hook;
  readonly secret: string | null;
}

/** Hooks are read from the directory, or from the store's `changesSince`. `now`: milliseconds since the epoch. */
export interface HookAdmin {
  /** @throws InvalidHookSecret */
  create(hook: NewHook, now: number, audit: MakeAuditEntry): Promise<HookWithSecret>;
  /**
   * Also refuses the old secret at once if it may be a URL from the dashboard and an operator replaces it.
   * @throws InvalidHookSecret, also where only the provider can make the secret and none is set
   */
  rotate(hook: Hook, rotation: HookRotation, now: number, audit: MakeAuditEntry): Promise<HookWithSecret>;
  /** A revoked hook is returned unchanged. */
  revoke(hook: Hook, now: number, audit: MakeAuditEntry): Promise<Hook>;
}

export interface HookAdminOptions {
  readonly store: Pick<HookStore, 'saveHook' | 'changeHook'>;
  readonly box: SecretBox;
  readonly makeId: MakeId;
}

/** Time that the old secret is valid beside the new one. */
const SECRET_OVERLAP_MS = 86_400_000;

/** Providers whose secrets may be URLs to fetch keys from. */
const KEYS_BY_URL: readonly HookSource[] = ['entra', 'neon', 'fusionauth', 'ses'];

/** The message says what a secret of this provider is. */
export class InvalidHookSecret extends Error {}

export function createHookAdmin({ store, box, makeId }: HookAdminOptions): HookAdmin {
  return {
    async create({ secret: chosen, ...settings }, now, audit) {
      const id = makeId('hk', now);
      const secret = chosen ?? SECRET_FORMS[settings.provider].make?.() ?? null;
      if (secret !== null) requireValid(settings.provider, secret);
      const hook: Hook = {
        ...settings,
        id,
        secrets: { current: secret === null ? null : box.encrypt(secret, id), previous: null },
        createdAt: now,
        lastUsedAt: null,
        revokedAt: null,
      };
      const detail = isMailProvider(hook.provider)
        ? ''
        : `challenge as ${hook.challengeAs}, on error ${hook.onError}`;
      await store.saveHook(hook, audit('hook.create', describeHook(hook), detail));
      return { hook, secret };
    },
    async rotate(hook, { secret: chosen, reach, atOnce }, now, audit) {
      const secret = chosen ?? SECRET_FORMS[hook.provider].make?.();
      if (secret === undefined) throw invalidSecret(hook.provider);
      requireValid(hook.provider, secret);
      const { current: old } = hook.secrets;
      const isRefused = atOnce || wouldReachFurther(hook, reach);
      const previous = old === null || isRefused ? null : { text: old, until: now + SECRET_OVERLAP_MS };
      const secrets = { current: box.encrypt(secret, hook.id), previous };
      const detail =
        old === null ? 'first secret' : isRefused ? 'old secret refused' : 'old secret valid for a day';
      await store.changeHook(hook.id, { secrets, reach }, audit('hook.rotate', describeHook(hook), detail));
      return { hook: { ...hook, secrets, reach }, secret };
    },
    async revoke(hook, now, audit) {
      if (hook.revokedAt !== null) return hook;
      await store.changeHook(hook.id, { revokedAt: now }, audit('hook.revoke', describeHook(hook), ''));
      return { ...hook, revokedAt: now };
    },
  };
}

/** Path that the provider is to send its requests to. */
export function hookPath({ provider, id }: Pick<Hook, 'provider' | 'id'>): string {
  return `/hooks/${provider}/${id}`;
}

/** Both secrets are used with the new reach: a URL that somebody entered in the dashboard must not lead inside for a day. */
function wouldReachFurther({ provider, reach: old }: Hook, reach: Hook['reach']): boolean {
  return old === 'public' && reach === 'anywhere' && KEYS_BY_URL.includes(provider);
}

/** `sandbox supabase hook signup form`, as keys are called. */
function describeHook({ mode, provider, name }: Hook): string {
  return `${mode === 'test' ? 'sandbox ' : ''}${provider} hook ${name}`;
}

function requireValid(provider: HookSource, secret: string): void {
  if (!SECRET_FORMS[provider].isValid(secret)) throw invalidSecret(provider);
}

function invalidSecret(provider: HookSource): InvalidHookSecret {
  return new InvalidHookSecret(
    `the secret of this hook (${provider}) is ${SECRET_FORMS[provider].description}`,
  );
}
