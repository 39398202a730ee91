/** Decides which account at a provider a signup became. */
import type { HookSource } from '../model/hook.ts';
import type { ProviderConnection } from '../model/take-back.ts';
import type { HistoryEntry } from '../store/history-store.ts';

/** Provider of a hook of the account; `undefined`: it is none of its hooks. */
export type FindHookProvider = (keyId: string) => HookSource | undefined;

/**
 * A hook that learns the user id stores it as the session of the signup. The owner of the connection says whether the session
 * of signups by key is the user id: no request has another place for it.
 * @returns `null` where no id is known
 */
export function userIdOf(
  { keyId, sessionId }: Pick<HistoryEntry, 'keyId' | 'sessionId'>,
  { kind, isSessionUser }: Pick<ProviderConnection, 'kind' | 'isSessionUser'>,
  hookProviderOf: FindHookProvider,
): string | null {
  if (sessionId === null || sessionId === '') return null;
  const provider = hookProviderOf(keyId);
  if (provider !== undefined) return provider === kind ? sessionId : null;
  return isSessionUser ? sessionId : null;
}
