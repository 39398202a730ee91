/** Writes the rules of an installation as a policy file, always in the same order: two files differ where the rules do. */
import { stringify } from 'yaml';
import type { AddressHashes } from '../../address/fingerprint.ts';
import { LIST_KINDS, type ListAction, type ListEntry } from '../../model/list-entry.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../model/policy.ts';
import { toTimestamp } from '../../platform/timestamp.ts';
import { effectiveWeights } from '../../signup/account-policy.ts';
import { DEFAULT_POLICY } from '../../signup/policy.ts';
import {
  compare,
  type InstalledAccount,
  type InstalledRules,
  toFileValue,
  toLine,
} from './installed-rules.ts';
import { POLICY_VERSION } from './policy-file.ts';

export interface WrittenEntry {
  readonly value: string;
  readonly kind: string;
  readonly id?: string;
  readonly reason?: string;
  readonly expires?: string;
  readonly wide?: true;
}

export interface WrittenKey {
  readonly name: string;
  readonly id?: string;
  readonly mode?: 'test';
  readonly thresholds: Thresholds;
}

export interface WrittenAccount {
  readonly name: string;
  readonly id?: string;
  readonly thresholds: Thresholds | 'default';
  readonly keys: readonly WrittenKey[];
  readonly weights: Readonly<Record<string, number>>;
  readonly lists: { readonly allow: readonly WrittenEntry[]; readonly deny: readonly WrittenEntry[] };
  readonly shared_offices: readonly WrittenEntry[];
}

export interface WrittenPolicy {
  readonly version: number;
  readonly accounts: readonly WrittenAccount[];
}

export interface WriteOptions {
  readonly hashes: Pick<AddressHashes, 'hashUnderAllKeys'>;
  /** Whether an entry is about a domain that many unrelated people share. */
  readonly isCrowded: (entry: ListEntry) => boolean;
}

const TOP = `# Gatehouse policy: thresholds, weights, own lists and shared offices of each account.
# Lists may have personal data, such as IP and email addresses of people: keep this file as carefully as the lists.
# Try it: gatehouse policy test FILE. Show what it would change: gatehouse policy apply FILE.
# It has no secrets, no expired entries, and no keys that have the thresholds of their account.`;
const MASKED = 'the installation keeps no more of this address; the id says which entry it is';

export function toWrittenPolicy({ accounts }: InstalledRules, options: WriteOptions): WrittenPolicy {
  return {
    version: POLICY_VERSION,
    accounts: accounts.map((each) => toAccount(each, options)),
  };
}

function toAccount(
  { account, hasNamesake, keys, policy, entries }: InstalledAccount,
  options: WriteOptions,
): WrittenAccount {
  const { weights } = effectiveWeights(policy);
  const own = Object.entries(weights).filter(([name, weight]) => weight !== DEFAULT_POLICY.weights[name]);
  const ofAction = (action: ListAction) =>
    entries
      .filter((entry) => entry.action === action)
      .toSorted((a, b) => compare(sortKey(a), sortKey(b)))
      .map((entry) => toEntry(entry, options));
  return {
    name: account.name,
    ...(hasNamesake && { id: account.id }),
    thresholds: account.thresholds ?? 'default',
    keys: toKeys(keys),
    weights: Object.fromEntries(own.toSorted(([a], [b]) => compare(a, b))),
    lists: { allow: ofAction('allow'), deny: ofAction('deny') },
    shared_offices: ofAction('office'),
  };
}

function toKeys(keys: InstalledAccount['keys']): WrittenKey[] {
  const isTwin = (key: (typeof keys)[number]) =>
    keys.some((other) => other.id !== key.id && other.mode === key.mode && other.name === key.name);
  return keys
    .toSorted((a, b) => compare(`${a.name}\n${a.mode}\n${a.id}`, `${b.name}\n${b.mode}\n${b.id}`))
    .flatMap((key) => {
      const { name, mode, thresholds, id } = key;
      if (thresholds === null) return [];
      const twin = isTwin(key) && { id };
      return [{ name, ...twin, ...(mode === 'test' && { mode }), thresholds } satisfies WrittenKey];
    });
}

const sortKey = ({ kind, shown, id }: ListEntry) => `${LIST_KINDS.indexOf(kind)} ${shown}\n${id}`;

function toEntry(entry: ListEntry, { hashes, isCrowded }: WriteOptions): WrittenEntry {
  const { text, isMasked } = toFileValue(entry, hashes);
  const reason = toLine(entry.reason);
  return {
    value: text,
    kind: entry.kind,
    ...(isMasked && { id: entry.id }),
    ...(reason !== null && { reason }),
    ...(entry.expiresAt !== null && { expires: toTimestamp(entry.expiresAt) }),
    ...(isCrowded(entry) && { wide: true as const }),
  };
}

/** The file. */
export function toYaml({ version, accounts }: WrittenPolicy): string {
  const lines = [TOP, `version: ${version}`, accounts.length === 0 ? 'accounts: []' : 'accounts:'];
  for (const account of accounts) lines.push(...accountLines(account));
  return `${lines.join('\n')}\n`;
}

function accountLines({
  name,
  id,
  thresholds,
  keys,
  weights,
  lists,
  shared_offices,
}: WrittenAccount): string[] {
  const { challenge, block } = DEFAULT_THRESHOLDS;
  return [
    `  - name: ${scalar(name)}`,
    ...(id === undefined ? [] : [`    id: ${id}`]),
    thresholds === 'default'
      ? `    thresholds: default # challenge ${challenge}, block ${block}`
      : `    thresholds: ${flow(thresholds)}`,
    ...(keys.length === 0 ? [] : ['    keys:', ...keys.flatMap(keyLines)]),
    ...weightLines(weights),
    ...(lists.allow.length + lists.deny.length === 0 ? [] : ['    lists:']),
    ...entryLines('allow', lists.allow, '      '),
    ...entryLines('deny', lists.deny, '      '),
    ...entryLines('shared_offices', shared_offices, '    '),
  ];
}

function keyLines({ name, id, mode, thresholds }: WrittenKey): string[] {
  return [
    `      - name: ${scalar(name)}`,
    ...(id === undefined ? [] : [`        id: ${id}`]),
    ...(mode === undefined ? [] : [`        mode: ${mode}`]),
    `        thresholds: ${flow(thresholds)}`,
  ];
}

function weightLines(weights: WrittenAccount['weights']): string[] {
  const all = Object.entries(weights);
  if (all.length === 0) return [];
  return [
    '    weights:',
    ...all.map(([name, weight]) => `      ${name}: ${weight} # default ${DEFAULT_POLICY.weights[name]}`),
  ];
}

function entryLines(title: string, entries: readonly WrittenEntry[], indent: string): string[] {
  if (entries.length === 0) return [];
  return [
    `${indent}${title}:`,
    ...entries.flatMap((entry) => {
      const [first = '', ...others] = Object.entries(entry).map(
        ([name, value]) => `${name}: ${scalar(value)}`,
      );
      const mark = entry.id === undefined ? '' : ` # ${MASKED}`;
      return [`${indent}  - ${first}${mark}`, ...others.map((line) => `${indent}    ${line}`)];
    }),
  ];
}

const flow = ({ challenge, block }: Thresholds) => `{ challenge: ${challenge}, block: ${block} }`;

/** Text of a value on one line, quoted where YAML of any version would read something else, as for NO. */
function scalar(value: string | boolean): string {
  return stringify(value, { lineWidth: 0, compat: 'yaml-1.1', singleQuote: true }).trim();
}
