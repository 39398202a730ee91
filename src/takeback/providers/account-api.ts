/** Decides the order in which an account is read, remembered and written, the same for each provider's API. */
import type { AccountBefore } from '../../model/account-provider.ts';
import type { AccountProvider, ProviderSettings } from '../provider.ts';
import type { ProviderCall } from './provider-call.ts';

/** Parts that each API is made of. */
export interface AccountApiOptions extends Pick<ProviderSettings, 'url' | 'secret' | 'clientId' | 'realm'> {
  readonly call: ProviderCall;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** `other`: the account is not any more what it was when it was read. */
export type Written = 'written' | 'missing' | 'other';

/** One provider's calls for one account. */
export interface AccountApi<State> {
  /** @returns `undefined` where nobody has this id */
  read(userId: string, signal: AbortSignal): Promise<State | undefined>;
  isHeld(state: State): boolean;
  /** Whether a held account is held by us. */
  isOurs(state: State, before: AccountBefore): boolean;
  toBefore(state: State): AccountBefore;
  hold(userId: string, account: KeptAccount<State>, signal: AbortSignal): Promise<Written>;
  release(userId: string, account: KeptAccount<State>, signal: AbortSignal): Promise<Written>;
  check(signal: AbortSignal): Promise<void>;
}

/** An account as it was read, and as it was before it was held. */
export interface KeptAccount<State> {
  readonly state: State;
  readonly before: AccountBefore;
}

export function createAccountProvider<State>(api: AccountApi<State>): AccountProvider {
  return {
    check: (signal) => api.check(signal),
    async hold(userId, remember, signal) {
      const state = await api.read(userId, signal);
      if (state === undefined) return { outcome: 'missing' };
      if (api.isHeld(state)) return { outcome: 'already' };
      const before = api.toBefore(state);
      await remember(before);
      const written = await api.hold(userId, { state, before }, signal);
      if (written === 'missing') return { outcome: 'missing' };
      return written === 'other' ? { outcome: 'already' } : { outcome: 'held', before };
    },
    async release(userId, before, signal) {
      const state = await api.read(userId, signal);
      if (state === undefined) return { outcome: 'missing' };
      if (!api.isHeld(state)) return { outcome: 'released' };
      if (!api.isOurs(state, before)) return { outcome: 'changed' };
      const written = await api.release(userId, { state, before }, signal);
      if (written === 'missing') return { outcome: 'missing' };
      return { outcome: written === 'other' ? 'changed' : 'released' };
    },
  };
}
