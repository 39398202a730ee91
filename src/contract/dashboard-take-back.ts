/** Messages of the dashboard's API about taking back: connections to providers, and jobs that hold accounts there. */
import type { ProviderKind } from '../model/account-provider.ts';
import type { AccountState, TakeBackPhase, TakeBackState } from '../model/take-back.ts';

export interface ConnectionRow {
  readonly id: string;
  readonly kind: ProviderKind;
  readonly name: string;
  readonly url: string;
  readonly client_id: string | null;
  readonly realm: string | null;
  /** Accounts that one second may begin with, at most. */
  readonly per_second: number;
  /** Whether the session id of a signup by key is its user id at the provider. */
  readonly session_is_user: boolean;
  readonly created_at: string;
  /** Send it with a change: it is refused if somebody else changed the connection meanwhile. */
  readonly version: string;
}

export interface ConnectionsPage {
  readonly connections: readonly ConnectionRow[];
}

export interface NewConnectionBody
  extends Pick<ConnectionRow, 'kind' | 'name' | 'url'>,
    Partial<Pick<ConnectionRow, 'client_id' | 'realm' | 'per_second' | 'session_is_user'>> {
  readonly secret: string;
}

/** Absent members do not change. Another URL needs the secret. */
export type ConnectionChangesBody = Partial<Omit<NewConnectionBody, 'kind'>>;

export interface ConnectionCheck {
  /** One line on what is wrong; `null`: it works. */
  readonly problem: string | null;
}

/** Max. signups that are chosen by their ids. */
export const MAX_CHOSEN_IDS = 1_500;

export interface TakeBackChoice {
  /** Filter of the page Signups; those of it that were let in. Either this or `request_ids`. */
  readonly filter?: Readonly<Record<string, string>> | undefined;
  readonly request_ids?: readonly string[] | undefined;
  /** `null`: the accounts are only listed, as a file and for destinations of events. */
  readonly connection_id: string | null;
  /** Whether those are taken back, too, whom somebody reported as good customers. */
  readonly include_good?: boolean | undefined;
  /** Instant of the newest signup that counts: as the preview answered it, so that nobody is added unseen. */
  readonly until?: string | undefined;
}

export interface TakeBackPreview {
  /** Signups whose accounts would be taken back, at most 5,000. */
  readonly total: number;
  /** Whether there are more. */
  readonly partial: boolean;
  /** The part of `total` whose user id is known. */
  readonly known: number;
  /** Signups that were let in and reported as good customers, and a few of them. They are a part of `total` only if that was asked for. */
  readonly good: number;
  readonly good_signups: readonly { readonly request_id: string; readonly email: string }[];
  /** The part of `total` that is reported as fraud. */
  readonly fraud: number;
  /** Name of the job. */
  readonly name: string;
  readonly until: string;
}

export interface TakeBackRow {
  readonly id: string;
  readonly name: string;
  readonly attack: string | null;
  readonly by: string;
  /** `null`: the accounts were only listed, or the connection was removed since. */
  readonly connection: string | null;
  /** Whether accounts are held at a provider: otherwise they are only listed. */
  readonly holds: boolean;
  readonly phase: TakeBackPhase;
  readonly state: TakeBackState;
  readonly problem: string | null;
  readonly total: number;
  readonly counts: Readonly<Record<AccountState, number>>;
  readonly created_at: string;
  readonly ended_at: string | null;
  /** Instant at which it goes on, while the provider wants a pause; `null`: now. */
  readonly waits_until: string | null;
  /** Instant until which it can be undone; `null`: not at all, or that was done. */
  readonly undo_until: string | null;
}

export interface TakeBackPage {
  /** Newest first. */
  readonly jobs: readonly TakeBackRow[];
}

export interface TakeBackDetails {
  readonly job: TakeBackRow;
  /** A few of those that were not held, or not released, with what went wrong. */
  readonly problems: readonly {
    readonly request_id: string;
    readonly user_id: string | null;
    readonly state: AccountState;
    readonly problem: string | null;
  }[];
}

/** User ids of signups that had none. */
export interface TakeBackIdsBody {
  readonly ids: readonly { readonly request_id: string; readonly user_id: string }[];
}

export interface TakeBackNamed {
  /** Accounts that got an id, and are held now. */
  readonly named: number;
}
