/** Words for what each scope of a management token allows. */
import type { ManageScope } from '../../../src/model/manage-token.ts';

/** Words in the order in which a form shows them: reading and changing the same thing side by side. */
export const SCOPE_WORDS: Readonly<Record<ManageScope, string>> = {
  'accounts:read': 'See accounts with their plan, limits and thresholds.',
  'accounts:write': 'Create accounts; change their name, plan, limits and thresholds.',
  'keys:read': 'See the settings of API keys, never the keys themselves.',
  'keys:write': 'Create, change and revoke API keys.',
  'lists:read': 'See the entries of own lists.',
  'lists:write': 'Add, change and remove entries of own lists.',
  'alerts:read': 'See what was unusual, and is.',
  'campaigns:read': 'See waves of signups.',
  'campaigns:write': 'Confirm, dismiss and end waves of signups.',
  'hooks:read': 'See the settings of hooks, never their secrets.',
  'hooks:write': 'Create hooks, replace their secrets, revoke them.',
  'destinations:read': 'See where events are sent, never the secrets.',
  'destinations:write': 'Choose where events are sent; send them again.',
  'takebacks:read': 'See which accounts were taken back, and connections to providers, never the secrets.',
  'takebacks:write': 'Hold accounts of people who got in, and release them.',
  'audit:read': 'Read the audit log.',
};
export const SCOPES = Object.keys(SCOPE_WORDS) as ManageScope[];

/** Whether another of the chosen scopes includes it: `keys:write` includes `keys:read`. */
export function isIncluded(scope: ManageScope, chosen: readonly ManageScope[]): boolean {
  return chosen.some((other) => other !== scope && other === scope.replace(':read', ':write'));
}

/** Scopes without what others of them include. */
export function withoutIncluded(chosen: readonly ManageScope[]): ManageScope[] {
  return chosen.filter((scope) => !isIncluded(scope, chosen));
}
