/** The caller that sends a signup: a key, a hook or the dashboard, with the limits and settings of its account. */
import type { HookCaller } from '../accounts/directory.ts';
import type { Limits } from '../accounts/plans.ts';
import { MAX_SHARE } from '../model/enforced-share.ts';
import type { Thresholds, WeightSet } from '../model/policy.ts';
import type { Account, Key } from '../store/store.ts';

export interface SignupCaller {
  readonly account: Pick<Account, 'id'>;
  /** Key of the caller. People for whom it does not enforce get `allow`, whatever the verdict is. */
  readonly key: Pick<Key, 'id' | 'mode' | 'enforcedShare'>;
  readonly limits: Limits;
  readonly thresholds: Thresholds;
  /** The account's own weights; `null`: the defaults. */
  readonly policy: WeightSet | null;
}

/** A hook has no shadow mode: its settings say how a verdict is answered. */
export function callerOfHook({ hook, account, limits, thresholds, policy }: HookCaller): SignupCaller {
  const key = { id: hook.id, mode: hook.mode, enforcedShare: MAX_SHARE };
  return { account, key, limits, thresholds, policy };
}
