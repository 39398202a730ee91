/** Derives facts about domains from the names of their mail hosts, and observations of mail hosts from domains. */
import { readFileSync } from 'node:fs';
import { withParents } from '../address/domain.ts';
import type { DomainKnowledge, Intel } from '../intel/intel.ts';
import { type DisposableHost, EMPTY_EMAIL, type Hit } from '../model/evidence.ts';
import { hostKey, type ServedKind } from './mail-host-record.ts';
import { createTwoGenerationCache } from './sources/two-generation-cache.ts';

export interface HostFacts {
  /** Whether strangers share it. Includes the hosts of consumer providers, which also serve domains of other people. */
  shared: boolean;
  /** Whether a domain gets mailboxes there only for money. */
  readonly paid: boolean;
  /** Association of the domains it serves if it belongs to a relay; otherwise `undefined`. */
  readonly relay: Association | undefined;
  /** The key under which it is remembered. */
  readonly key: string;
  /** The snapshot that `shared` and `below` were read from. */
  snapshot: string;
  /** The listed disposable domain that the host belongs to, or empty. */
  below: string;
}

/** Remembers the facts of at most `capacity` hosts. */
export function createHostFacts(capacity: number): (host: string, intel: Intel) => HostFacts {
  const names = createHostNames();
  const recent = createTwoGenerationCache<HostFacts>(capacity);

  function add(host: string): HostFacts {
    const entry = names.relayEntry(host);
    const relay = entry === undefined ? undefined : relayed(entry);
    const paid = names.isPaid(host);
    const facts = { shared: false, paid, relay, key: hostKey(host), snapshot: '', below: '' };
    recent.set(host, facts);
    return facts;
  }

  return (host, intel) => {
    const facts = recent.get(host) ?? add(host);
    if (facts.snapshot !== intel.id) {
      const known = intel.domain(host);
      facts.snapshot = intel.id;
      facts.below = listedEntry(known) ?? '';
      facts.shared = names.isShared(host) || known.listed.consumer || known.listed.relay;
    }
    return facts;
  };
}

interface HostNames {
  /** Whether strangers share the host. Nothing is learned about such a host. */
  isShared(host: string): boolean;
  /** Whether a domain gets mailboxes there only for money. */
  isPaid(host: string): boolean;
  /** The entry that names a relay provider's host; `undefined` for any other. */
  relayEntry(host: string): string | undefined;
}

/** Reads the lists beside this file. `host`: ASCII and lower-case; a listed name includes the names below it. */
function createHostNames(): HostNames {
  const shared = readNames('shared-hosts.txt');
  const paid = readNames('paid-hosts.txt');
  const relays = readNames('relay-hosts.txt');
  return {
    isShared: (host) => entryOf(shared, host) !== undefined,
    isPaid: (host) => entryOf(paid, host) !== undefined,
    relayEntry: (host) => entryOf(relays, host),
  };
}

function readNames(file: string): ReadonlySet<string> {
  const lines = readFileSync(new URL(`./${file}`, import.meta.url), 'utf8').split('\n');
  return new Set(lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#')));
}

function entryOf(names: ReadonlySet<string>, host: string): string | undefined {
  for (const name of withParents(host)) if (names.has(name)) return name;
  return undefined;
}

/**
 * Why its mail hosts speak for a domain that is years old: they serve ordinary domains and no other listed one, they are the
 * domain's own and serve no other listed one, or mailboxes there cost money. Empty where they say nothing.
 */
export type HostVouch = '' | 'ordinary' | 'own' | 'paid';

/** The facts about a domain that follow from its mail hosts. */
export interface Association {
  readonly relay: boolean;
  readonly disposableHost: DisposableHost;
  /** Only looked for where it can dispute a listing. */
  readonly vouch: HostVouch;
  readonly hits: readonly Hit[];
}

export const UNASSOCIATED: Association = {
  relay: false,
  disposableHost: EMPTY_EMAIL.disposableHost,
  vouch: '',
  hits: [],
};
/** An association by nothing but what speaks for the domain. */
export const VOUCHED: Readonly<Record<HostVouch, Association>> = {
  '': UNASSOCIATED,
  ordinary: { ...UNASSOCIATED, vouch: 'ordinary' },
  own: { ...UNASSOCIATED, vouch: 'own' },
  paid: { ...UNASSOCIATED, vouch: 'paid' },
};

export function associated(disposableHost: DisposableHost): Association {
  const hits = [{ fact: 'disposable', source: 'mail-host', entry: disposableHost.matched }];
  return { ...UNASSOCIATED, disposableHost, hits };
}

/** @param entry the name in the list that includes the relay's host */
function relayed(entry: string): Association {
  return { ...UNASSOCIATED, relay: true, hits: [{ fact: 'relay', source: 'relay-mx', entry }] };
}

/** A domain that takes mail, with the facts about it so far. */
export interface ServedDomain {
  /** The account that asks. */
  readonly account: string;
  readonly domain: string;
  readonly known: DomainKnowledge;
  /** Hosts by preference; at least one. */
  readonly hosts: readonly string[];
  /** −1 when unknown. */
  readonly ageDays: number;
}

/** A younger domain does not prove that its host is ordinary. */
const YOUNG_DAYS = 30;
/** Throw-away domains are seldom kept so long: an older domain counts in favour of its host, even if the host is flagged. */
const ESTABLISHED_DAYS = 365;

/** `undefined`: the host is flagged, so the domain may be ordinary or not. Earlier observations do not change. */
export function kindOf({ known, ageDays }: ServedDomain, flagged: boolean): ServedKind | undefined {
  if (known.disposable) return 'listed';
  if (known.disputed) return 'neither';
  if (isVouched(known)) return 'ordinary';
  // Anybody gets names below a shared suffix for free.
  if (known.listed.relay || known.listed.spam || known.sharedSuffix !== '') return 'neither';
  if (ageDays >= ESTABLISHED_DAYS) return 'ordinary';
  if (ageDays >= 0 && ageDays < YOUNG_DAYS) return 'neither';
  return flagged ? undefined : 'ordinary';
}

/** Whether it is known not to be a throw-away domain, even if such domains use the same mail host. */
export function isVouched({ listed }: DomainKnowledge): boolean {
  return listed.consumer || listed.not_disposable;
}

export function listedEntry({ disposable, hits }: DomainKnowledge): string | undefined {
  if (!disposable) return undefined;
  return hits.find(({ fact }) => fact === 'disposable')?.entry;
}
