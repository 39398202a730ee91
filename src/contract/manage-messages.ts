/** Every message of the management API: one schema gives its type, its validation and its place in OpenAPI. */
import { type Static, Type } from 'typebox';
import { ALERT_KINDS, ALERT_STATES, SHARED_FEATURES } from '../model/alert.ts';
import {
  CAMPAIGN_ENDS,
  CAMPAIGN_FAMILIES,
  CAMPAIGN_MARKS,
  CAMPAIGN_SCOPES,
  CAMPAIGN_STATES,
} from '../model/campaign.ts';
import { HOOK_SOURCES } from '../model/hook.ts';
import { LIST_ACTIONS, LIST_KINDS } from '../model/list-entry.ts';
import { count, flag, instant, instantOrNull, listOf, oneOf, orNull, text } from './manage-parts.ts';
import { MANAGE_PROBLEM_CODES, type ManageProblemCode } from './manage-problems.ts';
import { PLAN_NAMES } from './messages.ts';

const MODES = ['live', 'test'] as const;
const ANSWERS = ['allow', 'deny'] as const;
const ACTION =
  'What happens to signups that match. `office`: bursts are not counted against them, everything else is.';
const NAME = 'Its name: 1 to 100 printable characters.';
const QUOTA = 'Its own monthly quota of assessments; null: that of the plan.';
const RATE = 'Its own limit of requests per second; null: that of the plan.';
const OWN_THRESHOLDS = 'The scores from which signups are challenged and blocked; null: those of';
const MODE = '`live`, or `test` for the sandbox.';
const ZONE =
  'IANA name of the time zone of the account’s pages, such as `Europe/Berlin`: for times, and for where days begin.';
const SHADOW =
  'Shadow mode: answers are `allow`, independent of the verdict, except to `enforced_share` percent of people.';
const SHARE =
  'Percent of people whose signups are answered with the verdict, always the same people: 0 in shadow mode for all, 100 without shadow mode.';

export const ManageThresholds = Type.Object(
  {
    challenge: Type.Integer({ description: 'Lowest score that is challenged, 1 to 100.' }),
    block: Type.Integer({ description: 'Lowest score that is blocked, 1 to 100; at least `challenge`.' }),
  },
  { title: 'ManageThresholds' },
);

const accountSettings = {
  overage: Type.Optional(flag('Whether requests above the monthly quota are accepted; never on plan free.')),
  monthly_quota: Type.Optional(orNull(Type.Integer({ minimum: 0, maximum: 1e12 }), QUOTA)),
  requests_per_second: Type.Optional(orNull(Type.Integer({ minimum: 1, maximum: 100_000 }), RATE)),
  thresholds: Type.Optional(orNull(ManageThresholds, `${OWN_THRESHOLDS} 30 and 60.`)),
  time_zone: Type.Optional(text(ZONE)),
};
const plan = oneOf(PLAN_NAMES, 'The plan: rate limit and monthly quota.');

export const ManageAccountRequest = Type.Object(
  { name: text(NAME), plan, ...accountSettings },
  { title: 'ManageAccountRequest' },
);
export const ManageAccountChanges = Type.Object(
  { name: Type.Optional(text(NAME)), plan: Type.Optional(plan), ...accountSettings },
  { title: 'ManageAccountChanges', description: 'Members that are absent do not change.' },
);
export const ManageAccount = Type.Object(
  {
    id: Type.String({ pattern: '^acc_', description: 'Id of the account.' }),
    name: text('Its name.'),
    plan,
    overage: flag('Whether requests above the monthly quota are accepted.'),
    monthly_quota: orNull(Type.Integer(), QUOTA),
    requests_per_second: orNull(Type.Integer(), RATE),
    thresholds: orNull(ManageThresholds, `${OWN_THRESHOLDS} 30 and 60.`),
    time_zone: text(ZONE),
    created_at: instant('When it was created, UTC.'),
  },
  { title: 'ManageAccount' },
);
export const ManageAccountList = listOf('ManageAccountList', ManageAccount);

