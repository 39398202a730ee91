/** The operations of the management API: method, path, scope, messages and errors, as HTTP serves them and OpenAPI documents them. */
import type { CampaignAction } from '../model/campaign.ts';
import { DESTINATION_ROWS } from './manage-destination-operations.ts';
import {
  ManageAccount,
  ManageAccountChanges,
  ManageAccountList,
  ManageAccountRequest,
  ManageAlertList,
  ManageAuditList,
  ManageCampaign,
  ManageCampaignDecision,
  ManageCampaignList,
  ManageCreatedKey,
  ManageHook,
  ManageHookList,
  ManageHookRequest,
  ManageHookRotation,
  ManageHookSecret,
  ManageKey,
  ManageKeyChanges,
  ManageKeyList,
  ManageKeyRequest,
  ManageKeyRotation,
  ManageListEntry,
  ManageListEntryList,
  ManageListEntryRequest,
  ManageSavedListEntry,
} from './manage-messages.ts';
import type { ManageOperation, ManageOperationRow as Row } from './manage-operation.ts';
import { TAKE_BACK_ROWS } from './manage-take-back-operations.ts';

export type { ManageOperation };

const ALWAYS = ['bad_request', 'unauthorized', 'token_revoked', 'forbidden', 'too_many_attempts'] as const;
const AT_LAST = ['internal_error', 'unavailable'] as const;
const CHANGE = ['payload_too_large', 'storage_full'] as const;
const BODY = ['missing_field', 'invalid_value'] as const;

const ROOT = '/v1/manage';
const ACCOUNTS = `${ROOT}/accounts`;
const ACCOUNT = `${ACCOUNTS}/{account}`;
const KEYS = `${ACCOUNT}/keys`;
const LISTS = `${ACCOUNT}/lists`;
const CAMPAIGNS = `${ACCOUNT}/campaigns`;
const HOOKS = `${ACCOUNT}/hooks`;
const AUDIT_FILTERS = {
  since: 'Only entries not before this instant, RFC 3339.',
  until: 'Only entries before this instant, RFC 3339.',
  action: 'Only this action: `key.create`; with a dot at the end, all actions that begin with it: `key.`.',
  by: 'Only actors whose name contains this text, in upper or lower case: `jo@example.com`, `token tok_`.',
  target:
    'Only entries whose target or detail contains this text, in upper or lower case: `mailinator.com`, `key web`.',
};
const FEWER = 'With a filter, a page may have fewer rows than `limit`, or none, although `next` is not null.';
const OLDEST_FIRST = 'Oldest first, a page at a time.';
const NAMED = 'Safe to repeat: if the account already has an active one with this name, nothing is created';

