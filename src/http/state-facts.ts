/** What changes of thresholds, weights, keys and list entries are decided on, and how the audit log describes their changes. */

import { newOf } from '../accounts/audit-log.ts';
import type { ListEntry } from '../model/list-entry.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { StoredPolicy } from '../store/dashboard-store.ts';
import type { Account, Key } from '../store/store.ts';
import type { Fact } from './state-version.ts';

/** Thresholds and weights of an account. */
export function policyFacts({ thresholds }: Account, policy: StoredPolicy | null): readonly Fact[] {
  return [
    {
      name: 'thresholds',
      value: thresholds,
      describe: ({ action, target, detail }) =>
        action === 'thresholds.set' && target === 'account' ? `set ${detail}` : undefined,
    },
    {
      name: 'weights',
      value: policy?.version ?? null,
      describe: ({ action, target, detail }) =>
        action === 'policy.save' ? `saved the weights as ${target}: ${detail}` : undefined,
    },
  ];
}

/** Name, secrets, settings and validity of a key. */
export function keyFacts(key: Key): readonly Fact[] {
  const { name, shadow, thresholds, expiresAt, allowedRanges, revokedAt } = key;
  /** Entries name a key by its name alone, or with its mode. */
  const isOfKey = ({ target }: AuditEntry) => target === `key ${name}` || target.endsWith(` key ${name}`);
  const describe =
    (words: Readonly<Record<string, (entry: AuditEntry) => string>>): Fact['describe'] =>
    (entry) =>
      isOfKey(entry) ? words[entry.action]?.(entry) : undefined;
  return [
    {
      name: 'name',
      value: name,
      describe: describe({ 'key.rename': () => `renamed the key to “${name}”` }),
    },
    {
      name: 'shadow',
      value: shadow,
      describe: describe({
        'key.shadow': () => `started shadow mode of “${name}”`,
        'key.enforce': () => `ended shadow mode of “${name}”`,
      }),
    },
    {
      name: 'own',
      value: thresholds,
      describe: describe({ 'thresholds.set': ({ detail }) => `set ${newOf(detail)} for “${name}”` }),
    },
    {
      name: 'secret',
      value: [key.hash, key.previous?.hash, key.previous?.until],
      describe: describe({
        'key.rotate': () => `rotated “${name}”`,
        'key.rotate_end': () => `ended the old secret of “${name}”`,
        'key.rotate_undo': () => `took the rotation of “${name}” back`,
      }),
    },
    {
      name: 'expiry',
      value: expiresAt,
      describe: describe({ 'key.expiry': ({ detail }) => `set the expiry of “${name}”: ${detail}` }),
    },
    {
      name: 'ranges',
      value: allowedRanges,
      describe: describe({ 'key.ranges': ({ detail }) => `set the ranges of “${name}”: ${detail}` }),
    },
    {
      name: 'revoked',
      value: revokedAt !== null,
      describe: describe({ 'key.revoke': () => `revoked “${name}”` }),
    },
  ];
}

/**
 * The entries of one value, on both lists.
 * @param shown how the audit log names the value
 */
export function entryFacts(entries: readonly ListEntry[], shown: string): readonly Fact[] {
  return [
    {
      name: 'entries',
      value: entries
        .map(({ id, reason, author, expiresAt }) => [id, reason, author, expiresAt])
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      describe: ({ action, target, detail }) =>
        target === shown ? describeEntry(action, detail) : undefined,
    },
  ];
}

/** The valid entries for a value, on either list: a new one replaces or contradicts them. `hashes`: of an address under every key in use. */
export function entriesOf(
  { kind, value, hashes = [] }: Pick<ListEntry, 'kind' | 'value'> & { readonly hashes?: readonly string[] },
  entries: readonly ListEntry[],
  now: number,
): readonly ListEntry[] {
  return entries.filter(
    (entry) =>
      entry.kind === kind &&
      (entry.value === value || hashes.includes(entry.value)) &&
      (entry.expiresAt === null || entry.expiresAt > now),
  );
}

function describeEntry(action: string, detail: string): string | undefined {
  const reason = detail === '' ? '' : `: ${detail}`;
  if (action === 'list.allow') return `put it on the Allow list${reason}`;
  if (action === 'list.deny') return `put it on the Block list${reason}`;
  if (action === 'list.office') return `put it among the shared offices${reason}`;
  return action === 'list.remove' ? `removed it from the ${detail}` : undefined;
}
