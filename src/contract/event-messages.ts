/** Messages of webhooks: one schema for the message of each type of event, and its place in OpenAPI. */
import { type TSchema, Type } from 'typebox';
import { ALERT_KINDS, SHARED_FEATURES } from '../model/alert.ts';
import { CAMPAIGN_ENDS, CAMPAIGN_MARKS, CAMPAIGN_SCOPES } from '../model/campaign.ts';
import { EVENT_VERSION, type EventType } from '../model/event.ts';
import { LIST_ACTIONS, LIST_KINDS } from '../model/list-entry.ts';
import { RECALL_CAUSES } from '../model/recall.ts';
import { LABELS } from './dashboard-assessments.ts';
import { count, instant, oneOf, orNull, text } from './manage-parts.ts';
import { Assessment } from './messages.ts';

const actor = (who: string) =>
  orNull(
    Type.String(),
    `Who did it: ${who}. An address of a colleague, or a name; null: nobody, or not known.`,
  );

const CampaignData = Type.Object(
  {
    campaign_id: text('Id of the campaign.'),
    scope: oneOf(CAMPAIGN_SCOPES, 'Where its members meet.'),
    place: text('Name of the scope; empty where it has none.'),
    mark: oneOf(CAMPAIGN_MARKS, 'What they share there; `any`: nothing but the scope.'),
    mark_text: text('Its text; empty where it has none.'),
    members: count('Signups that belong to it.'),
    stopped: count('Members that were challenged or blocked.'),
    let_in: count('Members that were allowed.'),
    since: instant('Time of the first member, UTC.'),
    last_at: instant('Time of the newest member, UTC.'),
    ended_reason: orNull(oneOf(CAMPAIGN_ENDS, 'Why.'), 'Why it ended; null: it is open.'),
    ended_by: orNull(Type.String(), 'Who ended it; null where nobody did.'),
    actor: actor('who ended it, the same as `ended_by`'),
  },
  { title: 'CampaignData' },
);
const AlertData = Type.Object(
  {
    kind: oneOf(ALERT_KINDS, 'What is unusual.'),
    subject: text('What it is about: the id of a key, hook or wave, or a name; may be empty.'),
    since: instant('Since when, UTC.'),
    count: count('How many there were.'),
    total: count('Of how many.'),
    usual: Type.Number({ description: 'How many are usual.' }),
    shares: Type.Array(
      Type.Object({
        feature: oneOf(SHARED_FEATURES, 'A property.'),
        value: Type.Optional(text('What most of them have; absent for mailboxes and sessions.')),
        share: Type.Number({ description: 'Share of these signups, 0 to 1.' }),
      }),
      { description: 'What most of the signups have in common and others have not, at most two.' },
    ),
    text: text('What is unusual, in sentences.'),
    path: text('Path of the dashboard that shows it.'),
  },
  { title: 'AlertData' },
);
const RecallData = Type.Object(
  {
    found: count('Signups that got in before, and that this recall was the first to find.'),
    causes: Type.Array(
      Type.Object({
        cause: oneOf(
          RECALL_CAUSES,
          'What came to be known: `list`: an entry of the own lists; `feed`: a source.',
        ),
        id: text('Id of the entry, the source or the wave; empty for any other cause.'),
        verdict: oneOf(['challenge', 'block'], 'Verdict that they would get now.'),
        count: count('How many there are.'),
      }),
      { description: 'Causes with the most signups, at most five.' },
    ),
    text: text('The same in one sentence.'),
    path: text('Path of the dashboard that shows it.'),
  },
  { title: 'RecallData' },
);
const FeedbackData = Type.Object(
  {
    request_id: text('Id of the signup.'),
    outcome: oneOf(
      [...LABELS, 'appeal'],
      'What was reported; `confirmed_fraud`: it was right to stop it; `appeal`: the person who was stopped wrote about it.',
    ),
    actor: actor('the colleague, or the name of the key'),
  },
  { title: 'FeedbackData' },
);
const ListData = Type.Object(
  {
    entry_id: text('Id of the entry.'),
    change: oneOf(['added', 'changed', 'removed'], 'What happened to it.'),
    action: oneOf(LIST_ACTIONS, 'What happens to signups that match.'),
    kind: oneOf(LIST_KINDS, 'Kind of its value.'),
    value: orNull(Type.String(), 'Its value; null where it may be a person: an address, a mailbox, an IP.'),
    reason: orNull(Type.String(), 'Why, for people.'),
    by: orNull(Type.String(), 'Who added or changed it; null where it was removed.'),
    expires_at: orNull(Type.String({ format: 'date-time' }), 'When it ends by itself; null: never.'),
    actor: actor('who added, changed or removed it'),
  },
  { title: 'ListData' },
);
const KeyData = Type.Object(
  {
    key_id: text('Id of the key.'),
    change: oneOf(['created', 'changed', 'rotated', 'revoked'], 'What happened to it.'),
    name: text('Its name.'),
    mode: oneOf(['live', 'test'], '`live`, or `test` for the sandbox.'),
    prefix: text('First characters of the key.'),
    shadow: Type.Boolean({
      description: 'Whether it only observes: all people, or all but `enforced_share` percent.',
    }),
    enforced_share: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Percent of people for whom it enforces its verdicts.',
    }),
    actor: actor('a colleague, a management token or the command line'),
  },
  { title: 'KeyData' },
);
const TakeBackData = Type.Object(
  {
    job_id: text('Id of the job.'),
    name: text('Whose signups they are.'),
    actor: actor('who began it'),
    part: count('Number of this part, from 1 on.'),
    parts: count('Number of parts: one event has at most 500 accounts.'),
    accounts: Type.Array(
      Type.Object({
        request_id: text('Id of the signup.'),
        session_id: orNull(Type.String(), 'Session id of the signup; null: it has none.'),
        user_id: orNull(Type.String(), 'User id at the provider; null: none is known.'),
        signed_up_at: instant('Time of the signup, UTC.'),
      }),
      { description: 'The accounts, by request id. One whose person was erased since is missing.' },
    ),
  },
  { title: 'TakeBackData' },
);

