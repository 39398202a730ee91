/** Messages of the dashboard's API about hooks: what auth providers call before they create a user. */
import type { HookAnswer, HookSource } from '../model/hook.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { ManageHook } from './manage-messages.ts';

export interface HookRow extends Omit<ManageHook, 'account_id'> {
  /** Send it with a change: it is refused if somebody else changed the hook meanwhile. */
  readonly version: string;
}

export interface NewHookBody {
  readonly provider: HookSource;
  readonly name: string;
  readonly mode: KeyMode;
  /** Secret in the provider's own form; made unless it is sent, where the provider lets us make one. */
  readonly secret?: string | undefined;
  readonly challenge_as: HookAnswer;
  readonly on_error: HookAnswer;
}

export interface HookRotationBody {
  readonly secret?: string | undefined;
  /** Refuses the old secret from now on; otherwise it is valid for another day. */
  readonly at_once?: boolean | undefined;
}

/** The only answer that ever holds a hook's secret; `null` where only the provider can tell it. */
export interface HookSecret {
  readonly hook: HookRow;
  readonly secret: string | null;
}