const RANGES =
  'IP addresses and CIDR blocks that its callers must be in; everybody else gets 403. Null: it may be used from anywhere.';
const keySettings = {
  shadow: Type.Optional(flag(`${SHADOW} True is the same as a share of 0, false as one of 100.`)),
  enforced_share: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: SHARE })),
  thresholds: Type.Optional(orNull(ManageThresholds, `${OWN_THRESHOLDS} the account.`)),
  expires_at: Type.Optional(
    orNull(Type.String(), 'When it is refused, RFC 3339, in the future; null: it does not expire.'),
  ),
  allowed_ranges: Type.Optional(orNull(Type.Array(Type.String(), { maxItems: 50 }), RANGES)),
};

export const ManageKeyRequest = Type.Object(
  { name: text(NAME), mode: oneOf(MODES, MODE), ...keySettings },
  { title: 'ManageKeyRequest' },
);
export const ManageKeyChanges = Type.Object(
  { name: Type.Optional(text(NAME)), ...keySettings },
  { title: 'ManageKeyChanges', description: 'Members that are absent do not change.' },
);
export const ManageKeyRotation = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2_592_000,
        description:
          'How long the old secret stays valid: up to 30 days; 0 refuses it at once. Default: 86400, a day.',
      }),
    ),
  },
  { title: 'ManageKeyRotation' },
);
export const ManagePreviousSecret = Type.Object(
  {
    prefix: text('First 12 characters of the secret.'),
    last_used_at: instantOrNull('When it was last used; null: never.'),
    valid_until: instant('It is refused from then on.'),
  },
  { title: 'ManagePreviousSecret' },
);
const key = {
  id: Type.String({ pattern: '^key_', description: 'Id of the key.' }),
  account_id: text('Id of its account.'),
  name: text('Its name.'),
  mode: oneOf(MODES, MODE),
  shadow: flag(SHADOW),
  enforced_share: Type.Integer({ minimum: 0, maximum: 100, description: SHARE }),
  prefix: text('First 12 characters of its secret.'),
  thresholds: orNull(ManageThresholds, `${OWN_THRESHOLDS} the account.`),
  created_at: instant('When it was created, UTC.'),
  last_used_at: instantOrNull('When it was last used, with any secret, to some seconds; null: never.'),
  rotated_at: instantOrNull('When its secret was last replaced; null: never.'),
  secret_used_at: instantOrNull('When its current secret was last used; null: never.'),
  previous_secret: orNull(
    ManagePreviousSecret,
    'The secret that the last rotation replaced; null: there is none.',
  ),
  expires_at: instantOrNull('Since when, or from when on, it is refused; null: it does not expire.'),
  allowed_ranges: orNull(Type.Array(Type.String()), RANGES),
  revoked_at: instantOrNull('Since when it is refused; null: it is valid.'),
};
export const ManageKey = Type.Object(key, { title: 'ManageKey' });
export const ManageCreatedKey = Type.Object(
  { ...key, key: text('The key itself. No other answer contains it.') },
  { title: 'ManageCreatedKey' },
);
export const ManageKeyList = listOf('ManageKeyList', ManageKey);