const ROWS: readonly Row[] = [
  {
    id: 'listAccounts',
    method: 'GET',
    path: ACCOUNTS,
    scope: 'accounts:read',
    summary: 'List accounts',
    description: `${OLDEST_FIRST} A token that is bound to an account sees only that account.`,
    response: ManageAccountList,
  },
  {
    id: 'createAccount',
    method: 'POST',
    path: ACCOUNTS,
    scope: 'accounts:write',
    summary: 'Create an account',
    description:
      'Safe to repeat: if an account with this name exists, nothing is created, and the 409 names it. A token that is bound to an account cannot do this.',
    request: ManageAccountRequest,
    response: ManageAccount,
    problems: ['conflict'],
  },
  {
    id: 'getAccount',
    method: 'GET',
    path: ACCOUNT,
    scope: 'accounts:read',
    summary: 'Read an account',
    description: 'Its plan, limits and thresholds.',
    response: ManageAccount,
  },
  {
    id: 'updateAccount',
    method: 'PATCH',
    path: ACCOUNT,
    scope: 'accounts:write',
    summary: 'Change an account',
    description: 'Changes only what the body names. Services follow within a second.',
    request: ManageAccountChanges,
    response: ManageAccount,
  },
  {
    id: 'listKeys',
    method: 'GET',
    path: KEYS,
    scope: 'keys:read',
    summary: 'List keys',
    description: `${OLDEST_FIRST} Includes revoked keys, never the keys themselves.`,
    response: ManageKeyList,
  },
  {
    id: 'createKey',
    method: 'POST',
    path: KEYS,
    scope: 'keys:write',
    summary: 'Create a key',
    description: `The answer has the key, once. ${NAMED} of the same mode, and the 409 names it.`,
    request: ManageKeyRequest,
    response: ManageCreatedKey,
    problems: ['conflict'],
  },
  {
    id: 'getKey',
    method: 'GET',
    path: `${KEYS}/{key}`,
    scope: 'keys:read',
    summary: 'Read a key',
    description: 'Never the key itself.',
    response: ManageKey,
  },
  {
    id: 'updateKey',
    method: 'PATCH',
    path: `${KEYS}/{key}`,
    scope: 'keys:write',
    summary: 'Change a key',
    description:
      'Changes only what the body names: name, shadow mode, enforced share, thresholds, expiry, allowed ranges. Services follow within a second.',
    request: ManageKeyChanges,
    response: ManageKey,
  },
  {
    id: 'rotateKey',
    method: 'POST',
    path: `${KEYS}/{key}/rotate`,
    scope: 'keys:write',
    summary: 'Rotate a key',
    description:
      'Gives the key a new secret, which the answer has once; id, name and settings stay. The old secret stays valid for the overlap, and both count as one key.',
    request: ManageKeyRotation,
    response: ManageCreatedKey,
    problems: ['conflict'],
  },
  {
    id: 'endKeyOverlap',
    method: 'POST',
    path: `${KEYS}/{key}/rotate/end`,
    scope: 'keys:write',
    summary: 'End the old secret of a key',
    description: 'Refuses the old secret from now on, before its overlap is over.',
    response: ManageKey,
    problems: ['conflict'],
  },
  {
    id: 'undoKeyRotation',
    method: 'POST',
    path: `${KEYS}/{key}/rotate/undo`,
    scope: 'keys:write',
    summary: 'Take a rotation back',
    description:
      'While the old secret is valid: it becomes the secret of the key again, and the new one is refused from now on.',
    response: ManageKey,
    problems: ['conflict'],
  },
  {
    id: 'revokeKey',
    method: 'DELETE',
    path: `${KEYS}/{key}`,
    scope: 'keys:write',
    summary: 'Revoke a key',
    description:
      'Refuses the key from now on; other services follow within a second. It stays in the list. Safe to repeat.',
    response: ManageKey,
  },
  {
    id: 'listListEntries',
    method: 'GET',
    path: LISTS,
    scope: 'lists:read',
    summary: 'List entries of the own lists',
    description: `${OLDEST_FIRST} Includes expired entries.`,
    response: ManageListEntryList,
  },
  {
    id: 'saveListEntry',
    method: 'POST',
    path: LISTS,
    scope: 'lists:write',
    summary: 'Add or change a list entry',
    description:
      'Safe to repeat: if the account already has an entry with this action and value, that entry gets the new reason, author and expiry, and keeps its id. The answer names what was replaced, and the entries that this one contradicts.',
    request: ManageListEntryRequest,
    response: ManageSavedListEntry,
  },
  {
    id: 'getListEntry',
    method: 'GET',
    path: `${LISTS}/{entry}`,
    scope: 'lists:read',
    summary: 'Read a list entry',
    description: 'Includes how many assessments it decided.',
    response: ManageListEntry,
  },
  {
    id: 'removeListEntry',
    method: 'DELETE',
    path: `${LISTS}/{entry}`,
    scope: 'lists:write',
    summary: 'Remove a list entry',
    description: 'Answers with the entry that was removed. Past decisions do not change.',
    response: ManageListEntry,
  },
  {
    id: 'listAlerts',
    method: 'GET',
    path: `${ACCOUNT}/alerts`,
    scope: 'alerts:read',
    summary: 'List alerts',
    description:
      'What is or was unusual, newest first, a page at a time; a token for all accounts also sees feeds.',
    filters: { state: 'Only alerts that are `open`, or `closed`.' },
    response: ManageAlertList,
  },
  {
    id: 'listCampaigns',
    method: 'GET',
    path: CAMPAIGNS,
    scope: 'campaigns:read',
    summary: 'List waves of signups',
    description: 'Newest first, a page at a time; ended ones, too.',
    filters: { state: 'Only campaigns that are `open`, or `ended`.' },
    response: ManageCampaignList,
  },
  {
    id: 'getCampaign',
    method: 'GET',
    path: `${CAMPAIGNS}/{campaign}`,
    scope: 'campaigns:read',
    summary: 'Read a wave of signups',
    description: 'What its members share, how many they are, and what was decided about it.',
    response: ManageCampaign,
  },
  decision(
    'confirm',
    'Confirm a wave',
    'It is an attack: its next members are blocked. It opens again if it had ended.',
  ),
  decision(
    'dismiss',
    'Dismiss a wave',
    'These are our people: it ends, and nothing with its scope and mark opens again.',
  ),
  decision(
    'end',
    'End a wave',
    'Its next members are judged like everybody else. A new one with its scope and mark may open.',
  ),
  decision(
    'reopen',
    'Reopen a wave',
    'Takes a decision or an end back: it is open, and nobody decided about it.',
  ),
  {
    id: 'listHooks',
    method: 'GET',
    path: HOOKS,
    scope: 'hooks:read',
    summary: 'List hooks',
    description: `${OLDEST_FIRST} Includes revoked hooks, never their secrets.`,
    response: ManageHookList,
  },
  {
    id: 'createHook',
    method: 'POST',
    path: HOOKS,
    scope: 'hooks:write',
    summary: 'Create a hook',
    description: `The answer has the secret, once. ${NAMED} of the same provider and mode, and the 409 names it. With a token that is bound to an account, a secret that is a URL must lead to a public address.`,
    request: ManageHookRequest,
    response: ManageHookSecret,
    problems: ['conflict'],
  },
  {
    id: 'getHook',
    method: 'GET',
    path: `${HOOKS}/{hook}`,
    scope: 'hooks:read',
    summary: 'Read a hook',
    description: 'Never its secret.',
    response: ManageHook,
  },
  {
    id: 'rotateHook',
    method: 'POST',
    path: `${HOOKS}/{hook}/rotate`,
    scope: 'hooks:write',
    summary: 'Replace the secret of a hook',
    description:
      'The answer has the new secret, once. The old one stays valid for a day, unless `at_once` is true.',
    request: ManageHookRotation,
    response: ManageHookSecret,
    problems: ['conflict'],
  },
  {
    id: 'revokeHook',
    method: 'DELETE',
    path: `${HOOKS}/{hook}`,
    scope: 'hooks:write',
    summary: 'Revoke a hook',
    description: 'Refuses its requests from now on. It stays in the list. Safe to repeat.',
    response: ManageHook,
  },
  ...DESTINATION_ROWS,
  ...TAKE_BACK_ROWS,
  {
    id: 'listAudit',
    method: 'GET',
    path: `${ACCOUNT}/audit`,
    scope: 'audit:read',
    summary: 'Read the audit log of an account',
    description: `Who changed what, newest first: in the dashboard, on the command line, with tokens. ${FEWER}`,
    filters: AUDIT_FILTERS,
    response: ManageAuditList,
  },
  {
    id: 'listInstallationAudit',
    method: 'GET',
    path: `${ROOT}/audit`,
    scope: 'audit:read',
    summary: 'Read the audit log of the installation',
    description: `Changes that concern no single account, newest first. ${FEWER} A token that is bound to an account cannot do this.`,
    filters: AUDIT_FILTERS,
    response: ManageAuditList,
  },
];

