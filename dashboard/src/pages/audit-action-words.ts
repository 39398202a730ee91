/** The words for the actions of the audit log. */
import { capitalized } from '../ui/format.ts';

const WORDS: Readonly<Record<string, string>> = {
  'thresholds.set': 'Set thresholds',
  'policy.save': 'Saved a policy',
  'key.create': 'Created a key',
  'key.rename': 'Renamed a key',
  'key.shadow': 'Lowered the enforced share of a key',
  'key.enforce': 'Raised the enforced share of a key',
  'key.expiry': 'Set the expiry of a key',
  'key.ranges': 'Set the callers of a key',
  'key.rotate': 'Rotated a key',
  'key.rotate_end': 'Ended the old secret of a key',
  'key.rotate_undo': 'Took a rotation back',
  'key.revoke': 'Revoked a key',
  'hook.create': 'Created a hook',
  'hook.rotate': 'Replaced the secret of a hook',
  'hook.revoke': 'Revoked a hook',
  'token.create': 'Created a token',
  'token.revoke': 'Revoked a token',
  'secret.rotate': 'Replaced the key of address hashes',
  'secret.drop': 'Removed an old key of address hashes',
  'list.allow': 'Added to Allow list',
  'list.deny': 'Added to Block list',
  'list.office': 'Added to shared offices',
  'list.remove': 'Removed from list',
  'list.history_erased': 'Erased the history of a list entry',
  'campaign.confirm': 'Confirmed a wave',
  'campaign.dismiss': 'Dismissed a wave',
  'campaign.end': 'Ended a wave',
  'campaign.reopen': 'Reopened a wave',
  'campaign.restore': 'Took a decision about a wave back',
  'campaign.block': 'Blocked an attack',
  'campaign.report': 'Reported who got in as fraud',
  'campaign.undo': 'Took everything about an attack back',
  'recall.request': 'Asked for a recall',
  'recall.dismiss': 'Saw what a recall found',
  'takeback.start': 'Took back who got in',
  'takeback.cancel': 'Cancelled taking back',
  'takeback.continue': 'Continued taking back',
  'takeback.undo': 'Released who was held',
  'takeback.name': 'Added user ids',
  'takeback.export': 'Exported accounts',
  'connection.create': 'Connected a provider',
  'connection.change': 'Changed a provider',
  'connection.remove': 'Removed a provider',
  'privacy.export': 'Exported the data of a person',
  'privacy.erase': 'Erased the data of a person',
  'feedback.give': 'Reported an outcome',
  'feedback.undo': 'Took a report back',
  'feedback.close': 'Closed a mistake',
  'feedback.reopen': 'Opened a mistake again',
  'signups.export': 'Exported signups',
  'audit.export': 'Exported the audit log',
  'try.live': 'Ran a live test',
  'intelligence.refresh': 'Started a feed refresh',
  'intelligence.import': 'Started a feed import',
  'intelligence.rollback': 'Started a feed rollback',
  'intelligence.use': 'Used a feed update',
  'intelligence.keep': 'Kept a feed version',
  'intelligence.host_forgotten': 'Forgot a host',
  'intelligence.host_never_flagged': 'Stopped flagging a host',
  'intelligence.host_judged_again': 'Allowed flagging a host',
  account_created: 'Created the account',
  account_changed: 'Changed the account',
  account_deleted: 'Deleted an account',
  link_made: 'Created a setup link',
  person_invited: 'Invited a person',
  person_removed: 'Removed a person',
  role_changed: 'Changed a role',
  user_deleted: 'Deleted a user',
  invitation_withdrawn: 'Cancelled an invite',
  identity_connected: 'Connected a person at the OpenID provider',
  identity_removed: 'Disconnected a person from the OpenID provider',
  role_by_groups: 'Let a role follow the groups',
  invitation_accepted: 'Accepted an invite',
  sign_in: 'Signed in',
  sign_in_failed: 'Failed to sign in',
  sign_out: 'Signed out',
  session_ended: 'Ended a session',
  other_sessions_ended: 'Ended all other sessions',
  sessions_ended: 'Ended sessions of',
  person_verified: 'Verified an address',
  password_changed: 'Changed the password',
  password_reset: 'Reset the password',
  operator_made: 'Became an operator',
  two_factor_enabled: 'Turned on 2FA',
  two_factor_disabled: 'Turned off 2FA',
  backup_codes_renewed: 'Renewed backup codes',
};

/** Kinds of actions by what their names begin with. */
const KINDS: Readonly<Record<string, string>> = {
  'thresholds.': 'All changes of thresholds',
  'policy.': 'All changes of weights',
  'key.': 'Everything about keys',
  'hook.': 'Everything about hooks',
  'list.': 'Everything about lists',
  'campaign.': 'Everything about waves',
  'takeback.': 'Everything about taking back',
  'connection.': 'Everything about providers',
  'feedback.': 'Everything about reports',
  'privacy.': 'Everything about personal data',
  'intelligence.': 'Everything about feeds and hosts',
};

type Choice = { value: string; label: string };
const choicesOf = (words: Readonly<Record<string, string>>): Choice[] =>
  Object.entries(words).map(([value, label]) => ({ value, label }));
const ACTIONS = choicesOf(WORDS).sort((a, b) => a.label.localeCompare(b.label, 'en'));
const CHOICES = [
  { value: '', label: 'Any action' },
  { group: 'Kinds', items: choicesOf(KINDS) },
  { group: 'Actions', items: ACTIONS },
];

/** Kinds and actions by their words; `chosen` may come from a link, and have none. */
export function actionChoices(chosen: string): (Choice | { group: string; items: Choice[] })[] {
  const isKnown = chosen === '' || Object.hasOwn(WORDS, chosen) || Object.hasOwn(KINDS, chosen);
  return isKnown ? CHOICES : [...CHOICES, { value: chosen, label: actionWords(chosen) }];
}

/** An action without words is shown by its name. */
export function actionWords(action: string): string {
  const known = WORDS[action];
  if (known !== undefined) return known;
  return capitalized(action.replaceAll(/[._-]+/g, ' ').trim());
}
