/** Compares a policy file with an installation: what would be created, changed and removed. Changes nothing itself. */
import { describeNewThresholds, describeThresholds, describeWeights } from '../../accounts/audit-log.ts';
import { describeKey } from '../../accounts/key-audit.ts';
import { auditOfRemoval, auditOfSaving, describeEntry } from '../../accounts/list-admin.ts';
import type { AddressHashes } from '../../address/fingerprint.ts';
import type { MakeId } from '../../contract/identifiers.ts';
import { keepListValue } from '../../evidence/list-value.ts';
import type { ListAction, ListEntry } from '../../model/list-entry.ts';
import type { Thresholds } from '../../model/policy.ts';
import { effectiveWeights, overlay, ownWeights } from '../../signup/account-policy.ts';
import { DEFAULT_POLICY } from '../../signup/policy.ts';
import type { MakeAuditEntry } from '../../store/audit-store.ts';
import type { RuleChange } from '../../store/rule-change-store.ts';
import type { Key } from '../../store/store.ts';
import { findStored, type InstalledAccount, type InstalledRules, toLine } from './installed-rules.ts';
import {
  type AccountPolicy,
  type FileEntry,
  type KeyPolicy,
  type PolicyFile,
  weightsOf,
} from './policy-file.ts';

/** A change as people read it, old → new. */
export interface PlannedChange {
  readonly account: { readonly id: string; readonly name: string };
  readonly kind: 'create' | 'change' | 'remove';
  /** `thresholds`, `key signup form`, `weight vpn`, `allow partner.example`. */
  readonly what: string;
  readonly from: string | null;
  readonly to: string | null;
}

export interface PolicyPlan {
  readonly changes: readonly PlannedChange[];
  readonly rules: readonly RuleChange[];
  /** Settings and entries of accounts in the file that it does not name, and that stay. */
  readonly unnamed: number;
  /** Entries of the file that have expired, and do nothing. */
  readonly expired: number;
}

