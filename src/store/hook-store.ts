/** The port for hooks: what auth providers may call, with their secrets encrypted. */
import type { Hook, HookSecrets } from '../model/hook.ts';
import type { AuditEntries } from './audit-store.ts';

/** Changes of a hook; absent members do not change. A revocation stays: its time can be set once. */
export interface HookChanges {
  readonly secrets?: HookSecrets | undefined;
  readonly reach?: Hook['reach'] | undefined;
  readonly revokedAt?: number | undefined;
}

/** Changes are changes of the directory. */
export interface HookStore {
  /** Stores a new hook of an account, which must exist. */
  saveHook(hook: Hook, ...audit: AuditEntries): Promise<void>;
  /** Saves a hook, unless the account has a valid hook of its provider and mode with its name. @returns whether it did */
  saveHookOnce(hook: Hook, ...audit: AuditEntries): Promise<boolean>;
  /** Writes only what `changes` names. Nothing happens where there is no such hook. */
  changeHook(id: string, changes: HookChanges, ...audit: AuditEntries): Promise<void>;
}
