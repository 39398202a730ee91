/** Words of the audit log that pages and the command line share: what was changed of an account or a key, and to what. */
import type { Thresholds } from '../model/policy.ts';
import type { AccountChanges, Key } from '../store/store.ts';

type Value = string | number | boolean | null;

/** `plan pro, overage on`; the name and the thresholds are described elsewhere. */
export function describeAccountChanges(changes: AccountChanges): string {
  const limits: readonly [name: string, value: Value | undefined][] = [
    ['plan', changes.plan],
    ['overage', changes.overage],
    ['monthly quota', changes.monthlyQuota],
    ['requests per second', changes.requestsPerSecond],
  ];
  return limits
    .flatMap(([name, value]) => (value === undefined ? [] : `${name} ${wordOf(value)}`))
    .join(', ');
}

/** Without thresholds of its own, a key has those of its account, and an account the defaults. */
export function describeThresholds(owner: 'key' | 'account', thresholds: Thresholds | null): string {
  if (thresholds === null) return owner === 'key' ? 'the account’s thresholds' : 'the default thresholds';
  return `challenge ${thresholds.challenge}, block ${thresholds.block}`;
}

/** `sandbox key staging`: keys for tests are called so on every page. */
export function describeKey({ mode, name }: Pick<Key, 'mode' | 'name'>): string {
  return `${mode === 'test' ? 'sandbox' : mode} key ${name}`;
}

function wordOf(value: Value): string {
  if (value === null) return 'as the plan says';
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}
