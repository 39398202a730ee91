/** Finds the domains that one person alone used in an account, and takes them out of what is remembered about mail hosts, registries and DNS. */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { ownerDomain } from '../address/domain.ts';
import { addressesName } from '../evidence/mail-host-addresses.ts';
import {
  HOUR_MS,
  lastHour,
  readRecord,
  recordName,
  withoutDomains,
  writeRecord,
} from '../evidence/mail-host-record.ts';
import { ageName } from '../evidence/sources/rdap-age-memory.ts';
import type { StoredText } from '../model/text-cache.ts';
import { ERASED_DOMAIN } from '../signup/anonymize.ts';
import type { CachedTextChange } from '../store/erasure-store.ts';
import type { Store } from '../store/store.ts';

/** Whether an owner's domain is one that only erased people used. */
export type IsErasedDomain = (owner: string) => boolean;

/** The name that observations and registries use for a domain. */
export const ownerOf = (domain: string) => ownerDomain(domain) ?? domain;

const MAX_STRANGERS = 1_000;
const TEXTS_A_STEP = 500;
/** A node follows a change within half a second; it may have begun to write just before. */
const NODES_MS = 2_000;
const MAX_PASSES = 10;

/** Owners' domains from which nobody else signed up in the account. @param domains those of the person's addresses */
export async function findOwnDomains(
  store: Pick<Store, 'listCandidates'>,
  account: string,
  domains: Iterable<string>,
  requestIds: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const own = new Set<string>();
  for (const domain of new Set([...domains].map(ownerOf)))
    if (domain !== ERASED_DOMAIN && !(await isUsedByOthers(store, account, domain, requestIds)))
      own.add(domain);
  return own;
}

async function isUsedByOthers(
  store: Pick<Store, 'listCandidates'>,
  account: string,
  domain: string,
  requestIds: ReadonlySet<string>,
): Promise<boolean> {
  const limit = requestIds.size + MAX_STRANGERS;
  for await (const { candidates, reached } of store.listCandidates(account, { domain }, 0, limit))
    if (reached !== null || candidates.some(({ row }) => !requestIds.has(row.requestId))) return true;
  return false;
}

/**
 * Removes the account's observations of these domains, and cached answers about them: asking once more is all that they cost.
 * All nodes read the records of mail hosts again.
 * @returns how many texts changed
 */
export async function forgetDomains(
  store: Pick<Store, 'cachedTextsWith' | 'replaceCachedTexts' | 'cache'>,
  account: string,
  isErased: IsErasedDomain,
): Promise<number> {
  const changes: CachedTextChange[] = [];
  for (const prefix of [ageName(''), addressesName(''), recordName('')]) {
    const isRecord = prefix === recordName('');
    const to = prefix.replace(/:$/, ';');
    for (let after: string | undefined = prefix; after !== undefined; ) {
      const page = await store.cachedTextsWith(isRecord ? account : '', { after, to }, TEXTS_A_STEP);
      for (const { name, found } of page) {
        const isOfDomain = isErased(ownerOf(name.slice(prefix.length).replace(/^\*\./, '')));
        if (isRecord ? !found && !isOfDomain : !isOfDomain) continue;
        const change = isRecord ? await changeOf(store, name, account, isErased) : { name, stored: null };
        if (change !== undefined) changes.push(change);
      }
      after = page.length < TEXTS_A_STEP ? undefined : page.at(-1)?.name;
      await setImmediate();
    }
  }
  await store.replaceCachedTexts(changes);
  return changes.length;
}

async function changeOf(
  { cache }: Pick<Store, 'cache'>,
  name: string,
  account: string,
  isErased: IsErasedDomain,
): Promise<CachedTextChange | undefined> {
  const stored = await cache.read(name);
  if (stored === undefined) return undefined;
  const record = readRecord(stored.text);
  if (record === undefined) return { name, stored: null };
  const kept = withoutDomains(record, account, (domain) => isErased(ownerOf(domain)));
  const text = writeRecord(kept);
  if (text === stored.text) return undefined;
  const left: StoredText = { text, expiresAt: lastHour(kept) * HOUR_MS };
  return { name, stored: kept.domains.size === 0 ? null : left };
}

/**
 * Does it until nothing is left: what services had in memory or were about to write comes back once at most.
 * @param forgetMemory makes this process read the records again; without it there is none here that remembers any
 */
export async function forgetDomainsEverywhere(
  store: Parameters<typeof forgetDomains>[0],
  account: string,
  isErased: IsErasedDomain,
  forgetMemory: () => Promise<void> = async () => {},
): Promise<number> {
  let changed = await forgetDomains(store, account, isErased);
  for (let pass = 1; pass < MAX_PASSES; pass += 1) {
    await forgetMemory();
    if (store.cache.isShared) await sleep(NODES_MS);
    const more = await forgetDomains(store, account, isErased);
    if (more === 0) break;
    changed += more;
  }
  return changed;
}
