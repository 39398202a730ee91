/** Events that an installation tells others, and the destinations that want them. */

/** Version of every message. It grows when a member changes its meaning or goes; members may be added within a version. */
export const EVENT_VERSION = 1;

/** Types that a destination can choose.  */
export const EVENT_TYPES = [
  'signup.assessed',
  'campaign.opened',
  'campaign.grew',
  'campaign.ended',
  'alert.opened',
  'alert.closed',
  'recall.found',
  'feedback.created',
  'list.changed',
  'key.changed',
  'takeback.accounts',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Verdicts that a destination of `signup.assessed` can choose. */
export const EVENT_VERDICTS = ['allow', 'challenge', 'block'] as const;
export type EventVerdict = (typeof EVENT_VERDICTS)[number];

/** Types that e-mail can get, which is for people: of the others, thousands may come in an hour. */
export const EMAIL_EVENT_TYPES: readonly EventType[] = [
  'campaign.opened',
  'campaign.grew',
  'campaign.ended',
  'alert.opened',
  'alert.closed',
  'recall.found',
  'key.changed',
];

/** Types of a new destination that chooses none: those on which somebody may have to act. */
export const USUAL_EVENT_TYPES: readonly EventType[] = ['campaign.opened', 'alert.opened', 'recall.found'];

/** `test` and `digest` are for one destination each: nobody chooses them. */
export type MessageType = EventType | 'test' | 'digest';

/** Something that happened, as whoever saw it writes it down. */
export interface NewEvent {
  /** Absent: it gets one. With one, it is stored once. */
  readonly id?: string;
  readonly accountId: string;
  readonly type: EventType;
  /** Id of what it is about: of a campaign, an alert, a recall, a signup, a list entry, a key, a job that takes back. Events of one object are told in order. */
  readonly object: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Members of the message in the form of the wire, with nothing of a person. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Verdict of a signup, which destinations choose by; absent for all else. */
  readonly verdict?: EventVerdict;
}

export interface StoredEvent {
  /** Grows; of one object in order of what happened. */
  readonly seq: number;
  readonly id: string;
  readonly accountId: string;
  readonly type: MessageType;
  readonly object: string;
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export const DESTINATION_KINDS = ['webhook', 'slack', 'email'] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

/** Why a destination is told nothing: somebody switched it off, it answered 410, or its e-mail address is nobody's of the account any more. */
export const DISABLED_REASONS = ['person', 'gone', 'left'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Encrypted. `previous` signs beside `current` before `until`, milliseconds since the epoch. */
export interface DestinationSecrets {
  readonly current: string | null;
  readonly previous: { readonly text: string; readonly until: number } | null;
}

export interface Destination {
  readonly id: string;
  readonly accountId: string;
  readonly kind: DestinationKind;
  readonly name: string;
  /** URL of a webhook; host of a Slack URL, which is the secret; address of e-mail. */
  readonly address: string;
  readonly types: readonly EventType[];
  /** Verdicts of `signup.assessed`. */
  readonly verdicts: readonly EventVerdict[];
  /** Hour of the account's day at which it gets a summary, 0 to 23; `null`: none. */
  readonly digestHour: number | null;
  readonly secrets: DestinationSecrets;
  /** Milliseconds since the epoch, like the others. */
  readonly createdAt: number;
  /** Signups from then on are told. */
  readonly since: number;
  readonly disabled: { readonly at: number; readonly reason: DisabledReason } | null;
}

/** `dropped`: there was nothing to tell any more, such as of a signup that was erased. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'dropped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** An event on its way to one destination, and the outcome of its last try. */
export interface Delivery {
  readonly event: StoredEvent;
  readonly destinationId: string;
  readonly state: DeliveryState;
  /** Tries that were begun. */
  readonly tries: number;
  /** Milliseconds since the epoch, like the others; 0: at once. */
  readonly nextAt: number;
  /** No try begins after it. */
  readonly until: number;
  readonly triedAt: number | null;
  /** Status of its answer; `null` without one. */
  readonly status: number | null;
  /** One line on what went wrong. */
  readonly problem: string | null;
}

/** Body of a webhook. */
export interface EventMessage {
  readonly id: string;
  readonly type: MessageType;
  readonly version: number;
  readonly timestamp: string;
  readonly account_id: string;
  readonly object: string;
  readonly data: Readonly<Record<string, unknown>>;
}
