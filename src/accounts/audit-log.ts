/** The audit entries of pages and the command line: the actor, the change, and the logs that contain it. */
import { PLAN_NAMES } from '../contract/messages.ts';
import type { Thresholds, Weights } from '../model/policy.ts';
import { parseTimeZone } from '../model/time-zone.ts';
import type { PeopleStore, StoredUser } from '../store/dashboard-store.ts';
import type { Account, AccountChanges } from '../store/store.ts';

const ARROW = ' → ';

type Value = string | number | boolean | null;

/** Settings of an account by their names in the audit log; thresholds are described elsewhere. */
const SETTINGS = {
  name: 'name',
  plan: 'plan',
  overage: 'overage',
  monthlyQuota: 'monthly quota',
  requestsPerSecond: 'requests per second',
  timeZone: 'time zone',
} as const;

/** `plan starter → pro, overage off → on` @param before absent for a new account, whose settings have no old value: `plan pro` */
export function describeAccountChanges(
  changes: AccountChanges,
  before?: Pick<Account, keyof typeof SETTINGS>,
): string {
  return (Object.keys(SETTINGS) as (keyof typeof SETTINGS)[])
    .flatMap((setting) => {
      const value = changes[setting];
      if (value === undefined || value === before?.[setting] || (before === undefined && setting === 'name'))
        return [];
      const words = before === undefined ? wordOf(value) : fromTo(wordOf(before[setting]), wordOf(value));
      return `${SETTINGS[setting]} ${words}`;
    })
    .join(', ');
}

/** Settings of an account before and after a change. */
export type AccountChange = readonly [before: AccountChanges, after: AccountChanges];

/** Reads what `describeAccountChanges` wrote about a change; `undefined` for any other text, and where the name changed: a name may be any text. */
export function parseAccountChanges(detail: string): AccountChange | undefined {
  const [before, after]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const part of detail.split(', ')) {
    const setting = READABLE_SETTINGS.find((each) => part.startsWith(`${SETTINGS[each]} `));
    const values = setting && valuesOf(part.slice(SETTINGS[setting].length + 1));
    if (setting === undefined || values === undefined) return undefined;
    [before[setting], after[setting]] = values.map((value) => readSetting(setting, value));
    if (before[setting] === undefined || after[setting] === undefined) return undefined;
  }
  return [before, after];
}

const READABLE_SETTINGS = (Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]).filter(
  (each) => each !== 'name',
);

function readSetting(setting: keyof typeof SETTINGS, word: string): Value | undefined {
  if (setting === 'plan') return PLAN_NAMES.find((plan) => plan === word);
  if (setting === 'timeZone') return parseTimeZone(word);
  if (setting === 'overage') return word === 'on' ? true : word === 'off' ? false : undefined;
  if (word === wordOf(null)) return null;
  return /^\d{1,15}$/.test(word) ? Number(word) : undefined;
}

/** Words for thresholds that replace others. */
export function describeNewThresholds(
  owner: 'key' | 'account',
  before: Thresholds | null,
  after: Thresholds | null,
): string {
  return fromTo(describeThresholds(owner, before), describeThresholds(owner, after));
}

/** Words for the thresholds of a key or account: one without its own has those of its account, and an account the defaults. */
export function describeThresholds(owner: 'key' | 'account', thresholds: Thresholds | null): string {
  if (thresholds === null) return owner === 'key' ? 'the account’s thresholds' : 'the default thresholds';
  return `challenge ${thresholds.challenge}, block ${thresholds.block}`;
}

/** `plus_alias 6 → 40, tor_exit 48 → 30` */
export function describeWeights(before: Weights, after: Weights): string {
  const changes = Object.entries(after).flatMap(([detector, weight]) => {
    const old = before[detector] ?? 0;
    return old === weight ? [] : `${detector} ${fromTo(String(old), String(weight))}`;
  });
  return changes.length === 0 ? 'no weight changed' : changes.join(', ');
}

/** Words for a change: the old value, then the new one. */
export function fromTo(before: string, after: string): string {
  return `${before}${ARROW}${after}`;
}

/** Both values of a change; `undefined` where the text has none, or where one of them has an arrow of its own. */
export function valuesOf(detail: string): readonly [before: string, after: string] | undefined {
  const [before, after, ...others] = detail.split(ARROW);
  return before === undefined || after === undefined || others.length > 0 ? undefined : [before, after];
}

/** Reads what `describeThresholds` wrote; `undefined` for any other text. */
export function parseThresholds(words: string): Thresholds | null | undefined {
  if (words === describeThresholds('key', null) || words === describeThresholds('account', null)) return null;
  const [, challenge, block] = /^challenge (\d+), block (\d+)$/.exec(words) ?? [];
  return challenge === undefined ? undefined : { challenge: Number(challenge), block: Number(block) };
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