export const ManageListEntryRequest = Type.Object(
  {
    action: oneOf(LIST_ACTIONS, ACTION),
    value: text(
      'An address, a domain with all below it (`.xyz`: a top-level domain), an IP, a CIDR block, an AS number (`AS64500`) or a country (`FR`). For an `office`: an IP, a CIDR block, or a domain with one or with an AS number: `example.com + 203.0.113.7`.',
    ),
    exact: Type.Optional(
      Type.Boolean({
        description:
          'For an address: `true` means this spelling alone. Default: every spelling that its provider delivers to the same mailbox (dots, tags, other domains).',
      }),
    ),
    reason: Type.Optional(
      orNull(Type.String(), 'Why, for people: shown with each signup that it decides. Up to 200 characters.'),
    ),
    expires_at: Type.Optional(orNull(Type.String(), 'When it ends, RFC 3339, in the future; null: never.')),
    confirm: Type.Optional(
      text('The value again, as the error shows it: needed only for a value that affects very many people.'),
    ),
  },
  { title: 'ManageListEntryRequest' },
);
export const ManageListEntry = Type.Object(
  {
    id: Type.String({ pattern: '^lst_', description: 'Id of the entry.' }),
    account_id: text('Id of its account.'),
    action: oneOf(LIST_ACTIONS, ACTION),
    kind: oneOf(
      LIST_KINDS,
      'What the value is: `mailbox` is an address in every spelling, `address` one that is `exact`, `domain_network` a domain with its place.',
    ),
    value: text(
      'The value in canonical form; an address is masked, unless the installation keeps addresses.',
    ),
    reason: orNull(Type.String(), 'Why, for people.'),
    author: text('Who added it.'),
    created_at: instant('When it was added, UTC.'),
    expires_at: instantOrNull('When it ends; null: never.'),
    hits: Type.Integer({
      minimum: 0,
      description:
        'Number of stored assessments that it decided; for an `office`: that came from it, and that no other entry decided.',
    }),
    last_hit_at: instantOrNull('Time of the newest of them; null: none.'),
  },
  { title: 'ManageListEntry' },
);
export const ManageListEntryList = listOf('ManageListEntryList', ManageListEntry);

const { id, action, kind, value, reason, author, expires_at } = ManageListEntry.properties;
export const ManageSavedListEntry = Type.Object(
  {
    ...ManageListEntry.properties,
    replaced: orNull(
      Type.Object({ reason, author, expires_at }),
      'Reason, author and expiry that this entry had before; null: it is new.',
    ),
    conflicts: Type.Array(
      Type.Object({
        id,
        action,
        kind,
        value,
        reason,
        author,
        expires_at,
        winner: oneOf(['new', 'existing'], 'The entry that decides about signups that both match.'),
      }),
      {
        description:
          'Entries of the account that do the opposite for the same value, or for a wider or narrower one. For the same value the entry that allows wins, otherwise the narrower one.',
      },
    ),
  },
  { title: 'ManageSavedListEntry' },
);

export const ManageCampaignDecision = Type.Object(
  {
    note: Type.Optional(orNull(Type.String(), 'Why, for people. Up to 200 characters.')),
  },
  { title: 'ManageCampaignDecision' },
);
export const ManageCampaign = Type.Object(
  {
    id: Type.String({ pattern: '^cmp_', description: 'Id of the campaign.' }),
    account_id: text('Id of its account.'),
    state: oneOf(CAMPAIGN_STATES, 'Whether its next members are stopped.'),
    summary: text('What its members share, and how unlikely it is that chance made it, in one sentence.'),
    sure: flag('Whether its next members are blocked while it is open; otherwise they are challenged.'),
    scope: oneOf(CAMPAIGN_SCOPES, 'Where its members meet.'),
    place: text('Name of the scope; empty where it has none, and once it was erased.'),
    mark: oneOf(CAMPAIGN_MARKS, 'What they share there; `any`: nothing but the scope.'),
    mark_text: text('Its text, such as a pattern of letters and digits; empty where it has none.'),
    members: count('Signups that belong to it.'),
    stopped: count('Members that were challenged or blocked.'),
    let_in: count('Members that were allowed.'),
    usual: Type.Number({ description: 'Share of other people who have the mark, 0 to 1.' }),
    decades: Type.Number({ description: 'Odds that chance made it: 1 in 10 to the power of this.' }),
    families: Type.Array(oneOf(CAMPAIGN_FAMILIES, 'A kind of evidence.'), {
      description: 'Independent kinds of evidence that agree.',
    }),
    networks: count('Distinct networks of its members since it was found; 256: or more.'),
    hosting: count('Members from hosting networks.'),
    good_reports: count('Members that were reported as good customers.'),
    fraud_reports: count('Members that were reported as fraud.'),
    verified: count('Members who confirmed their address.'),
    bounced: count('Members whose address bounced.'),
    since: instant('Time of the first member, UTC; of a wave that came again, the first one of all.'),
    opened_at: instant('When it was found, UTC.'),
    last_at: instant('Time of the newest member, UTC.'),
    ended_at: instantOrNull('When it ended; null: it is open.'),
    ended_by: orNull(Type.String(), 'Who ended it; null where nobody did.'),
    ended_reason: orNull(oneOf(CAMPAIGN_ENDS, 'Why.'), 'Why it ended; null: it is open.'),
    decision: orNull(oneOf(['confirmed', 'dismissed'], 'What.'), 'What a person decided; null: nothing.'),
    decided_at: instantOrNull('When; null: nothing was decided.'),
    decided_by: orNull(Type.String(), 'Who decided; null: nobody.'),
    note: orNull(Type.String(), 'Why, for people.'),
  },
  { title: 'ManageCampaign' },
);
export const ManageCampaignList = listOf('ManageCampaignList', ManageCampaign);

