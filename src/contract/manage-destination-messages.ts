/** Messages of the management API about destinations of events, and about what was delivered. */
import { type Static, Type } from 'typebox';
import {
  DELIVERY_STATES,
  DESTINATION_KINDS,
  DISABLED_REASONS,
  EVENT_TYPES,
  EVENT_VERDICTS,
} from '../model/event.ts';
import { count, flag, instant, instantOrNull, listOf, oneOf, orNull, text } from './manage-parts.ts';

const NAME = 'Its name: 1 to 100 printable characters.';
const URL_MEANING =
  'Address for messages: the URL of a webhook, the URL of an incoming webhook of Slack, or `mailto:` and the address of a person of the account. Answers leave out the URL of Slack, which is a secret.';
const EVENTS = 'Events that it gets.';
const VERDICTS = 'Verdicts of `signup.assessed` that it gets.';
const hour = orNull(
  Type.Integer({ minimum: 0, maximum: 23 }),
  'Hour of the account’s day at which e-mail brings a summary, where something needs a person; null: it brings none.',
);
const eventTypes = Type.Array(oneOf(EVENT_TYPES, 'A type of event.'), {
  uniqueItems: true,
  description: EVENTS,
});
const eventVerdicts = Type.Array(oneOf(EVENT_VERDICTS, 'A verdict.'), {
  uniqueItems: true,
  description: VERDICTS,
});

export const ManageDestinationRequest = Type.Object(
  {
    kind: oneOf(
      DESTINATION_KINDS,
      '`webhook`: signed messages for programs. `slack`, `email`: sentences for people.',
    ),
    name: text(NAME),
    url: Type.String({ maxLength: 2_000, description: URL_MEANING }),
    types: eventTypes,
    verdicts: Type.Optional(eventVerdicts),
    digest_hour: Type.Optional(hour),
  },
  { title: 'ManageDestinationRequest', description: 'Without `verdicts`: challenge and block.' },
);
export const ManageDestinationChanges = Type.Object(
  {
    name: Type.Optional(text(NAME)),
    url: Type.Optional(Type.String({ maxLength: 2_000, description: URL_MEANING })),
    types: Type.Optional(eventTypes),
    verdicts: Type.Optional(eventVerdicts),
    digest_hour: Type.Optional(hour),
    enabled: Type.Optional(
      flag('Whether it gets anything. What happens while it is disabled is never told.'),
    ),
  },
  { title: 'ManageDestinationChanges', description: 'Members that are absent do not change.' },
);
export const ManageDestinationRotation = Type.Object(
  {
    at_once: Type.Optional(
      flag('Whether the old secret ends at once. Default: messages have both signatures for a day.'),
    ),
  },
  { title: 'ManageDestinationRotation' },
);
const destination = {
  id: Type.String({ pattern: '^dst_', description: 'Id of the destination.' }),
  account_id: text('Id of its account.'),
  kind: oneOf(DESTINATION_KINDS, 'Kind of its messages.'),
  name: text('Its name.'),
  address: text('URL of a webhook; of Slack, its host alone; address of e-mail.'),
  types: eventTypes,
  verdicts: eventVerdicts,
  digest_hour: hour,
  old_secret_until: instantOrNull('Until when the old secret signs as well; null: there is none.'),
  created_at: instant('When it was created, UTC.'),
  disabled_at: instantOrNull('Since when it gets nothing; null: it is enabled.'),
  disabled_reason: orNull(
    oneOf(DISABLED_REASONS, 'Why.'),
    'Why it gets nothing; `gone`: it answered 410; `left`: the address is nobody’s of the account; null: it is enabled.',
  ),
};
export const ManageDestination = Type.Object(destination, { title: 'ManageDestination' });
export const ManageDestinationSecret = Type.Object(
  {
    ...destination,
    secret: orNull(
      Type.String(),
      'The secret, `whsec_…`. No other answer contains it; null: Slack and e-mail have none.',
    ),
  },
  { title: 'ManageDestinationSecret' },
);
export const ManageDestinationList = listOf('ManageDestinationList', ManageDestination);
export const ManageDestinationTest = Type.Object(
  {
    delivered: flag('Whether the test message was taken.'),
    status: orNull(
      Type.Integer(),
      'HTTP status of its answer, or code of the mail server’s; null: it gave none.',
    ),
    problem: orNull(Type.String(), 'What went wrong, in one line; null: nothing.'),
  },
  { title: 'ManageDestinationTest' },
);
export const ManageDelivery = Type.Object(
  {
    event_id: Type.String({ pattern: '^evt_', description: 'Id of the event, the header `webhook-id`.' }),
    type: text('Type of the event; `test`: a test message, `digest`: a daily summary.'),
    object: text('What the event is about.'),
    happened_at: instant('When it happened, UTC.'),
    state: oneOf(
      DELIVERY_STATES,
      '`pending`: to be tried. `failed`: given up after a day. `dropped`: there is nothing to tell any more.',
    ),
    tries: count('Tries that were begun.'),
    tried_at: instantOrNull('When the last try ended, UTC; null: none did.'),
    next_try_at: instantOrNull('When it is tried again, UTC; null: at once, or never.'),
    status: orNull(
      Type.Integer(),
      'HTTP status of the last answer, or code of the mail server’s; null: there was none.',
    ),
    problem: orNull(Type.String(), 'What went wrong in the last try; null: nothing.'),
  },
  { title: 'ManageDelivery' },
);
export const ManageDeliveryList = listOf('ManageDeliveryList', ManageDelivery);
export const ManageReplay = Type.Object(
  {
    event_id: text('Id of the event.'),
    state: oneOf(['pending'], 'It is sent again at once, and tried for another day.'),
  },
  { title: 'ManageReplay' },
);

export type ManageDestinationRequest = Static<typeof ManageDestinationRequest>;
export type ManageDestinationChanges = Static<typeof ManageDestinationChanges>;
export type ManageDestinationRotation = Static<typeof ManageDestinationRotation>;
export type ManageDestination = Static<typeof ManageDestination>;
export type ManageDestinationSecret = Static<typeof ManageDestinationSecret>;
export type ManageDestinationTest = Static<typeof ManageDestinationTest>;
export type ManageDelivery = Static<typeof ManageDelivery>;
export type ManageReplay = Static<typeof ManageReplay>;
