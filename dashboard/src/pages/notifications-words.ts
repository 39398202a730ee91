/** Words for destinations of notifications: their kinds, the events they can get, and how they do. */
import type { DestinationRow } from '../../../src/contract/dashboard-destinations.ts';
import {
  type DeliveryState,
  type DestinationKind,
  EMAIL_EVENT_TYPES,
  EVENT_TYPES,
  type EventType,
  type MessageType,
} from '../../../src/model/event.ts';

export const KINDS: Readonly<Record<DestinationKind, string>> = {
  webhook: 'Webhook',
  slack: 'Slack',
  email: 'E-mail',
};

const TYPES: Readonly<Record<EventType, string>> = {
  'signup.assessed': 'A signup was assessed',
  'campaign.opened': 'A wave began',
  'campaign.grew': 'A wave has doubled',
  'campaign.ended': 'A wave ended',
  'alert.opened': 'Something is unusual',
  'alert.closed': 'It is back to normal',
  'recall.found': 'People who got in would be stopped now',
  'feedback.created': 'A signup was reported',
  'list.changed': 'A list changed',
  'key.changed': 'A key changed',
  'takeback.accounts': 'Accounts are taken back',
};
const DIRECT: Readonly<Record<Exclude<MessageType, EventType>, string>> = {
  test: 'Test message',
  digest: 'Daily summary',
};

/** @param type as the log of deliveries has it; a newer service may know more */
export function typeWord(type: string): string {
  return { ...TYPES, ...DIRECT }[type as MessageType] ?? type;
}

export function typesOf(kind: DestinationKind): readonly EventType[] {
  return kind === 'email' ? EMAIL_EVENT_TYPES : EVENT_TYPES;
}

export const DELIVERY_WORDS: Readonly<Record<DeliveryState, string>> = {
  pending: 'Waiting',
  delivered: 'Delivered',
  failed: 'Given up',
  dropped: 'Nothing to tell',
};

export interface DestinationState {
  readonly word: string;
  readonly tone: 'fine' | 'bad' | 'off';
  readonly why: string;
}

export function stateOf({ kind, disabled_reason, last }: DestinationRow): DestinationState {
  switch (disabled_reason) {
    case 'person':
      return { word: 'Paused', tone: 'off', why: 'Somebody paused it. Nothing is sent.' };
    case 'gone':
      return { word: 'Stopped', tone: 'bad', why: 'It answered 410 Gone. Resume it when it works again.' };
    case 'left':
      return { word: 'Stopped', tone: 'bad', why: 'Nobody in this account has the address any more.' };
    default:
  }
  if (last === null) return { word: 'Active', tone: 'fine', why: 'Nothing was sent yet.' };
  const works = last.state === 'delivered' || last.state === 'dropped';
  if (works) return { word: 'Active', tone: 'fine', why: 'The last message arrived.' };
  const what = kind === 'email' ? 'The last message could not be sent' : 'The last message was not taken';
  return { word: 'Failing', tone: 'bad', why: `${what}: ${last.problem ?? 'no reason is known'}.` };
}

/** `9 events`, `2 events, summary at 08:00` */
export function contentOf({ types, digest_hour: hour }: DestinationRow): string {
  const events = types.length === 0 ? [] : [`${types.length} ${types.length === 1 ? 'event' : 'events'}`];
  const digest = hour === null ? [] : [`summary at ${hourWord(hour)}`];
  return [...events, ...digest].join(', ') || 'nothing';
}

export function hourWord(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