export const ManageAlert = Type.Object(
  {
    id: Type.String({ pattern: '^alr_', description: 'Id of the alert.' }),
    account_id: orNull(Type.String(), 'Id of its account; null: it is about the whole installation.'),
    state: oneOf(ALERT_STATES, 'Whether it is still unusual.'),
    kind: oneOf(ALERT_KINDS, 'What is unusual.'),
    subject: text(
      'Id of the key, hook, wave, source or feed; the quota and its month; empty: the account as a whole.',
    ),
    title: text('What it is, in one line.'),
    text: text('What the signups share, or what to do; may be empty.'),
    since: instant('When it began, UTC.'),
    opened_at: instant('When it was noticed, UTC.'),
    seen_at: instant('When it was last seen to be unusual, UTC.'),
    closed_at: instantOrNull('When it was usual again; null: it is open.'),
    count: count(
      'Signups that are unusual, the largest number; of a quota, those used; 0 where nothing is counted.',
    ),
    total: count('Signups among which they were counted, or the quota; 0 where nothing is counted.'),
    usual: Type.Number({ description: 'Usual number in place of `count`.' }),
    shares: Type.Array(
      Type.Object({
        feature: oneOf(SHARED_FEATURES, 'A property.'),
        value: text('What most of them have; of a mailbox its keyed hash.'),
        share: Type.Number({ description: 'Share of these signups, 0 to 1.' }),
        usual: Type.Number({ description: 'Share of the signups of the week before, 0 to 1.' }),
      }),
      { description: 'What most of the signups have in common and others have not, at most two.' },
    ),
  },
  { title: 'ManageAlert' },
);
export const ManageAlertList = listOf('ManageAlertList', ManageAlert);

const answer = (when: string) => oneOf(ANSWERS, `The answer ${when}.`);
const SECRET = 'In the provider’s own form. Default: a new one, where Gatehouse can make it.';

