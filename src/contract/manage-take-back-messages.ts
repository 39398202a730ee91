/** Messages of the management API about taking back: connections to providers, and jobs that hold accounts there. */
import { type Static, Type } from 'typebox';
import { PROVIDER_KINDS } from '../model/account-provider.ts';
import { ACCOUNT_STATES, TAKE_BACK_STATES } from '../model/take-back.ts';
import { count, flag, instant, instantOrNull, listOf, oneOf, orNull, text } from './manage-parts.ts';

const IDS = 'Ids of signups, at most 1,500. Either this or `attack`.';
const ATTACK =
  'Id of a wave (`cmp_…`) or of an alert about signups (`alr_…`): those of it that were let in. Either this or `request_ids`.';

export const ManageConnection = Type.Object(
  {
    id: Type.String({ pattern: '^con_', description: 'Id of the connection.' }),
    account_id: text('Id of its account.'),
    kind: oneOf(PROVIDER_KINDS, 'Provider of the accounts.'),
    name: text('Its name.'),
    url: text('Base URL of the admin API of the provider.'),
    per_second: count('Accounts that one second may begin with, at most.'),
    created_at: instant('When it was made, UTC.'),
  },
  { title: 'ManageConnection' },
);
export const ManageConnectionList = listOf('ManageConnectionList', ManageConnection);

export const ManageTakeBackRequest = Type.Object(
  {
    connection_id: orNull(
      Type.String(),
      'Connection at whose provider accounts are held; null: they are only listed.',
    ),
    attack: Type.Optional(text(ATTACK)),
    request_ids: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { description: IDS })),
    include_good: Type.Optional(
      flag('Whether those are taken back, too, whom somebody reported as good customers. Default: no.'),
    ),
    until: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Newest signup that counts: the `until` of a preview, so that nobody is added unseen.',
      }),
    ),
  },
  { title: 'ManageTakeBackRequest', description: 'Only signups that were let in are taken back.' },
);
export const ManageTakeBackPreview = Type.Object(
  {
    name: text('Name that the job gets.'),
    total: count('Signups whose accounts would be taken back, at most 5,000.'),
    partial: flag('Whether there are more.'),
    known: count('The part of `total` whose user id at the provider is known.'),
    good: count(
      'Signups that were let in and reported as good customers. They count only with `include_good`.',
    ),
    fraud: count('The part of `total` that is reported as fraud.'),
    until: instant('Send it with the request that starts the job, UTC.'),
  },
  { title: 'ManageTakeBackPreview' },
);
const counts = Type.Object(
  Object.fromEntries(ACCOUNT_STATES.map((state) => [state, count(`Accounts that are \`${state}\`.`)])),
  { description: 'Accounts by what became of them.' },
);
export const ManageTakeBack = Type.Object(
  {
    id: Type.String({ pattern: '^tbk_', description: 'Id of the job.' }),
    account_id: text('Id of its account.'),
    name: text('Name of the signups.'),
    attack: orNull(
      Type.String(),
      'Wave or alert that they belong to; null: they were chosen in another way.',
    ),
    by: text('Person or token that started it.'),
    connection: orNull(Type.String(), 'Name of the connection; null: none, or it was removed since.'),
    holds: flag('Whether accounts are held at a provider: otherwise they are only listed.'),
    phase: oneOf(['hold', 'release'], 'Whether accounts are held, or released again.'),
    state: oneOf(TAKE_BACK_STATES, 'Whether it works, and how it ended.'),
    problem: orNull(Type.String(), 'One line on what the provider refused; null: nothing.'),
    total: count('Accounts of the job.'),
    counts,
    created_at: instant('When it was started, UTC.'),
    ended_at: instantOrNull('When it ended; null: it works.'),
    waits_until: instantOrNull('When it goes on, while the provider wants a pause; null: now.'),
    undo_until: instantOrNull('Until when it can be undone; null: not at all, or that was done.'),
  },
  { title: 'ManageTakeBack' },
);
export const ManageTakeBackList = listOf('ManageTakeBackList', ManageTakeBack);

export type ManageTakeBackRequest = Static<typeof ManageTakeBackRequest>;
