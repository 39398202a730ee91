/** Makes the rules of a policy file that decide in a test: one set for each account, and one for each key with thresholds of its own. */
import { createAddressHashes } from '../../address/fingerprint.ts';
import { type AccountLists, createAccountLists } from '../../evidence/list-accounts.ts';
import { keepListValue } from '../../evidence/list-value.ts';
import type { ListChange, ListEntry } from '../../model/list-entry.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../model/policy.ts';
import { overlay } from '../../signup/account-policy.ts';
import { DEFAULT_POLICY } from '../../signup/policy.ts';
import type { MirrorRules } from '../mirror/mirror.ts';
import { type AccountPolicy, type FileEntry, type KeyPolicy, weightsOf } from '../policy/policy-file.ts';

/** Rules that are tested together. */
export interface TestedRules extends MirrorRules {
  /** `Shop`, or `Shop, key signup form`. */
  readonly label: string;
  /** `null`: the defaults of Gatehouse. */
  readonly account: { readonly id: string; readonly name: string } | null;
  readonly written: AccountPolicy | null;
  readonly key: KeyPolicy | null;
  /** Place in the file of the thresholds that decide, or of the account. */
  readonly place: string;
  /** Whether they decide as the defaults do. */
  readonly isDefault: boolean;
}

/** The same for every test: hashes of one run must be those of another. */
const HASHES = createAddressHashes([Buffer.alloc(32, 1)]);
const NO_LISTS: MirrorRules['lists'] = { find: () => null, findOffice: () => null };

export const DEFAULT_RULES: TestedRules = {
  label: 'the defaults',
  account: null,
  written: null,
  key: null,
  place: '',
  isDefault: true,
  policy: { ...DEFAULT_POLICY, thresholds: DEFAULT_THRESHOLDS },
  lists: NO_LISTS,
  hashes: HASHES,
};

/** @param now milliseconds since the epoch: entries that have expired by then decide nothing */
export async function toTestedRules(accounts: readonly AccountPolicy[], now: number): Promise<TestedRules[]> {
  const made: TestedRules[] = [];
  for (const account of accounts) {
    const lists = await openLists(account, now);
    made.push(toRules(account, null, lists));
    // Answers to a sandbox key depend on no policy.
    for (const key of account.keys)
      if (key.thresholds.value !== null && key.mode === 'live') made.push(toRules(account, key, lists));
  }
  return made;
}

export const accountName = ({ name, id }: Pick<AccountPolicy, 'name' | 'id'>) => name ?? id ?? '';

function toRules(account: AccountPolicy, key: KeyPolicy | null, lists: MirrorRules['lists']): TestedRules {
  const name = accountName(account);
  const own = key?.thresholds.value ?? account.thresholds?.value ?? DEFAULT_THRESHOLDS;
  const weights = overlay(DEFAULT_POLICY.weights, weightsOf(account.weights));
  const place = key?.thresholds.place ?? account.thresholds?.place ?? account.place;
  return {
    label: key === null ? name : `${name}, key ${key.name}`,
    account: { id: account.id ?? name, name },
    written: account,
    key,
    place,
    isDefault: isDefault(own, account),
    policy: { version: 'tested', weights, thresholds: own },
    lists,
    hashes: HASHES,
  };
}

function isDefault({ challenge, block }: Thresholds, { weights, entries }: AccountPolicy): boolean {
  const isPlain = challenge === DEFAULT_THRESHOLDS.challenge && block === DEFAULT_THRESHOLDS.block;
  return (
    isPlain &&
    entries.length === 0 &&
    weights.every(({ detector, weight }) => DEFAULT_POLICY.weights[detector] === weight)
  );
}

/** Entries by their places in the file, which are their ids. An address of which the file has no more than a masked form is left out. */
async function openLists(
  account: AccountPolicy,
  now: number,
): Promise<Pick<AccountLists, 'find' | 'findOffice'>> {
  const saved = account.entries.flatMap((entry) => toEntry(entry, account, now));
  const lists = createAccountLists({
    listsVersion: async () => 1,
    async *listChangesSince(): AsyncIterable<ListChange> {
      for (const entry of saved) yield { saved: entry };
    },
    addListHits: async () => {},
  });
  await lists.refresh();
  // The month is of another year: what counts is whether an entry decides today.
  return {
    find: (subject, network) => lists.find({ ...subject, at: now }, network),
    findOffice: (subject, network) => lists.findOffice({ ...subject, at: now }, network),
  };
}

function toEntry(entry: FileEntry, account: AccountPolicy, now: number): ListEntry[] {
  const { place, action, value, text, reason, expiresAt } = entry;
  if (value === null || (expiresAt !== null && expiresAt <= now)) return [];
  const kept = keepListValue(value, { hashes: HASHES, storeEmails: true });
  return [
    {
      ...kept,
      shown: text,
      id: place,
      accountId: account.id ?? accountName(account),
      action,
      reason,
      author: '',
      createdAt: now,
      expiresAt,
      hits: 0,
      lastHitAt: null,
    },
  ];
}