interface EventSchema {
  readonly title: string;
  readonly when: string;
  /** Thing that its `object` names, in words. */
  readonly object: string;
  readonly data: TSchema;
}

/** Every type of event has its row. */
const ROWS: Readonly<Record<EventType, EventSchema>> = {
  'signup.assessed': {
    title: 'SignupAssessed',
    when: 'A live signup was assessed with one of the verdicts that the destination chose. It comes behind the answer, within seconds; nothing waits for it.',
    object: 'the request id',
    data: Assessment,
  },
  'campaign.opened': {
    title: 'CampaignOpened',
    when: 'A wave of signups was found, or one that had ended was opened again.',
    object: 'the campaign',
    data: CampaignData,
  },
  'campaign.grew': {
    title: 'CampaignGrew',
    when: 'The members of a wave reached the next power of two: 16, 32, 64 and so on.',
    object: 'the campaign',
    data: CampaignData,
  },
  'campaign.ended': {
    title: 'CampaignEnded',
    when: 'A wave ended: nobody came for long, a person ended it, or its members were reported as good customers.',
    object: 'the campaign',
    data: CampaignData,
  },
  'alert.opened': {
    title: 'AlertOpened',
    when: 'Something is unusual.',
    object: 'the alert',
    data: AlertData,
  },
  'alert.closed': {
    title: 'AlertClosed',
    when: 'It is not unusual any more.',
    object: 'the alert',
    data: AlertData,
  },
  'recall.found': {
    title: 'RecallFound',
    when: 'A recall found signups that were let in, and would not come in with what is known now.',
    object: 'the recall',
    data: RecallData,
  },
  'feedback.created': {
    title: 'FeedbackCreated',
    when: 'A live signup was reported, a report of it got another outcome, or the person who was stopped wrote an appeal.',
    object: 'the request id',
    data: FeedbackData,
  },
  'list.changed': {
    title: 'ListChanged',
    when: 'An entry of the own lists was added, changed or removed.',
    object: 'the entry',
    data: ListData,
  },
  'key.changed': {
    title: 'KeyChanged',
    when: 'A key was created, changed, rotated or revoked, or a rotation was taken back.',
    object: 'the key',
    data: KeyData,
  },
  'takeback.accounts': {
    title: 'TakeBackAccounts',
    when: 'Somebody takes back accounts of people who got in. The message lists them; at a connected provider they are held from now on.',
    object: 'the job',
    data: TakeBackData,
  },
};

/** The message of each type. */
export const EVENT_MESSAGES: Readonly<Record<string, TSchema>> = Object.fromEntries(
  Object.entries(ROWS).map(([type, { title, when, object, data }]) => [
    type,
    Type.Object(
      {
        id: Type.String({
          pattern: '^evt_',
          description: 'Id of the event. A message that is sent again has the same: take each id once.',
        }),
        type: oneOf([type], 'Type of the event.'),
        version: Type.Integer({
          minimum: EVENT_VERSION,
          maximum: EVENT_VERSION,
          description: 'Version of the message.',
        }),
        timestamp: instant('When it happened, UTC.'),
        account_id: text('Id of the account.'),
        object: text(`What it is about: id of ${object}. Events of one object come in order.`),
        data,
      },
      { title, description: when },
    ),
  ]),
);