export const ManageHookRequest = Type.Object(
  {
    provider: oneOf(HOOK_SOURCES, 'The auth or mail provider that calls it.'),
    name: text(NAME),
    mode: Type.Optional(oneOf(MODES, `${MODE} Default: \`live\`.`)),
    secret: Type.Optional(Type.String({ maxLength: 2_000, description: SECRET })),
    challenge_as: Type.Optional(answer('for the verdict challenge; default `allow`')),
    on_error: Type.Optional(answer('when there is no verdict in time; default `allow`')),
  },
  { title: 'ManageHookRequest' },
);
export const ManageHookRotation = Type.Object(
  {
    secret: Type.Optional(Type.String({ maxLength: 2_000, description: SECRET })),
    at_once: Type.Optional(
      flag('Whether the old secret is refused at once. Default: it is valid for a day.'),
    ),
  },
  { title: 'ManageHookRotation' },
);
const hook = {
  id: Type.String({ pattern: '^hk_', description: 'Id of the hook.' }),
  account_id: text('Id of its account.'),
  provider: oneOf(HOOK_SOURCES, 'The auth or mail provider that calls it.'),
  name: text('Its name.'),
  mode: oneOf(MODES, MODE),
  path: text('Where the provider sends its requests, below the address of this service.'),
  has_secret: flag('Without a secret it refuses everything.'),
  old_secret_until: instantOrNull('Until when the old secret is also valid; null: there is no old secret.'),
  challenge_as: answer('for the verdict challenge'),
  on_error: answer('when there is no verdict in time'),
  created_at: instant('When it was created, UTC.'),
  last_used_at: instantOrNull('When it was last used, to some seconds; null: never.'),
  revoked_at: instantOrNull('Since when it is refused; null: it is valid.'),
};
export const ManageHook = Type.Object(hook, { title: 'ManageHook' });
export const ManageHookSecret = Type.Object(
  {
    ...hook,
    secret: orNull(Type.String(), 'The secret. No other answer contains it; null: the provider creates it.'),
  },
  { title: 'ManageHookSecret' },
);
export const ManageHookList = listOf('ManageHookList', ManageHook);

export const ManageAuditEntry = Type.Object(
  {
    id: text('Position in the log, by which an undo names the entry that it takes back.'),
    at: instant('Time of the action, UTC.'),
    by: text('Who: the email of a user, the command line, or the id and name of a token.'),
    account_id: orNull(Type.String(), 'The account; null: the whole installation.'),
    action: text('The action, for example `key.create`.'),
    target: text('What was changed.'),
    detail: text('Details; may be empty.'),
  },
  { title: 'ManageAuditEntry' },
);
export const ManageAuditList = listOf('ManageAuditList', ManageAuditEntry);

export const ManageErrorEnvelope = Type.Object(
  {
    error: Type.Object({
      code: oneOf(MANAGE_PROBLEM_CODES as readonly ManageProblemCode[], 'Machine-readable code.'),
      message: text('Human-readable message.'),
      param: Type.Optional(text('The parameter at fault.')),
      resolution: text('What to do about it.'),
    }),
  },
  { title: 'ManageErrorEnvelope', description: 'The same shape as the errors of the other operations.' },
);

export type ManageAccountRequest = Static<typeof ManageAccountRequest>;
export type ManageAccountChanges = Static<typeof ManageAccountChanges>;
export type ManageAccount = Static<typeof ManageAccount>;
export type ManageKeyRequest = Static<typeof ManageKeyRequest>;
export type ManageKeyChanges = Static<typeof ManageKeyChanges>;
export type ManageKeyRotation = Static<typeof ManageKeyRotation>;
export type ManageKey = Static<typeof ManageKey>;
export type ManageCreatedKey = Static<typeof ManageCreatedKey>;
export type ManageListEntryRequest = Static<typeof ManageListEntryRequest>;
export type ManageListEntry = Static<typeof ManageListEntry>;
export type ManageSavedListEntry = Static<typeof ManageSavedListEntry>;
export type ManageAlert = Static<typeof ManageAlert>;
export type ManageCampaign = Static<typeof ManageCampaign>;
export type ManageCampaignDecision = Static<typeof ManageCampaignDecision>;
export type ManageHookRequest = Static<typeof ManageHookRequest>;
export type ManageHookRotation = Static<typeof ManageHookRotation>;
export type ManageHook = Static<typeof ManageHook>;
export type ManageHookSecret = Static<typeof ManageHookSecret>;
export type ManageAuditEntry = Static<typeof ManageAuditEntry>;
