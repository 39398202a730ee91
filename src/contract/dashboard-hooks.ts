/** Messages of the dashboard's API about hooks: what auth providers call before they create a user. */
import type { HookAnswer, HookProvider } from '../model/hook.ts';
import type { KeyMode } from '../model/key-mode.ts';

export interface HookRow {
  readonly id: string;
  readonly provider: HookProvider;
  readonly name: string;
  readonly mode: KeyMode;
  /** Where the provider sends its requests, below the address of this service. */
  readonly path: string;
  /** Without a secret every request is refused. */
  readonly has_secret: boolean;
  /** Until when the old secret is valid beside the new one; `null` where there is none. */
  readonly old_secret_until: string | null;
  readonly challenge_as: HookAnswer;
  readonly on_error: HookAnswer;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export interface NewHookBody {
  readonly provider: HookProvider;
  readonly name: string;
  readonly mode: KeyMode;
  /** In the provider's own form; made unless it is sent, where the provider lets us make one. */
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