export const MANAGE_OPERATIONS: readonly ManageOperation[] = ROWS.map(toOperation);

/** @throws Error where there is no such operation */
export function manageOperation(id: string): ManageOperation {
  const found = MANAGE_OPERATIONS.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`there is no operation ${id}`);
  return found;
}

function toOperation({ problems: own = [], filters = {}, ...row }: Row): ManageOperation {
  const { method, path, request, response } = row;
  const paged = 'next' in ((response as { properties?: object }).properties ?? {});
  return {
    ...row,
    paged,
    filters,
    problems: [
      ...(request === undefined ? [] : BODY),
      ...(paged ? (['invalid_value'] as const) : []),
      ...ALWAYS,
      ...(path.includes('{') ? (['not_found'] as const) : []),
      ...own,
      ...(method === 'GET' ? [] : CHANGE),
      ...AT_LAST,
    ],
  };
}

function decision(action: CampaignAction, summary: string, effect: string): Row {
  return {
    id: `${action}Campaign`,
    method: 'POST',
    path: `${CAMPAIGNS}/{campaign}/${action}`,
    scope: 'campaigns:write',
    summary,
    description: `${effect} Safe to repeat.`,
    request: ManageCampaignDecision,
    response: ManageCampaign,
    ...(action === 'confirm' || action === 'reopen' ? { problems: ['conflict'] as const } : {}),
  };
}