export interface PlanOptions {
  /** Whether what the file does not name of its accounts is removed. */
  readonly prune: boolean;
  readonly hashes: AddressHashes;
  readonly storeEmails: boolean;
  readonly makeId: MakeId;
  /** Author of new entries and weights. */
  readonly author: string;
  readonly auditOf: (accountId: string) => MakeAuditEntry;
  /** Whether a value is a domain that many unrelated people share. */
  readonly isCrowded: (entry: Pick<ListEntry, 'kind' | 'value'>) => boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

interface Part {
  readonly changes: PlannedChange[];
  readonly rules: RuleChange[];
  unnamed: number;
  expired: number;
}

/** @throws Error of one line for an account, a key or an entry that the installation does not have */
export function planPolicy(file: PolicyFile, installed: InstalledRules, options: PlanOptions): PolicyPlan {
  const part: Part = { changes: [], rules: [], unnamed: 0, expired: 0 };
  const seen = new Set<string>();
  for (const written of file.accounts) {
    const found = findAccount(written, installed);
    if (seen.has(found.account.id))
      throw new Error(`${written.place}: the account ${found.account.name} is there already.`);
    seen.add(found.account.id);
    planThresholds(part, written, found, options);
    planKeys(part, written, found, options);
    planWeights(part, written, found, options);
    planEntries(part, written, found, options);
  }
  return part;
}

function findAccount({ place, id, name }: AccountPolicy, { accounts }: InstalledRules): InstalledAccount {
  const found = accounts.filter(({ account }) =>
    id === undefined ? account.name === name : account.id === id,
  );
  const [first] = found;
  if (first === undefined)
    throw new Error(
      `${place}: there is no account ${id ?? name}; \`gatehouse account list\` shows them, \`gatehouse account create\` creates one`,
    );
  if (found.length > 1)
    throw new Error(`${place}: ${found.length} accounts have this name: add the id, ${idsOf(found)}`);
  return first;
}

const idsOf = (found: readonly InstalledAccount[]) => found.map(({ account }) => account.id).join(' or ');

function planThresholds(
  part: Part,
  written: AccountPolicy,
  { account }: InstalledAccount,
  options: PlanOptions,
) {
  const { thresholds: named } = written;
  const before = account.thresholds;
  if (named === undefined && !options.prune) {
    if (before !== null) part.unnamed += 1;
    return;
  }
  const after = named?.value ?? null;
  if (isSame(before, after)) return;
  part.changes.push({
    account,
    kind: named === undefined ? 'remove' : 'change',
    what: 'thresholds',
    from: describeThresholds('account', before),
    to: describeThresholds('account', after),
  });
  const detail = describeNewThresholds('account', before, after);
  const audit = options.auditOf(account.id)('thresholds.set', 'account', detail);
  part.rules.push({ of: 'account', id: account.id, thresholds: after, audit });
}

function planKeys(
  part: Part,
  written: AccountPolicy,
  installed: InstalledAccount,
  options: PlanOptions,
): void {
  const named = written.keys.map((key) => ({ key, stored: findKey(key, installed) }));
  for (const { key, stored } of named)
    planKey(part, stored, key.thresholds.value, 'change', installed, options);
  const ids = new Set(named.map(({ stored }) => stored.id));
  for (const stored of installed.keys) {
    if (stored.thresholds === null || ids.has(stored.id)) continue;
    if (options.prune) planKey(part, stored, null, 'remove', installed, options);
    else part.unnamed += 1;
  }
}

function findKey({ place, id, name, mode }: KeyPolicy, { account, keys }: InstalledAccount): Key {
  const found = keys.filter((key) =>
    id === undefined ? key.mode === mode && key.name === name : key.id === id,
  );
  const [first] = found;
  if (first === undefined)
    throw new Error(
      `${place}: ${account.name} has no ${describeKey({ mode, name })}; \`gatehouse key list --account ${account.id}\` shows its keys`,
    );
  if (found.length > 1)
    throw new Error(
      `${place}: ${found.length} keys have this name: add the id, ${found.map((key) => key.id).join(' or ')}`,
    );
  return first;
}

function planKey(
  part: Part,
  stored: Key,
  after: Thresholds | null,
  kind: 'change' | 'remove',
  { account }: InstalledAccount,
  { auditOf }: PlanOptions,
): void {
  const before = stored.thresholds;
  if (isSame(before, after)) return;
  part.changes.push({
    account,
    kind,
    what: describeKey(stored),
    from: describeThresholds('key', before),
    to: describeThresholds('key', after),
  });
  const detail = describeNewThresholds('key', before, after);
  const audit = auditOf(account.id)('thresholds.set', describeKey(stored), detail);
  part.rules.push({ of: 'key', id: stored.id, thresholds: after, audit });
}

function planWeights(
  part: Part,
  written: AccountPolicy,
  installed: InstalledAccount,
  options: PlanOptions,
): void {
  const { account, policy } = installed;
  const { weights: before } = effectiveWeights(policy);
  const named = weightsOf(written.weights);
  const after = overlay(options.prune ? DEFAULT_POLICY.weights : before, named);
  for (const [detector, weight] of Object.entries(after)) {
    const old = before[detector] ?? 0;
    if (!(detector in named) && old !== DEFAULT_POLICY.weights[detector] && !options.prune) part.unnamed += 1;
    if (old === weight) continue;
    part.changes.push({
      account,
      kind: detector in named ? 'change' : 'remove',
      what: `weight ${detector}`,
      from: String(old),
      to: detector in named ? String(weight) : `${weight}, the default`,
    });
  }
  const words = describeWeights(before, after);
  if (Object.entries(after).every(([detector, weight]) => before[detector] === weight)) return;
  part.rules.push({
    of: 'weights',
    policy: {
      accountId: account.id,
      weights: ownWeights(after),
      createdAt: options.now,
      author: options.author,
      note: 'policy file',
    },
    audit: (version) => options.auditOf(account.id)('policy.save', version, words),
  });
}

function planEntries(
  part: Part,
  written: AccountPolicy,
  installed: InstalledAccount,
  options: PlanOptions,
): void {
  const named = new Set<string>();
  for (const entry of written.entries) {
    const stored = findStored(entry, installed.entries, options.hashes);
    if (entry.expiresAt !== null && entry.expiresAt <= options.now) {
      part.expired += 1;
      continue;
    }
    if (stored === undefined) planNewEntry(part, entry, installed, options);
    else {
      named.add(stored.id);
      planChangedEntry(part, entry, stored, installed, options);
    }
  }
  for (const stored of installed.entries) {
    if (named.has(stored.id)) continue;
    if (!options.prune) {
      part.unnamed += 1;
      continue;
    }
    const { account } = installed;
    part.changes.push({
      account,
      kind: 'remove',
      what: titleOf(stored),
      from: describeEntry(stored),
      to: null,
    });
    const audit = auditOfRemoval(stored, options.auditOf(account.id));
    part.rules.push({ of: 'removed entry', id: stored.id, audit });
  }
}

function planNewEntry(
  part: Part,
  entry: FileEntry,
  { account, entries }: InstalledAccount,
  options: PlanOptions,
) {
  const { place, value, id, action, reason, expiresAt, isWide, text } = entry;
  const { hashes, storeEmails, makeId, author, auditOf, isCrowded, now } = options;
  if (value === null)
    throw new Error(
      `${place}: ${account.name} has no such entry ${id}: write the whole address instead of ${text}`,
    );
  if (!isWide && isCrowded(value))
    throw new Error(
      `${place}: ${text} is shared by many unrelated people; add wide: true if you mean all of them`,
    );
  const made: ListEntry = {
    ...keepListValue(
      value,
      { hashes, storeEmails },
      entries.filter((each) => each.action === action),
    ),
    id: makeId('lst', now),
    accountId: account.id,
    action,
    reason,
    author,
    createdAt: now,
    expiresAt,
    hits: 0,
    lastHitAt: null,
  };
  part.changes.push({ account, kind: 'create', what: titleOf(made), from: null, to: describeEntry(made) });
  part.rules.push({ of: 'saved entry', entry: made, audit: auditOfSaving(made, auditOf(account.id)) });
}

function planChangedEntry(
  part: Part,
  { reason, expiresAt }: FileEntry,
  stored: ListEntry,
  { account }: InstalledAccount,
  { author, auditOf }: PlanOptions,
): void {
  if (toLine(stored.reason) === reason && sameSecond(stored.expiresAt, expiresAt)) return;
  const after: ListEntry = { ...stored, reason, expiresAt, author };
  part.changes.push({
    account,
    kind: 'change',
    what: titleOf(stored),
    from: describeEntry(stored),
    to: describeEntry(after),
  });
  part.rules.push({
    of: 'saved entry',
    entry: after,
    audit: auditOfSaving(after, auditOf(account.id), stored),
  });
}

const NAMES: Readonly<Record<ListAction, string>> = { allow: 'allow', deny: 'deny', office: 'shared office' };
const titleOf = ({ action, shown }: Pick<ListEntry, 'action' | 'shown'>) => `${NAMES[action]} ${shown}`;

/** A file has whole seconds. */
function sameSecond(a: number | null, b: number | null): boolean {
  return a === null || b === null ? a === b : Math.floor(a / 1000) === Math.floor(b / 1000);
}

function isSame(a: Thresholds | null, b: Thresholds | null): boolean {
  return a === null || b === null ? a === b : a.challenge === b.challenge && a.block === b.block;
}
