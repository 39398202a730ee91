/** The audit entries of pages and the command line: the actor, the change, and the logs that contain it. */
import type { Thresholds } from '../model/policy.ts';
import type { PeopleStore, StoredUser } from '../store/dashboard-store.ts';
import type { AccountChanges } from '../store/store.ts';

const ARROW = ' → ';

type Value = string | number | boolean | null;

/** `plan pro, overage on`; the name and the thresholds are described elsewhere. */
export function describeAccountChanges(changes: AccountChanges): string {
  const limits: readonly [name: string, value: Value | undefined][] = [
    ['plan', changes.plan],
    ['overage', changes.overage],
    ['monthly quota', changes.monthlyQuota],
    ['requests per second', changes.requestsPerSecond],
    ['time zone', changes.timeZone],
  ];
  return limits
    .flatMap(([name, value]) => (value === undefined ? [] : `${name} ${wordOf(value)}`))
    .join(', ');
}

/** Words for the thresholds of a key or account: one without its own has those of its account, and an account the defaults. */
export function describeThresholds(owner: 'key' | 'account', thresholds: Thresholds | null): string {
  if (thresholds === null) return owner === 'key' ? 'the account’s thresholds' : 'the default thresholds';
  return `challenge ${thresholds.challenge}, block ${thresholds.block}`;
}

/** Words for a change: the old value, then the new one. */
export function fromTo(before: string, after: string): string {
  return `${before}${ARROW}${after}`;
}

/** The new value of a change. */
export function newOf(detail: string): string {
  return detail.includes(ARROW) ? detail.slice(detail.lastIndexOf(ARROW) + ARROW.length) : detail;
}

function wordOf(value: Value): string {
  if (value === null) return 'as the plan says';
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}

type UserIdentity = Pick<StoredUser, 'email' | 'verified' | 'invitedBy' | 'homeAccount'>;

/** Name of a person that people of any account may see. */
export function nameUser({ email, verified }: Pick<UserIdentity, 'email' | 'verified'>): string {
  return verified ? email : `${email} (not verified)`;
}

/**
 * Name of a person in the audit log of an account, or of the installation (`null`): with the inviter, whom other accounts
 * must not see.
 */
export function nameActor(user: UserIdentity, accountId: string | null): string {
  const { email, verified, invitedBy, homeAccount } = user;
  if (verified || invitedBy === null || (accountId !== null && accountId !== homeAccount))
    return nameUser(user);
  return `${email} (not verified, invited by ${invitedBy})`;
}

/** Logs that record changes of a user's sign-in: those of the user's accounts, else the installation's (`null`). */
export async function auditLogsOf(
  store: Pick<PeopleStore, 'memberships'>,
  user: StoredUser,
): Promise<readonly (string | null)[]> {
  const memberships = user.operator ? [] : await store.memberships({ userId: user.id });
  return memberships.length === 0 ? [null] : memberships.map(({ accountId }) => accountId);
}
